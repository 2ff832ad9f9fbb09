//! Room page: facts, current and next guest, defects, and status.

use dewy_domain::inventory::MissingField;

use super::{Condition, FORM, PAGE, RoomState, moves, report_defect, set_button};
use crate::pages::{
    prelude::*,
    staff::board::{
        Notice, arrival_status, case_subject, late_until, notice, read_snapshot, room, subscribe,
        take_kept,
    },
};

pub async fn room_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let snapshot = read_snapshot(&request, &user).await?;
    let facts = room(&snapshot, &request.id).ok_or(PageError::NotFound)?;
    let flash_notice = Notice::take(&request, FORM).await;
    let draft = take_kept(&request, report_defect::FORM).await;
    let room_state = RoomState::of(facts, &snapshot);
    let title = format!("Room {}", facts.room.number);
    let content = view! {
        <p class="crumbs"><a href=PAGE>"Rooms"</a></p>
        {notice(flash_notice)}
        <ErrorSummary draft=draft.clone() />
        <h1>{title.clone()}</h1>
        <div class="two-sides">
            <div>
                <div data-region="room">{head(&room_state, &snapshot, &request)}</div>
                <div data-region="stays">{stays(&room_state, &snapshot, &user)}</div>
                <div data-region="cases">{cases(&room_state, &snapshot)}</div>
            </div>
            {report_defect::form(&room_state, &draft, &request.ctx)}
        </div>
    };
    Ok(PageLayout::new(&title)
        .who(&user)
        .follows(subscribe(&snapshot))
        .staff(content))
}

fn head(room_state: &RoomState<'_>, snapshot: &HotelSnapshot, request: &PageRequest) -> AnyView {
    let room = room_state.facts;
    let number = room.room.number.as_str();
    let back = page_url::room(number);
    let status = &room.room.status;
    // Others moved its stay: nobody is checked in to it
    let is_deserted =
        room_state.occupied && room_state.guest.is_none() && !snapshot.cut.contains(&"bookings");
    let possible = if is_deserted {
        moves(&RoomStatus::Other(String::new()))
    } else {
        moves(status)
    };
    let is_fixed = possible.is_empty();
    let buttons = possible.into_iter().enumerate().map(|(n, to)| {
        let class = if n == 0 && *status != RoomStatus::Vacant {
            ""
        } else {
            "quiet"
        };
        set_button(
            number,
            status,
            to,
            class,
            &back,
            &request.ctx.token_generator,
        )
    });
    let buttons = if is_fixed {
        let why = if room_state.occupied {
            "Occupied: its status changes with check-in and check-out."
        } else {
            "This status is unknown here: change it in the booking system."
        };
        view! { <p class="aside">{why}</p> }.into_any()
    } else {
        let why = is_deserted.then(|| view! { <p class="aside">"Nobody is checked in to this room: its stay was moved or ended in the booking system."</p> });
        view! { {why} <div class="taps" role="group" aria-label="Set its status">{buttons.collect_view()}</div> }.into_any()
    };
    let (state, sign) = match room_state.condition {
        Condition::Clean => ("completed", "bed"),
        Condition::Dirty => ("due", "bed"),
        Condition::Out => ("out", "bed"),
        Condition::InUse => ("in_house", "person"),
    };
    let user = if room_state.occupied {
        "Occupied"
    } else {
        "Vacant"
    };
    let known = |field: MissingField| !room.missing.contains(&field);
    let rate = labels::money(room.rate, snapshot.currency);
    let late = room_state.guest.and_then(|stay| late_until(snapshot, stay));
    let details = [
        ("Type", Some(room.kind.clone())),
        ("Floor", room.floor.map(|floor| floor.to_string())),
        ("Beds", room.beds.clone()),
        ("View", room.view.clone()),
        (
            "Sleeps",
            known(MissingField::MaxOccupancy).then(|| room.sleeps.to_string()),
        ),
        ("A night", known(MissingField::NightlyRate).then_some(rate)),
        ("Wheelchairs", room.accessible.then(|| "Yes".to_owned())),
        (
            "Late check-out",
            late.map(|time| format!("Granted until {time}")),
        ),
    ];
    let details = details
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.filter(|value| !value.is_empty())?)));
    view! {
        <div class="standing">
            <span class="pill" data-state="plain"><Icon state=sign /> <span>{user}</span></span>
            <StatusBadge state=state word=room_state.label() />
        </div>
        {buttons}
        {facts("facts", details)}
    }
    .into_any()
}

fn stays(room_state: &RoomState<'_>, snapshot: &HotelSnapshot, user: &SignedIn) -> AnyView {
    let number = room_state.facts.room.number.as_str();
    let over = |booking: &&BookingRow| {
        booking.room_number.as_deref() == Some(number)
            && matches!(
                booking.booking_status,
                BookingStatus::Reserved | BookingStatus::CheckedIn
            )
    };
    let stays = snapshot.bookings.iter().filter(over);
    let items = stays.map(|booking| {
        let standing = arrival_status(booking, snapshot.day());
        let dates = stay_days(booking.check_in_date, booking.check_out_date).unwrap_or_default();
        // Roles that don't work with guests see only the dates
        let name = user.caller.is_front_desk().then(|| {
            let name = booking
                .guest_name
                .clone()
                .unwrap_or_else(|| booking.booking_number.to_string());
            view! { <a href=page_url::stay(&booking.booking_number)>{name}</a> }
        });
        view! {
            <li>
                <StatusBadge state=standing.state() word=standing.word(&booking.booking_status) />
                " "
                {name}
                <span class="when">{dates}</span>
            </li>
        }
    });
    let list = rows("rows", items, "No bookings in the next four weeks.");
    section("stays", "Who has it", list)
}

fn cases(room_state: &RoomState<'_>, snapshot: &HotelSnapshot) -> AnyView {
    let number = room_state.facts.room.number.as_str();
    let cases = snapshot.cases.iter();
    let cases = cases.filter(|case| case.room_number.as_deref() == Some(number));
    let items = cases.map(|case| {
        view! {
            <li>
                <a href=page_url::case(&case.number)>{case_subject(&case.subject)}</a>
                <span class="when">{case.kind.to_string()} ", " {case.status.to_string()} ", " <Ago at=case.created_at /></span>
            </li>
        }
    });
    let list = rows("rows", items, "No open cases for this room.");
    section("cases", "Open cases", list)
}
