//! Guest page: contact, stays and requests.

use dewy_domain::{
    hotel_calendar::HotelDay,
    tool_catalog::SearchBookings,
    tool_output::{CaseListItem, GuestListItem},
};

use super::{PAGE, find};
use crate::pages::{
    prelude::*,
    staff::{
        board::{arrival_status, case_subject, read_snapshot},
        cases,
        guest_phone::GuestPhone,
        require_front_desk::require_front_desk,
        staff_reads::read_tool,
    },
};

pub async fn guest_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let Some(email) = request.query_param("email").map(str::to_lowercase) else {
        return Err(PageError::Redirect(PAGE.to_owned()));
    };
    let found = find(&request.ctx, &user, &email, &request.here)
        .await?
        .unwrap_or_default();
    let same = |guest: &GuestListItem| guest.guest_email.as_deref() == Some(email.as_str());
    let guest = found
        .rows
        .into_iter()
        .find(same)
        .ok_or(PageError::NotFound)?;
    let bookings = bookings(&request, &user, &email).await?;
    let asked = json!({ "guest_email": email, "status_filter": "All" });
    let cases = cases::cases(&request.ctx, &user, asked, &request.here)
        .await?
        .unwrap_or_default();
    let today = read_snapshot(&request, &user).await?.day();
    let phone = GuestPhone::of(&request.ctx, guest.phone.as_deref()).await;
    let name = guest.name();
    let content = view! {
        <p class="crumbs"><a href=PAGE>"Guests"</a></p>
        <div class="beside">
            <h1>{name.clone()}</h1>
            <a class="button quiet" href=book(&guest, &email)>"New booking"</a>
        </div>
        {contact(&guest, &email, phone.as_ref())}
        <div class="two-sides">
            {stays(bookings, today)}
            {requests(cases.rows, &email)}
        </div>
    };
    Ok(PageLayout::new(&name).who(&user).staff(content))
}

async fn bookings(
    request: &PageRequest,
    user: &SignedIn,
    email: &str,
) -> Result<Vec<BookingRow>, PageError> {
    let input = json!({ "guest_email": email, "limit": 50 });
    let found = read_tool::<SearchBookings>(&request.ctx, user, input, &request.here).await?;
    let rows = found.unwrap_or_default().rows;
    let mut bookings: Vec<_> = rows.into_iter().map(|row| row.booking).collect();
    bookings.sort_by_key(|booking| std::cmp::Reverse(booking.check_in_date));
    Ok(bookings)
}

fn book(guest: &GuestListItem, email: &str) -> String {
    let query = [
        ("email", email),
        ("first_name", &guest.first_name),
        ("last_name", &guest.last_name),
    ];
    page_url::with_query("/staff/book", query)
}

fn contact(guest: &GuestListItem, email: &str, phone: Option<&GuestPhone>) -> AnyView {
    let number = guest.loyalty_number.clone();
    let number =
        number.map(|number| view! { <div><dt>"Loyalty number"</dt> <dd>{number}</dd></div> });
    view! {
        <dl class="facts">
            <div><dt>"Email"</dt> <dd><a href=format!("mailto:{email}")>{email.to_owned()}</a></dd></div>
            {phone.map(GuestPhone::view)}
            {number}
        </dl>
    }
    .into_any()
}

fn stays(bookings: Vec<BookingRow>, today: HotelDay) -> AnyView {
    let items = bookings.into_iter().map(|booking| {
        let standing = arrival_status(&booking, today);
        let dates = stay_days(booking.check_in_date, booking.check_out_date).unwrap_or_default();
        let room = booking.room_number.map(|room| format!("room {room}, "));
        view! {
            <li>
                <StatusBadge state=standing.state() word=standing.word(&booking.booking_status) />
                " "
                <a href=page_url::stay(&booking.booking_number)>{booking.booking_number.to_string()}</a>
                <span class="when">{room} {dates}</span>
            </li>
        }
    });
    section("stays", "Stays", rows("rows", items, "No stays yet."))
}

fn requests(cases: Vec<CaseListItem>, email: &str) -> AnyView {
    let new = page_url::with_query("/staff/cases/new", [("guest_email", email)]);
    let items = cases.into_iter().map(|case| {
        view! {
            <li>
                <a href=page_url::case(&case.case_number)>{case_subject(&case.subject)}</a>
                <span class="when">{case.kind.to_string()} ", " {case.case_status.to_string()}</span>
            </li>
        }
    });
    let content = view! {
        {rows("rows", items, "This guest has no requests.")}
        <p class="aside"><a href=new>"New case for this guest"</a></p>
    };
    section("cases", "Cases", content)
}
