//! Review of a booking before it is made.

use std::time::Duration;

use dewy_domain::{
    nights::Nights,
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_catalog::CreateBooking,
    tool_output::AvailableRoom,
};

use super::guest_stay::GuestStay;
use crate::pages::{
    prelude::*,
    public::{StayQuery, room_description, room_picture, room_sum, search_rooms},
    read_tools::stop,
};

const FORM: &str = "book";
/// Field with the booking of the same nights that the guest was asked about.
const REPEAT: &str = "repeat_of";
/// How long the form waits for a question, which it asks itself.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Fields that are entered and shown again.
const DRAFT_FIELDS: [&str; 3] = ["guest_first_name", "guest_last_name", "special_requests"];

/// Review page. Room and dates are in the URL.
pub async fn confirm_booking_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let today = request.today()?;
    let wanted = StayQuery::from_url(&request).unwrap_or_default();
    let search = wanted.on("/guest/book", &[]);
    // An invalid date is reported where it is entered
    let Ok((stay, count)) = wanted.read(today) else {
        return Err(PageError::Redirect(search));
    };
    let Some(number) = request.query_param("room_number").map(str::to_owned) else {
        return Err(PageError::Redirect(search));
    };
    let rooms = search_rooms(&request.ctx, &user, stay, count, None)
        .await
        .map_err(|no| stop(no, &request.here))?;
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let content = match rooms.into_iter().find(|room| room.room_number == number) {
        Some(room) => {
            let token = token_of(&draft, &request.ctx);
            check(&user, &room, &wanted, count, draft, token, search)
        }
        None => match own_booking(&request, &user, &number, stay).await {
            Some(booking) => booked_already(&booking),
            None => gone(draft, search),
        },
    };
    Ok(PageLayout::new(t!("book-check")).who(&user).guest(content))
}

/// The guest's own booking of this room and one of these nights: the page is often opened again after
/// it was sent.
async fn own_booking(
    request: &PageRequest,
    user: &SignedIn,
    room: &str,
    nights: Nights,
) -> Option<String> {
    let stays = GuestStay::all(&request.ctx, user).await.ok()?;
    let standing = |stay: &GuestStay| {
        let open = [BookingStatus::Reserved, BookingStatus::CheckedIn];
        let (from, to) = (stay.check_in_date, stay.check_out_date);
        open.contains(&stay.booking_status)
            && stay.room_number.as_deref() == Some(room)
            && from.is_some_and(|from| from < nights.to)
            && to.is_some_and(|to| to > nights.from)
    };
    let found = stays.into_iter().find(standing)?;
    Some(found.booking_number.to_string())
}

fn booked_already(booking: &str) -> AnyView {
    view! {
        <h1>{t!("book-yours")}</h1>
        <p class="lead">{t!("booking-number", number = booking)}</p>
        <p class="actions">
            <a class="button" href="/guest/bookings">{t!("see-bookings")}</a>
            <a href="/guest/book">{t!("book-another")}</a>
        </p>
    }
    .into_any()
}

fn gone(draft: FormDraft, search: String) -> AnyView {
    view! {
        <ErrorSummary draft=draft />
        <h1>{t!("book-taken")}</h1>
        <p class="lead">{t!("book-taken-lead")}</p>
        <p class="actions">
            <a class="button" href=search>{t!("see-free")}</a>
        </p>
    }
    .into_any()
}

