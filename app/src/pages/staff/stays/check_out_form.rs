//! Check-out at the front desk: the amount, and the guest's payment card.

use dewy_domain::{
    execution_view::ExecutionListItem,
    tool_catalog::{GetFolio, ProcessGuestCheckout, SearchExecutions},
    tool_output::{Folio, SavedCard},
};

use super::find_booking::FoundBooking;
use crate::{
    pages::{
        card_name::{TEST_CARDS, card_name, held},
        guest::{bill, early},
        prelude::*,
        staff::{board::DECLINED_CARDS, staff_reads::read_tool},
    },
    tool_form::execution_page,
};

/// Form below the folio.
pub async fn form(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
    draft: &FormDraft,
    token: String,
) -> Result<AnyView, PageError> {
    if found.booking.booking_status != BookingStatus::CheckedIn {
        return Ok(found.too_late());
    }
    let number = found.booking.booking_number.clone();
    if let Some(running) = check_out_in_progress(request, user, found).await? {
        return Ok(progress_panel(&running, &number));
    }
    let input = json!({ "booking_number": number });
    let folio = match read_tool::<GetFolio>(&request.ctx, user, input, &request.here).await? {
        Ok(folio) => folio,
        Err(draft) => return Ok(view! { <p class="notice">{draft.message}</p> }.into_any()),
    };
    if !folio.shares_bill_with.is_empty() {
        return Ok(shared(folio));
    }
    let Some(balance) = folio.balance else {
        return Ok(bill(&folio, |_| None));
    };
    let amount = labels::money(balance, folio.currency);
    if balance.needs_front_desk() {
        return Ok(leave_open(&folio, balance, token));
    }
    let held = held(&folio);
    let cards = match &held {
        Some((reserved, card)) => Some(reserved_card(&folio, balance, (*reserved, card), draft)),
        None => (balance.0 > 0).then(|| cards(&folio.saved_cards, request.ctx.demo(), draft)),
    };
    let button = if balance.0 == 0 {
        "Check out".to_owned()
    } else {
        format!("Charge {amount} and check out")
    };
    let lead = view! {
        <p class="lead">"Room " {folio.room_number.to_string()} ". Read the amount to the guest before you charge it."</p>
    };
    Ok(settle((&folio, balance), lead, cards, button, &[], token))
}

/// The bill, and the button that checks the guest out.
fn settle(
    (folio, balance): (&Folio, Cents),
    lead: impl IntoView + 'static,
    cards: Option<AnyView>,
    button: String,
    agreed: &[(&'static str, &str)],
    token: String,
) -> AnyView {
    let number = &folio.booking_number;
    let agreed = agreed
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()));
    let fields = [
        ("booking_number", number.to_string()),
        ("amount", balance.0.to_string()),
        (TOKEN, token),
    ];
    view! {
        {lead}
        {early(folio.check_out_date)}
        {bill(folio, |_| None)}
        <form method="post" action="/form/desk_check_out">
            {cards}
            {hidden(agreed.chain(fields))}
            <p class="actions">
                <button>{button}</button>
                <a href=page_url::stay(number)>"Not yet"</a>
            </p>
        </form>
    }
    .into_any()
}

/// A balance that no card can settle: the guest can leave, and the balance stays on *Needs
/// attention*.
fn leave_open(folio: &Folio, balance: Cents, token: String) -> AnyView {
    let sentence = labels::balance_sentence(balance, folio.currency);
    let (why, button) = if balance.0 < 0 {
        let sum = labels::money(Cents(-balance.0), folio.currency);
        (
            "Nothing is charged. Give the guest the difference back: in Stripe’s dashboard if they paid by card, otherwise in cash. If they leave before that, check them out now; what they are owed stays on Needs attention until you mark it as settled.",
            format!("Check out and leave {sum} to give back"),
        )
    } else {
        let sum = labels::money(balance, folio.currency);
        (
            "That is less than a card can pay. Take it in cash, or let it go: check the guest out now; the balance stays on Needs attention until you mark it as settled.",
            format!("Check out and leave {sum} open"),
        )
    };
    let lead = view! { <p class="notice"><strong>{sentence}</strong> ". " {why}</p> };
    let agreed = [("leave_open", "true")];
    settle((folio, balance), lead, None, button, &agreed, token)
}

