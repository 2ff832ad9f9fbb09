//! Pages of the online check-in: booking, details, review.

use dewy_domain::{hotel_calendar::HotelDay, ports::Authenticator, tool_output::Folio};

use super::guest_stay::{GuestStay, Phase};
use crate::{
    components::choices,
    kept_reviews,
    language::Language,
    new_card_field::{CardEntry, CardOption, card_choice},
    pages::{
        card_name::{CARD, card_name, offered_cards, usual_card},
        prelude::*,
    },
};

const ANSWERS: &str = "check-in-answers";

/// Value of the card's field for a guest who shows a card at the front desk.
pub const AT_DESK: &str = "at-desk";

/// Maximum length of a special request.
const MAX_CHARS: usize = 500;

/// Arrival times: value and message of the label; the first one is the default.
const ARRIVALS: [(&str, &str); 4] = [
    ("here", "check-in-here"),
    ("soon", "check-in-soon"),
    ("evening", "check-in-evening"),
    ("night", "check-in-night"),
];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    booking_number: String,
    arrival: String,
    wishes: String,
}

impl Answers {
    pub fn new(booking_number: String, arrival: String, wishes: String) -> Self {
        let known = ARRIVALS.iter().any(|(value, _)| *value == arrival);
        let arrival = if known { arrival } else { "here".to_owned() };
        Self {
            booking_number,
            arrival,
            wishes: wishes.trim().to_owned(),
        }
    }

    pub fn of(form: &FormSubmission) -> Self {
        let [number, arrival, wishes] =
            ["booking_number", "arrival", "wishes"].map(|name| form.raw(name).to_owned());
        Self::new(number, arrival, wishes)
    }

    /// Answers about this booking so far.
    pub async fn find(authenticator: &dyn Authenticator, booking_number: &str) -> Self {
        let draft = kept_reviews::find(authenticator, ANSWERS, Some(booking_number)).await;
        let draft = draft.unwrap_or_default();
        let (arrival, wishes) = (draft.value("arrival"), draft.value("wishes"));
        Self::new(booking_number.to_owned(), arrival, wishes)
    }

    pub async fn put(&self, authenticator: &dyn Authenticator) {
        let draft = FormDraft::default()
            .field("arrival", self.arrival.clone())
            .field("wishes", self.wishes.clone());
        kept_reviews::keep(authenticator, ANSWERS, &self.booking_number, draft).await;
    }

    pub fn problem(&self) -> Option<FormDraft> {
        let length = self.wishes.chars().count();
        (length > MAX_CHARS).then(|| {
            FormDraft::invalid_field(
                "wishes",
                t!("check-in-too-long", most = MAX_CHARS, length = length),
            )
        })
    }

    fn arrives(&self) -> &'static str {
        ARRIVALS
            .iter()
            .find(|(value, _)| *value == self.arrival)
            .map_or("check-in-here", |(_, id)| id)
    }

    /// Text of the guest request, if there is anything to tell.
    pub fn request(&self) -> Option<String> {
        let late = self.arrival != "here";
        // Staff read it, in English
        let english = Language::english();
        let arrival =
            late.then(|| format!("Arriving: {}.", english.text(self.arrives()).to_lowercase()));
        let wishes = (!self.wishes.is_empty()).then(|| self.wishes.clone());
        let parts: Vec<_> = wishes.into_iter().chain(arrival).collect();
        (!parts.is_empty())
            .then(|| format!("{}\nBooking {}.", parts.join("\n"), self.booking_number))
    }
}

/// Choice among several bookings that begin today.
pub fn choose(stays: &[&GuestStay]) -> AnyView {
    let items = stays.iter().map(|stay| {
        let number = stay.booking_number.as_str();
        let days = t!(
            "check-in-which-booking",
            days = stay.days(),
            number = number
        );
        let page = page_url::with_booking("/guest/check-in", number);
        (page, stay.room(), days)
    });
    view! {
        <p class="step-of">{t!("check-in-step", step = 1, of = 3)}</p>
        <h1>{t!("check-in-which")}</h1>
        <p class="lead">{t!("check-in-several")}</p>
        {choices(items)}
    }
    .into_any()
}