fn check(
    user: &SignedIn,
    room: &AvailableRoom,
    wanted: &StayQuery,
    count: i64,
    draft: FormDraft,
    token: String,
    search: String,
) -> AnyView {
    let total = labels::money(room.total, room.currency);
    let first = draft.value_or("guest_first_name", &user.first_name);
    let last = draft.value_or("guest_last_name", &user.last_name);
    // A guest with a known name is not asked for it again
    let asked = first.is_empty()
        || last.is_empty()
        || draft.problem("guest_first_name").is_some()
        || draft.problem("guest_last_name").is_some();
    let rows = [
        (t!("you-arrive"), day(&wanted.from)),
        (t!("you-leave"), day(&wanted.to)),
        (t!("people"), people(count)),
        (
            t!("room"),
            format!("{}, {}", room.room_number, room_description(room)),
        ),
        (t!("book-email"), user.caller.email.to_string()),
        (t!("price-label"), format!("{} = {total}", room_sum(room))),
    ];
    let name = (!asked).then(|| (t!("book-name"), format!("{first} {last}")));
    let names = if asked {
        view! {
            <Field name="guest_first_name" label=t!("book-first-name") autocomplete="given-name" value=first problem=draft.problem("guest_first_name") />
            <Field name="guest_last_name" label=t!("book-last-name") autocomplete="family-name" value=last problem=draft.problem("guest_last_name") />
        }
        .into_any()
    } else {
        hidden([("guest_first_name", first), ("guest_last_name", last)])
    };
    let agreed = name.into_iter().chain(rows);
    let fields = [
        ("room_number", room.room_number.to_string()),
        ("check_in_date", wanted.from.clone()),
        ("check_out_date", wanted.to.clone()),
        ("number_of_guests", count.to_string()),
        (REPEAT, draft.value(REPEAT)),
        ("amount", room.total.0.to_string()),
        (TOKEN, token),
    ];
    view! {
        <ErrorSummary draft=draft.clone() />
        <h1>{t!("book-check")}</h1>
        <div class="booked-room">{room_picture(&room.room_type, false)}</div>
        {facts("answers", agreed)}
        <p class="more"><a href=search>{t!("book-change")}</a></p>
        <form method="post" action="/form/book">
            {hidden(fields)}
            {names}
            <Field name="special_requests" label=t!("book-requests") hint=t!("book-requests-hint") kind="lines" value=draft.value("special_requests") problem=draft.problem("special_requests") optional=true />
            <p class="small">{t!("book-nothing-now")}</p>
            <p class="actions stacked">
                <button class="wide">{t!("book-for", total = total)}</button>
                <a href="/guest/bookings">{t!("not-now")}</a>
            </p>
        </form>
    }
    .into_any()
}

/// Starts the booking, and leads to its page unless there is a question.
pub async fn book(form: FormSubmission) -> FormResult {
    let [from, to, people] = ["check_in_date", "check_out_date", "number_of_guests"]
        .map(|name| form.raw(name).to_owned());
    let wanted = StayQuery { from, to, people };
    let room_number = form.raw("room_number");
    let back = wanted.on("/guest/book/check", &[("room_number", room_number)]);
    let user = form.sender(Persona::Guest, &back).await?;
    let draft = form.draft(&DRAFT_FIELDS);
    if let Some(wrong) = problems(DRAFT_FIELDS.map(|name| form.get(name))) {
        return form.invalid(wrong.with_fields_of(draft), FORM, &back).await;
    }
    let call = ToolForm::new::<CreateBooking>(FORM, back, t!("book-failed"))
        .input(form.input_of::<CreateBooking>())
        .draft(draft);
    let answer = call.start_and_wait(&form, &user, MAX_WAIT).await;
    if let Some(asked) = same_nights(&answer) {
        let repeated = asked.value(REPEAT);
        let asked = asked
            .with_fields_of(call.draft.clone())
            .field(REPEAT, repeated);
        return form.again(asked, FORM, &call.back).await;
    }
    call.finish(answer, &form, &user).await
}

/// Question to a guest who has a room for these nights already.
fn same_nights(answer: &ToolAnswer) -> Option<FormDraft> {
    let Some(FinalAnswer::Failed {
        code: ErrorCode::PossibleDuplicate,
        details,
    }) = answer.settled()
    else {
        return None;
    };
    let similar = ErrorDetails::of(details).similar?;
    let title = t!("book-same-nights", room = similar.room_number?.as_str());
    let message = t!("book-same-nights-text", number = similar.number.as_str());
    let asked = FormDraft::failed(title).with_message(message);
    Some(asked.field(REPEAT, similar.number))
}

fn problems([first, last, requests]: [&str; 3]) -> Option<FormDraft> {
    let mut draft = FormDraft::default();
    if first.is_empty() || first.chars().count() > 40 {
        draft = draft.and_invalid_field("guest_first_name", t!("book-first-name-problem"));
    }
    if last.is_empty() || last.chars().count() > 80 {
        draft = draft.and_invalid_field("guest_last_name", t!("book-last-name-problem"));
    }
    if requests.chars().count() > 500 {
        draft = draft.and_invalid_field("special_requests", t!("book-requests-problem"));
    }
    (!draft.problems.is_empty()).then_some(draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_required_and_special_requests_optional() {
        let entered = |first, last| problems([first, last, ""]);
        assert_eq!(entered("", "").map(|draft| draft.problems.len()), Some(2));
        assert_eq!(entered("Beth", "Gibbs"), None);
    }
}