/// The bill is several bookings': what has to be done first, and where.
fn shared(folio: Folio) -> AnyView {
    let others = folio.shares_bill_with.iter().cloned();
    let others = others.map(|number| {
        let href = format!("{}/check-out", page_url::stay(&number));
        view! { " " <a href=href>{number.to_string()}</a> }
    });
    let here = format!("{}/check-out", page_url::stay(&folio.booking_number));
    view! {
        <p class="lead">
            "Nothing can be charged here: this stay shares its opportunity with" {others.collect_view()} ", so the balance isn’t one guest’s."
        </p>
        <p>"In Salesforce, give booking " {folio.booking_number.to_string()} " an opportunity of its own, with its amount and its payments. Then each stay has its own balance and is checked out on its own."</p>
        {bill(&folio, |_| None)}
        <p class="actions"><a class="button" href=here>"Check again"</a></p>
    }
    .into_any()
}

/// Check-out of this stay that is in progress or needs attention, started by anyone.
async fn check_out_in_progress(
    request: &PageRequest,
    user: &SignedIn,
    found: &FoundBooking,
) -> Result<Option<ExecutionListItem>, PageError> {
    // Before it has read the stay, a check-out is known by the guest it names
    let (by, value) = match found.email() {
        email if email.is_empty() => ("booking_number", found.booking.booking_number.to_string()),
        email => ("guest_email", email),
    };
    let input = json!({ by: value, "tool": ProcessGuestCheckout::NAME, "limit": 20 });
    let list = read_tool::<SearchExecutions>(&request.ctx, user, input, &request.here).await?;
    let open = |item: &ExecutionListItem| {
        let number = item.booking_number.as_ref();
        number.is_none_or(|number| *number == found.booking.booking_number) && item.state.is_open()
    };
    Ok(list.unwrap_or_default().rows.into_iter().find(open))
}

/// Notice in place of a second form.
fn progress_panel(running: &ExecutionListItem, number: &str) -> AnyView {
    let href = execution_page(Persona::Staff, &running.execution_id);
    let rest = match running.state {
        ExecutionState::NeedsAttention => {
            "It needs attention. Don't take the payment again until it is resolved."
        }
        ExecutionState::Waiting => "It waits for the guest's bank. Don't take the payment again.",
        _ => "It finishes by itself. Don't take the payment again.",
    };
    view! {
        <p class="standing">
            <StatusBadge state=running.state.clone() word=labels::state(&running.state) />
            " A check-out of this stay has been under way since " <Timestamp at=running.created_at /> "."
        </p>
        <p class="lead">{rest}</p>
        <p class="actions">
            <a class="button" href=href>"See the check-out"</a>
            <a href=page_url::stay(number)>"Back to the stay"</a>
        </p>
    }
    .into_any()
}

/// What becomes of the amount that a card reserves; other saved cards may pay what it does not cover.
fn reserved_card(
    folio: &Folio,
    balance: Cents,
    (reserved, card): (Cents, &str),
    draft: &FormDraft,
) -> AnyView {
    let money = |sum| labels::money(sum, folio.currency);
    let words = match reserved - balance {
        Cents(0) => format!("{} is reserved on {card}, and charged.", money(reserved)),
        Cents(1..) => format!(
            "{} is reserved on {card}: {} of it is charged, and the rest is released.",
            money(reserved),
            money(balance)
        ),
        _ => format!(
            "{} is reserved on {card}, and charged. The other {} is charged to this card:",
            money(reserved),
            money(balance - reserved)
        ),
    };
    let others = folio
        .saved_cards
        .iter()
        .filter(|one| card_name(one) != card);
    let others = others.map(|one| (one.payment_method_id.to_string(), card_name(one)));
    let kept = draft.value("payment_method_id");
    let all = std::iter::once((String::new(), card.to_owned())).chain(others);
    let choice = (balance > reserved).then(|| {
        let items = all.map(|(id, name)| {
            let checked = kept == id;
            view! {
                <label class="choice">
                    <input type="radio" name="payment_method_id" value=id checked=checked />
                    <span>{name}</span>
                </label>
            }
        });
        view! { <fieldset><legend>"Which card"</legend>{items.collect_view()}</fieldset> }
    });
    view! { <p>{words}</p> {choice} }.into_any()
}