pub fn details(stay: &GuestStay, answers: &Answers, draft: FormDraft, chosen: bool) -> AnyView {
    let options = ARRIVALS.into_iter().map(|(value, words)| {
        let id = format!("arrival-{value}");
        view! {
            <label class="choice">
                <input type="radio" name="arrival" id=id value=value checked=value == answers.arrival />
                <span>{text(words)}</span>
            </label>
        }
    });
    let place = if chosen {
        t!("check-in-step", step = 2, of = 3)
    } else {
        t!("check-in-step", step = 1, of = 2)
    };
    view! {
        <ErrorSummary draft=draft.clone() />
        <p class="step-of">{place}</p>
        <h1>{t!("check-in-when")}</h1>
        <p class="lead">{stay.room()} ", " {stay.days()} "."</p>
        <form method="post" action="/form/check_in_details">
            <input type="hidden" name="booking_number" value=stay.booking_number.to_string() />
            <fieldset>
                <legend>{t!("check-in-arrival")}</legend>
                {options.collect_view()}
            </fieldset>
            <Field name="wishes" label=t!("check-in-wishes") hint=t!("check-in-wishes-hint") kind="lines" value=answers.wishes.clone() problem=draft.problem("wishes") optional=true />
            <p class="actions stacked">
                <button class="wide">{t!("continue")}</button>
                <a href="/guest">{t!("not-yet")}</a>
            </p>
        </form>
    }
    .into_any()
}

/// Review page with the submit button.
pub fn review_page(
    user: &SignedIn,
    stay: &GuestStay,
    answers: &Answers,
    folio: Option<&Folio>,
    draft: FormDraft,
    ctx: &PageContext,
) -> AnyView {
    let token = token_of(&draft, ctx);
    let details = page_url::with_booking("/guest/check-in", &stay.booking_number);
    let row = |name: &'static str, value: String| {
        view! { <div><dt>{name}</dt> <dd>{value}</dd></div> }.into_any()
    };
    let changed = |name: &'static str, value: String, what: &'static str| {
        let href = details.clone();
        view! {
            <div>
                <dt>{name}</dt>
                <dd>{value} <a class="change" href=href>{t!("change")} <span class="unseen">" " {what}</span></a></dd>
            </div>
        }
        .into_any()
    };
    let name = format!("{} {}", user.first_name, user.last_name);
    let guest = match name.trim() {
        "" => user.caller.email.to_string(),
        name => format!("{name}, {}", user.caller.email),
    };
    let wishes = if answers.wishes.is_empty() {
        t!("check-in-none").to_owned()
    } else {
        answers.wishes.clone()
    };
    let room = [
        Some(stay.room()),
        Some(stay.description()).filter(|what| !what.is_empty()),
    ];
    let rows = vec![
        row(t!("guest"), guest),
        row(t!("stay"), stay.days()),
        row(
            t!("room"),
            room.into_iter().flatten().collect::<Vec<_>>().join(", "),
        ),
        row(t!("booking"), stay.booking_number.to_string()),
        changed(
            t!("check-in-arrival"),
            text(answers.arrives()).to_owned(),
            t!("check-in-your-arrival"),
        ),
        changed(t!("check-in-special"), wishes, t!("check-in-your-requests")),
    ];
    let cards = choice_of_card(folio, &draft, ctx.demo());
    let chosen = cards.is_some();
    view! {
        <ErrorSummary draft=draft />
        <p class="step-of">{t!("check-in-last-step")}</p>
        <h1>{t!("check-in-check")}</h1>
        <p class="lead">{t!("check-in-check-lead")}</p>
        <dl class="answers">{rows}</dl>
        <form method="post" action="/form/check_in">
            <input type="hidden" name="booking_number" value=stay.booking_number.to_string() />
            <input type="hidden" name="arrival" value=answers.arrival.clone() />
            <input type="hidden" name="wishes" value=answers.wishes.clone() />
            <input type="hidden" name=TOKEN value=token />
            {cards}
            <p class="small">{money_note(folio, chosen)}</p>
            <p class="actions stacked">
                <button class="wide">{t!("check-in-now")}</button>
                <a href="/guest">{t!("not-yet")}</a>
            </p>
        </form>
    }
    .into_any()
}

/// What checking in reserves on a card, and the field to enter a new one; `None` where the hotel
/// reserves nothing, or the bill could not be read.
fn hold_of(folio: Option<&Folio>) -> Option<(&Folio, Cents, Option<CardEntry>)> {
    let folio = folio.filter(|folio| !folio.cards_unknown)?;
    let sum = folio.hold_at_check_in?;
    Some((folio, sum, CardEntry::of(sum, folio.currency)))
}

/// Whether a new card can be entered.
pub fn takes_new_card(folio: Option<&Folio>) -> bool {
    hold_of(folio).is_some_and(|(.., typing)| typing.is_some())
}

