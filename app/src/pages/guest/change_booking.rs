//! Changes a booking: the requested change is in the URL, its price is shown, and only then can it
//! be submitted.

use dewy_domain::{stay::LineKind, tool_catalog::ManageBookings, tool_output::AvailableRoom};

use super::{
    booking_change_form::{Preview, form as change_form, other_rooms, over, preview},
    booking_change_price::{ChangePrice, added},
    bookings::act_page,
    guest_stay::GuestStay,
    read_folio::{FolioLookup, read_folio},
};
use crate::pages::{
    prelude::*,
    public::{StayQuery, search_rooms},
    read_tools::stop,
};

const FORM: &str = "change-booking";

/// Form and preview of the change.
pub async fn change_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let today = request.today()?;
    let stay = GuestStay::numbered(&request, &user).await?;
    let content = match booked(&stay) {
        Some(booked) => change(&request, &user, &stay, booked, today).await?,
        None => over(&stay),
    };
    Ok(PageLayout::new(t!("change-title"))
        .who(&user)
        .guest(content))
}

/// Nights of a booking that can still be changed.
fn booked(stay: &GuestStay) -> Option<Nights> {
    let live = matches!(
        stay.booking_status,
        BookingStatus::Reserved | BookingStatus::CheckedIn
    );
    let (from, to) = stay.check_in_date.zip(stay.check_out_date)?;
    live.then_some(Nights { from, to })
}

async fn change(
    request: &PageRequest,
    user: &SignedIn,
    stay: &GuestStay,
    booked: Nights,
    today: Date,
) -> Result<AnyView, PageError> {
    let inside = stay.booking_status == BookingStatus::CheckedIn;
    let mut wanted = StayQuery::from_url(request);
    if let Some(wanted) = wanted.as_mut().filter(|_| inside) {
        // The arrival can't change after the check-in
        wanted.from = booked.from.to_string();
    }
    let there = StayQuery {
        from: booked.from.to_string(),
        to: booked.to.to_string(),
        people: stay.number_of_guests.unwrap_or(1).to_string(),
    };
    let Some(wanted) = wanted else {
        return Ok(change_form(
            stay,
            &there,
            &FormDraft::take(&*request.ctx.authenticator, FORM).await,
            false,
        ));
    };
    // An arrival date in the past is allowed if it is unchanged
    let (nights, count) = match wanted.read(today.min(booked.from)) {
        Ok(read) => read,
        Err(draft) => return Ok(change_form(stay, &wanted, &draft, false)),
    };
    if nights.to < today || (nights.from < today && nights.from != booked.from) {
        let draft = FormDraft::invalid_field("check_out_date", t!("change-past"));
        return Ok(change_form(stay, &wanted, &draft, false));
    }
    if inside && nights.to < booked.to {
        // Leaving early is a check-out, which says what is given up
        let leave = page_url::with_booking("/guest/check-out", &stay.booking_number);
        let draft = FormDraft {
            follow: Some((leave, t!("change-leave").to_owned())),
            ..FormDraft::invalid_field("check_out_date", t!("change-earlier"))
        };
        return Ok(change_form(stay, &wanted, &draft, false));
    }
    let other = request
        .query_param("room")
        .is_some_and(|room| room == "other")
        && !inside;
    let chosen = request
        .query_param("room_number")
        .filter(|number| Some(*number) != stay.room_number.as_deref() && !inside);
    if wanted == there && chosen.is_none() && !other {
        let draft = FormDraft::failed(t!("change-nothing"));
        return Ok(change_form(stay, &wanted, &draft, false));
    }
    let free = AvailabilitySearch {
        request,
        user,
        today,
    };
    if let Some(number) = chosen {
        let rooms = search_rooms(&request.ctx, user, nights, count, None)
            .await
            .map_err(|no| stop(no, &request.here))?;
        let Some(room) = rooms.into_iter().find(|room| room.room_number == number) else {
            let draft = FormDraft::invalid_field("room", t!("change-taken", number = number));
            return Ok(change_form(stay, &wanted, &draft, true));
        };
        return confirm(
            request,
            user,
            stay,
            (booked, nights, count),
            &wanted,
            Some(room),
        )
        .await;
    }
    let keeps = !other && free.own_room(stay, booked, nights).await?;
    if keeps {
        return confirm(request, user, stay, (booked, nights, count), &wanted, None).await;
    }
    if inside {
        let draft = FormDraft::invalid_field("check_out_date", t!("change-unavailable"));
        return Ok(change_form(stay, &wanted, &draft, false));
    }
    let rooms = search_rooms(&request.ctx, user, nights, count, None)
        .await
        .map_err(|no| stop(no, &request.here))?;
    Ok(other_rooms(stay, &wanted, rooms, other))
}