/// Saved cards, the guest's own page, and test cards in a demo. Cards that were just declined are
/// marked; then only another saved card is selected.
fn cards(saved_cards: &[SavedCard], demo: bool, draft: &FormDraft) -> AnyView {
    let declined = draft.value(DECLINED_CARDS);
    let was_declined = |id: &str| declined.split_whitespace().any(|card| card == id);
    let saved = saved_cards
        .iter()
        .map(|card| (card.payment_method_id.to_string(), card_name(card), ""));
    let other_saved = saved.clone().find(|(id, ..)| !was_declined(id));
    let tests = TEST_CARDS
        .iter()
        .filter(|_| demo)
        .map(|(id, name)| ((*id).to_owned(), (*name).to_owned(), "Test card"));
    let own = (
        String::new(),
        "The guest pays on their own page; nothing is charged here".to_owned(),
        "",
    );
    let none = saved_cards.is_empty();
    let all: Vec<_> = saved.chain(tests).chain(none.then_some(own)).collect();
    let kept_card = Some(draft.value("payment_method_id")).filter(|card| !card.is_empty());
    let first = if declined.is_empty() {
        all.first()
    } else {
        other_saved.as_ref()
    };
    let chosen = kept_card.or_else(|| first.map(|card| card.0.clone()));
    // Without a choice the card on file would be charged
    let required = chosen.is_none();
    let items = all
        .into_iter()
        .enumerate()
        .map(|(n, (id, name, tag))| {
            let checked = chosen.as_ref() == Some(&id);
            let element = if n == 0 { "payment_method_id".to_owned() } else { format!("card-{n}") };
            let tag = if was_declined(&id) {
                view! { " " <StatusBadge state="urgent" word="Declined" /> }.into_any()
            } else {
                let tag = (!tag.is_empty()).then(|| view! { " " <small class="tag">{tag}</small> });
                tag.into_any()
            };
            view! {
                <label class="choice">
                    <input type="radio" name="payment_method_id" id=element value=id checked=checked required=required />
                    <span>{name} {tag}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <fieldset>
            <legend>"Which card"</legend>
            {items}
            <input type="hidden" name=DECLINED_CARDS value=declined.clone() />
        </fieldset>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids of the selected cards and of those that are marked as declined.
    fn shown(saved: &[&str], draft: &FormDraft) -> (Vec<String>, Vec<String>) {
        let card = |id: &&str| SavedCard {
            payment_method_id: id.parse().unwrap(),
            brand: "visa".to_owned(),
            last4: "4242".to_owned(),
            default: false,
        };
        let saved: Vec<_> = saved.iter().map(card).collect();
        let html = Owner::new().with(|| cards(&saved, true, draft).to_html());
        let with = |mark: &str| {
            let labels = html.split("</label>").filter(|label| label.contains(mark));
            let rest = labels.filter_map(|label| label.split("value=\"").nth(1));
            rest.filter_map(|rest| rest.split('"').next().map(str::to_owned))
                .collect()
        };
        (with(" checked"), with(">Declined<"))
    }

    #[test]
    fn a_declined_card_is_marked_and_another_saved_one_is_selected() {
        let declined = |cards: &str| FormDraft::default().field(DECLINED_CARDS, cards);
        let none: &[String] = &[];
        let (chosen, marked) = shown(&["pm_1", "pm_2"], &FormDraft::default());
        assert_eq!(
            (chosen.as_slice(), &*marked),
            (&["pm_1".to_owned()][..], none)
        );
        let (chosen, marked) = shown(&["pm_1", "pm_2"], &declined("pm_1"));
        assert_eq!(
            (chosen, marked),
            (vec!["pm_2".to_owned()], vec!["pm_1".to_owned()])
        );
        let (chosen, marked) = shown(&["pm_1"], &declined("pm_1"));
        assert_eq!((&*chosen, marked), (none, vec!["pm_1".to_owned()]));
        let both = shown(&["pm_1", "pm_2"], &declined("pm_1 pm_2"));
        let marked = vec!["pm_1".to_owned(), "pm_2".to_owned()];
        assert_eq!(both, (Vec::new(), marked));
        let (chosen, _) = shown(&["pm_1"], &declined("pm_card_visa_chargeDeclined"));
        assert_eq!(chosen, ["pm_1"]);
    }
}