/// Choice of the card that reserves the amount; a new one is kept.
fn choice_of_card(folio: Option<&Folio>, draft: &FormDraft, demo: bool) -> Option<AnyView> {
    let (folio, _, typing) = hold_of(folio)?;
    let saved = &folio.saved_cards;
    let mut offers = offered_cards(saved, demo, "");
    let takes_new = typing.is_some() || offers.len() > saved.len();
    if !takes_new && saved.len() < 2 {
        return None;
    }
    offers.push(CardOption {
        id: AT_DESK.to_owned(),
        name: t!("check-in-card-at-desk").to_owned(),
        tag: String::new(),
    });
    let chosen = Some(draft.value(CARD)).filter(|chosen| !chosen.is_empty());
    let chosen = chosen.or_else(|| usual_card(saved)).unwrap_or_default();
    let choice = card_choice(
        (CARD, t!("check-in-card")),
        offers,
        typing,
        &chosen,
        draft.problem(CARD),
    );
    let kept = takes_new.then(|| view! { <p class="hint">{t!("check-in-keeps-card")}</p> });
    Some(view! { {choice} {kept} {hidden([("save_card", "true".to_owned())])} }.into_any())
}

/// What checking in reserves on a card, if the hotel does; nothing is charged.
fn money_note(folio: Option<&Folio>, chosen: bool) -> String {
    match hold_of(folio) {
        Some((folio, sum, _)) => {
            let sum = labels::money(sum, folio.currency);
            match folio.saved_cards.as_slice() {
                _ if chosen => t!("check-in-reserves-chosen", sum = sum),
                [card] => t!("check-in-reserves", sum = sum, card = card_name(card)),
                _ => t!("check-in-no-card").to_owned(),
            }
        }
        None if hotel().places_holds && folio.is_none_or(|folio| folio.cards_unknown) => {
            t!("check-in-may-reserve").to_owned()
        }
        None => t!("check-in-no-card").to_owned(),
    }
}

/// Reason why a booking can't be checked in now.
pub fn closed(stay: &GuestStay, today: HotelDay) -> AnyView {
    let (title, parts) = match stay.phase(today) {
        Phase::Upcoming(_) => {
            let opens = stay
                .check_in_date
                .map(|date| day(&date.to_string()))
                .unwrap_or_default();
            (
                t!("too-early"),
                t!("check-in-opens", days = stay.days(), day = opens),
            )
        }
        Phase::InHouse | Phase::DueOut => (
            t!("check-in-done"),
            t!("check-in-yours", room = stay.room()),
        ),
        Phase::NoShow => (
            t!("come-to-desk"),
            t!("check-in-missed", days = stay.days()),
        ),
        Phase::Unclear => (t!("come-to-desk"), t!("booking-unclear").to_owned()),
        _ => (t!("stay-over"), t!("check-in-was", days = stay.days())),
    };
    view! {
        <h1>{title}</h1>
        <p class="lead">{parts}</p>
        <p class="aside">{t!("booking-number", number = stay.booking_number.as_str())}</p>
        <p class="actions">
            <a class="button" href="/guest">{t!("back-to-stay")}</a>
            <a href="/guest/bookings">{t!("see-bookings")}</a>
        </p>
    }
    .into_any()
}

/// Page for a guest without an arriving booking.
pub fn no_stay_to_check_in(stays: &[GuestStay], today: HotelDay) -> AnyView {
    let inside = stays
        .iter()
        .find(|stay| matches!(stay.phase(today), Phase::InHouse | Phase::DueOut));
    let ahead = stays
        .iter()
        .filter(|stay| matches!(stay.phase(today), Phase::Upcoming(_)));
    if let Some(stay) = inside.or(ahead.min_by_key(|stay| stay.check_in_date)) {
        return closed(stay, today);
    }
    view! {
        <h1>{t!("check-in-not-found")}</h1>
        <p class="lead">{t!("check-in-not-found-lead")}</p>
        <p class="actions">
            <a class="button" href="/guest/book">{t!("find-room")}</a>
            <a href="/guest/bookings">{t!("see-bookings")}</a>
        </p>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_contains_only_filled_fields() {
        let answers = |arrival: &str, wishes: &str| {
            Answers::new("BK-0034".into(), arrival.into(), wishes.into())
        };
        assert_eq!(answers("here", "  ").request(), None);
        assert_eq!(answers("nonsense", "").request(), None);
        assert_eq!(
            answers("evening", "").request().as_deref(),
            Some("Arriving: this evening.\nBooking BK-0034.")
        );
        assert_eq!(
            answers("here", "A cot").request().as_deref(),
            Some("A cot\nBooking BK-0034.")
        );
        assert!(answers("here", &"x".repeat(501)).problem().is_some());
    }
}