struct AvailabilitySearch<'a> {
    request: &'a PageRequest,
    user: &'a SignedIn,
    today: Date,
}

impl AvailabilitySearch<'_> {
    /// Whether the current room is available for the added nights. A booking blocks itself in a
    /// search, so only the added nights are searched.
    async fn own_room(
        &self,
        stay: &GuestStay,
        booked: Nights,
        wanted: Nights,
    ) -> Result<bool, PageError> {
        for nights in added(booked, wanted) {
            // Nights that have begun can't be searched; the orchestrator decides about them
            if nights.from < self.today {
                continue;
            }
            let rooms = search_rooms(&self.request.ctx, self.user, nights, 1, None).await;
            let rooms = rooms.map_err(|no| stop(no, &self.request.here))?;
            if !rooms
                .iter()
                .any(|room| Some(&room.room_number) == stay.room_number.as_ref())
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

async fn confirm(
    request: &PageRequest,
    user: &SignedIn,
    stay: &GuestStay,
    (booked, nights, count): (Nights, Nights, i64),
    wanted: &StayQuery,
    room: Option<AvailableRoom>,
) -> Result<AnyView, PageError> {
    let FolioLookup::One(folio) = read_folio(
        &request.ctx,
        user,
        Some(&stay.booking_number),
        &request.here,
    )
    .await?
    else {
        return Err(PageError::NotFound);
    };
    let now = folio
        .lines
        .iter()
        .find(|line| line.kind == LineKind::Room)
        .map_or(folio.balance, |line| line.amount);
    // Nobody agrees to a price that is not known
    let Some(now) = now else {
        let code = ErrorCode::RecordIncomplete;
        return Err(ErrorPage::of(code, Persona::Guest, &request.here).into());
    };
    let price = ChangePrice::of(
        now,
        booked,
        nights,
        room.as_ref().map(|room| room.nightly_rate),
    );
    let people = stay.number_of_guests.unwrap_or(1);
    let asked = form_input([
        ("booking_number", &*stay.booking_number),
        ("check_in_date", &differs(stay.check_in_date, &wanted.from)),
        ("check_out_date", &differs(stay.check_out_date, &wanted.to)),
        ("number_of_guests", &differs(Some(people), &wanted.people)),
        (
            "room_number",
            room.as_ref().map_or("", |room| &room.room_number),
        ),
        ("amount", &price.after.0.to_string()),
    ]);
    let price = match applied(request, user, asked, price).await {
        Ok(price) => price,
        Err(draft) => return Ok(change_form(stay, wanted, &draft, room.is_some())),
    };
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let token = token_of(&draft, &request.ctx);
    Ok(preview(
        stay,
        wanted,
        Preview {
            price,
            currency: folio.currency,
            count,
            nights,
            room,
        },
        draft,
        token,
    ))
}

/// The new value, if it is another one.
fn differs(now: Option<impl ToString>, wanted: &str) -> String {
    let now = now.map(|now| now.to_string());
    match now.as_deref() == Some(wanted) {
        true => String::new(),
        false => wanted.to_owned(),
    }
}

/// The price that the change would have; of a shared bill, only the orchestrator knows this stay's.
/// What it would refuse is refused before anybody presses a button.
async fn applied(
    request: &PageRequest,
    user: &SignedIn,
    input: Value,
    computed: ChangePrice,
) -> Result<ChangePrice, FormDraft> {
    let call = ManageBookings::preview(input);
    let prompts = &request.ctx.confirmations;
    let Err(error) = prompts.confirmation_for(&user.caller, &call).await else {
        return Ok(computed);
    };
    let details = ErrorDetails::of(&error.details);
    if let (ErrorCode::PriceChanged, Some((before, after))) =
        (error.code, details.price_before.zip(details.price))
    {
        return Ok(ChangePrice { before, after });
    }
    if let (ErrorCode::TooManyGuests, Some(most)) = (error.code, details.max_occupancy) {
        let message = t!("change-sleeps", people = people(most));
        return Err(FormDraft::invalid_field("number_of_guests", message));
    }
    if error.code.retry_safe() && matches!(error.code.status(), 429 | 503) {
        // It says nothing about the change
        let draft = FormDraft::failed(t!("change-unchecked"));
        return Err(draft.with_message(t!("change-unchecked-text")));
    }
    Err(ToolForm::refusal(
        t!("change-not-possible"),
        error.code,
        &error.details,
        Persona::Guest,
        FormDraft::default(),
    ))
}

/// Starts the change and leads to its page at once.
pub async fn change_booking(form: FormSubmission) -> FormResult {
    let back = act_page(form.raw("booking_number"), "change");
    let user = form.sender(Persona::Guest, &back).await?;
    ToolForm::new::<ManageBookings>(FORM, back, t!("change-failed"))
        .input(form.input_of::<ManageBookings>())
        .send(&form, &user)
        .await
}
