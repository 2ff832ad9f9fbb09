//! Search across all records of the front desk: names, rooms, bookings, cases, executions, Stripe
//! ids.

mod search_results;
mod search_text;

use dewy_domain::{
    caller::Caller,
    tool_catalog::{SearchExecutions, SearchGuests},
};

use self::{
    search_results::{Group, SearchResult},
    search_text::{SearchKind, read},
};
use super::{guests::Guests, staff_reads::read_tool};
use crate::pages::prelude::*;

/// Maximum number of results per kind; the kind's own page has the rest.
const MAX_PER_KIND: usize = 8;

/// Results by kind; a complete id redirects to its page.
pub async fn find_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let asked = request.query_param("q").unwrap_or_default().to_owned();
    let reading = read(&asked);
    if let Some(SearchKind::Execution(id)) = &reading
        && request.ctx.execution(&user.caller, id).await.is_some()
    {
        return Err(PageError::Redirect(format!("/staff/executions/{id}")));
    }
    let groups = match &reading {
        None => Vec::new(),
        Some(reading) => found(&request, &user, &asked, reading).await?,
    };
    Ok(PageLayout::new("Search").who(&user).staff(results(
        &asked,
        reading.is_some(),
        groups,
        &user.caller,
    )))
}

async fn found(
    request: &PageRequest,
    user: &SignedIn,
    asked: &str,
    reading: &SearchKind,
) -> Result<Vec<Group>, PageError> {
    let snapshot = async { request.ctx.board.snapshot(&user.caller).await.ok() };
    if !user.caller.is_front_desk() {
        return Ok(snapshot
            .await
            .map(|snapshot| of_the_house(&snapshot, reading))
            .unwrap_or_default());
    }
    let guests = async {
        // Stripe ids and internal ids are nobody's name
        if reading.about_people() {
            let input = json!({ "query": asked, "limit": MAX_PER_KIND });
            read_tool::<SearchGuests>(&request.ctx, user, input, &request.here).await
        } else {
            Ok(Ok(Guests::default()))
        }
    };
    let (snapshot, guests) = futures::join!(snapshot, guests);
    let Guests {
        rows: guests,
        cut: more_guests,
        ..
    } = guests?.unwrap_or_default();
    let on_board = snapshot.iter().flat_map(|snapshot| &snapshot.bookings);
    let on_board = on_board.map(|booking| booking.booking_number.as_str());
    let stays = guests.iter().flat_map(|guest| &guest.stays);
    let stays = stays.map(|stay| stay.booking_number.as_str());
    let shown: Vec<&str> = stays.chain(on_board).collect();
    let (mut executions, mut more_executions) = (Vec::new(), false);
    for input in reading.executions(&shown) {
        let list = read_tool::<SearchExecutions>(&request.ctx, user, input, &request.here).await?;
        let list = list.unwrap_or_default();
        more_executions |= list.cut;
        executions.extend(list.rows);
    }
    let mut groups = vec![search_results::guests(guests, more_guests)];
    groups.extend(
        snapshot
            .map(|snapshot| of_the_house(&snapshot, reading))
            .unwrap_or_default(),
    );
    groups.push(search_results::executions(executions, more_executions).at_most(MAX_PER_KIND));
    Ok(groups)
}

/// Rooms, current bookings and open cases, from the shared board.
fn of_the_house(snapshot: &HotelSnapshot, reading: &SearchKind) -> Vec<Group> {
    let rooms: Vec<SearchResult> = snapshot
        .rooms
        .iter()
        .filter(|room| reading.is_room(&room.room.number))
        .map(SearchResult::room)
        .collect();
    let fits = |booking: &&dewy_domain::reservation::BookingRow| {
        reading.is_booking(&booking.booking_number)
            || booking
                .room_number
                .as_deref()
                .is_some_and(|number| reading.is_room(number))
            || booking
                .guest_name
                .as_deref()
                .is_some_and(|name| reading.matches_text(name))
            || booking
                .guest_email
                .as_deref()
                .is_some_and(|email| reading.matches_text(email))
    };
    let bookings: Vec<SearchResult> = snapshot
        .bookings
        .iter()
        .filter(fits)
        .map(SearchResult::booking)
        .collect();
    let cases = snapshot.cases.iter().filter(|case| {
        reading.is_case(&case.number)
            || reading.matches_text(&case.subject)
            || case
                .room_number
                .as_deref()
                .is_some_and(|number| reading.is_room(number))
    });
    let cases: Vec<SearchResult> = cases.map(SearchResult::case).collect();
    let group = |title, hits, all: Option<&str>, list: &str| {
        Group {
            title,
            hits,
            all: all.map(str::to_owned),
            more: snapshot.cut.contains(&list),
        }
        .at_most(MAX_PER_KIND)
    };
    vec![
        group("Rooms", rooms, Some("/staff/rooms"), "rooms"),
        group("Bookings around today", bookings, None, "bookings"),
        group("Open cases", cases, Some("/staff/cases"), "cases"),
    ]
}

fn results(asked: &str, readable: bool, groups: Vec<Group>, caller: &Caller) -> AnyView {
    let mut groups: Vec<Group> = groups
        .into_iter()
        .filter(|group| !group.hits.is_empty() || group.more)
        .collect();
    let count: usize = groups.iter().map(|group| group.hits.len()).sum();
    let more = groups.iter().any(|group| group.more);
    let said = match (readable, count) {
        (false, _) => {
            "Type a name, an email, a phone number, a room, a booking, a case, the last four digits of a card, an execution or a Stripe payment."
                .to_owned()
        }
        (true, 0) if more => {
            format!("Too many records to look through for “{asked}”. Type more of it.")
        }
        (true, 0) => format!("Nothing matches “{asked}”."),
        (true, n) if more => format!("{n} matches for “{asked}”, and there are more."),
        (true, 1) => format!("One match for “{asked}”."),
        (true, n) => format!("{n} matches for “{asked}”."),
    };
    let hint = (readable && count == 0).then(|| {
        let text = if caller.is_front_desk() {
            "Names match by their parts; phone numbers by any part; a card by its last four digits; emails, booking numbers (as Salesforce shows them, such as BK-0042), case numbers and Stripe payments (pi_…) match as a whole. Bookings are those from a week ago to four weeks ahead."
        } else {
            "You can look for rooms by number and for open cases by number or subject."
        };
        view! { <p class="empty">{text}</p> }
    });
    let groups = groups.drain(..).map(Group::shown).collect_view();
    view! {
        <h1>"Search"</h1>
        <p class="lead" role="status">{said}</p>
        {hint}
        <div class="found-groups">{groups}</div>
    }
    .into_any()
}
