//! New booking: nights, room, guest.

mod asked_again;
mod booked;
pub mod walk_in;

use dewy_domain::{
    tool_catalog::{CreateBooking, SearchAvailableRooms},
    tool_output::AvailableRoom,
};

use self::{
    asked_again::{KNOWN_FIRST, KNOWN_LAST, book_buttons, choose_guest},
    booked::{book_and_land, name_in},
};
use super::{
    board::{return_url, take_kept},
    filters::{Filters, selected},
    require_front_desk::require_front_desk,
    staff_reads::read_tool,
};
use crate::{
    dates::days,
    pages::{prelude::*, public::too_small_for},
};

const FORM: &str = "book";
const PAGE: &str = "/staff/book";
const GUEST: [&str; 6] = [
    "same_guest_as",
    "guest_email",
    "guest_first_name",
    "guest_last_name",
    "guest_phone",
    "special_requests",
];

/// What a guest without an email is known by, and how the form asks for it.
const WITHOUT_EMAIL: [(&str, &str); 3] = [
    ("guest_first_name", "Enter the first name"),
    ("guest_last_name", "Enter the last name"),
    ("guest_phone", "Enter a phone number, or an email address"),
];

/// Dates, then rooms, then the guest; everything but the guest is in the URL.
pub async fn desk_book_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let draft = take_kept(&request, FORM).await;
    let (found, problem) = match free(&request, &user).await? {
        Some(Ok(rooms)) => (Some(rooms), FormDraft::default()),
        Some(Err(problem)) => (None, problem),
        None => (None, FormDraft::default()),
    };
    let room = request.query_param("room").map(str::to_owned);
    let of_room = room.as_ref().and_then(|room| {
        found
            .as_ref()?
            .iter()
            .find(|one| one.room_number == *room)
            .cloned()
    });
    let token = token_of(&draft, &request.ctx);
    let last = match (of_room, found) {
        (Some(one), _) => guest_form(&request, &one, &draft, token),
        (None, Some(rooms)) if rooms.is_empty() => nothing_free(&request, &user).await,
        (None, Some(rooms)) => table(&request, rooms, room.is_some()),
        (None, None) => ().into_any(),
    };
    let content = view! {
        <p class="crumbs"><a href="/staff/guests">"Guests"</a></p>
        <ErrorSummary draft=if draft.title.is_empty() { problem.clone() } else { draft } />
        <h1>"New booking"</h1>
        {nights(&request, &problem)}
        {last}
    };
    Ok(PageLayout::new("New booking").who(&user).staff(content))
}

async fn free(
    request: &PageRequest,
    user: &SignedIn,
) -> Result<Option<Result<Vec<AvailableRoom>, FormDraft>>, PageError> {
    if request.query_param("check_in_date").is_none()
        || request.query_param("check_out_date").is_none()
    {
        return Ok(None);
    }
    let names = &[
        "check_in_date",
        "check_out_date",
        "room_type",
        "number_of_guests",
    ];
    let mut asked = Filters::of(request, PAGE, names).input();
    asked["limit"] = json!(200);
    let found =
        read_tool::<SearchAvailableRooms>(&request.ctx, user, asked, &return_url(request)).await?;
    Ok(Some(found.map(|found| found.rows)))
}

fn nights(request: &PageRequest, problem: &FormDraft) -> AnyView {
    let keep = ["same_guest_as", "email", "first_name", "last_name"]
        .into_iter()
        .filter_map(|name| Some((name, request.query_param(name)?)));
    let keep = keep.map(|(name, value)| (name, value.to_owned()));
    let people = Some(selected(request, "number_of_guests"))
        .filter(|n| !n.is_empty())
        .unwrap_or_else(|| "1".to_owned());
    let kinds = vec![
        ("Standard", "Standard"),
        ("Deluxe", "Deluxe"),
        ("Suite", "Suite"),
        ("Penthouse", "Penthouse"),
    ];
    view! {
        <form method="get" action=PAGE class="card">
            <div class="filter-fields">
                <Field name="check_in_date" label="Arrival" kind="date" value=selected(request, "check_in_date") problem=problem.problem("check_in_date") />
                <Field name="check_out_date" label="Departure" kind="date" value=selected(request, "check_out_date") problem=problem.problem("check_out_date") />
                <Field name="number_of_guests" label="People" kind="number" value=people problem=problem.problem("number_of_guests") />
                <Select name="room_type" label="Type of room" any=true options=kinds value=selected(request, "room_type") />
            </div>
            {hidden(keep)}
            <p class="actions"><button class="quiet">"Show available rooms"</button></p>
        </form>
    }
    .into_any()
}

fn with_room(request: &PageRequest, room: Option<&str>) -> String {
    let names = [
        "check_in_date",
        "check_out_date",
        "number_of_guests",
        "room_type",
        "same_guest_as",
        "email",
        "first_name",
        "last_name",
    ];
    let mut query: Vec<_> = names
        .into_iter()
        .filter_map(|name| Some((name, request.query_param(name)?)))
        .collect();
    query.extend(room.map(|room| ("room", room)));
    page_url::with_query(PAGE, query)
}

/// Reason why no room is listed: the nights, or the size of the party.
async fn nothing_free(request: &PageRequest, user: &SignedIn) -> AnyView {
    let date = |name: &str| request.query_param(name)?.parse().ok();
    let nights = date("check_in_date").zip(date("check_out_date"));
    let people = selected(request, "number_of_guests").parse().unwrap_or(1);
    let largest = match nights {
        Some((from, to)) => too_small_for(&request.ctx, user, Nights { from, to }, people).await,
        None => None,
    };
    let words = match largest {
        Some(sleeps) => format!(
            "No room is large enough for {}: the largest free one sleeps {sleeps}. Book several rooms.",
            labels::people(people)
        ),
        None => {
            "No room is free for all of these nights. Try other dates, fewer people or any type."
                .to_owned()
        }
    };
    view! { <p class="empty">{words}</p> }.into_any()
}

const HEADS: &[&str] = &["Room", "Type", "Sleeps", "A night", "In all"];
const HEADS_TONIGHT: &[&str] = &["Room", "Type", "Now", "Sleeps", "A night", "In all"];

/// Whether a guest who arrives today can move in.
fn readiness_badge(one: &AvailableRoom) -> Option<AnyView> {
    let ready = one.ready?;
    let state = if ready { "completed" } else { "dirty" };
    let word = match &one.room_status {
        _ if ready => "Clean".to_owned(),
        Some(RoomStatus::Cleaning) => "Needs cleaning".to_owned(),
        Some(RoomStatus::Occupied) => "Still in use".to_owned(),
        _ => "Not ready".to_owned(),
    };
    Some(view! { <StatusBadge state=state word=word /> }.into_any())
}

fn table(request: &PageRequest, rooms: Vec<AvailableRoom>, gone: bool) -> AnyView {
    let tonight = rooms.iter().any(|one| one.ready.is_some());
    let rows = rooms
        .into_iter()
        .map(|one| {
            let state = tonight.then(|| view! { <td data-label="Now">{readiness_badge(&one)}</td> });
            let href = with_room(request, Some(&one.room_number));
            let more = [one.beds, one.view].into_iter().flatten().collect::<Vec<_>>().join(", ");
            view! {
                <tr>
                    <th scope="row" data-label="Room"><a href=href>"Room " {one.room_number.to_string()}</a></th>
                    <td data-label="Type">{one.room_type} <small>{more}</small></td>
                    {state}
                    <td data-label="Sleeps" class="num">{one.max_occupancy}</td>
                    <td data-label="A night" class="num">{labels::money(one.nightly_rate, one.currency)}</td>
                    <td data-label="In all" class="num"><strong>{labels::money(one.total, one.currency)}</strong></td>
                </tr>
            }
        })
        .collect_view();
    view! {
        {gone.then(|| view! { <p class="notice">"That room is no longer available for these nights. Choose another one."</p> })}
        <h2>"Available rooms"</h2>
        <ListTable
            label="Available rooms"
            heads=if tonight { HEADS_TONIGHT } else { HEADS }
            num=&["Sleeps", "A night", "In all"]
        >
            {rows}
        </ListTable>
        <p class="aside">"No tax is computed."</p>
    }
    .into_any()
}

fn guest_form(
    request: &PageRequest,
    one: &AvailableRoom,
    draft: &FormDraft,
    token: String,
) -> AnyView {
    let value = |name: &str, asked: &str| draft.value_or(name, &selected(request, asked));
    let (from, to) = (
        selected(request, "check_in_date"),
        selected(request, "check_out_date"),
    );
    let people = Some(selected(request, "number_of_guests"))
        .filter(|n| !n.is_empty())
        .unwrap_or_else(|| "1".to_owned());
    let price = labels::money(one.total, one.currency);
    let price = format!("{price} for {}", labels::nights(one.nights));
    let agreed = [
        ("Room", format!("{}, {}", one.room_number, one.room_type)),
        ("Dates", days(&from, &to)),
        ("People", people.clone()),
        ("Price", price),
    ];
    let fields = [
        ("room_number", one.room_number.to_string()),
        ("check_in_date", from.clone()),
        ("check_out_date", to.clone()),
        ("number_of_guests", people.clone()),
        ("amount", one.total.0.to_string()),
        ("back", with_room(request, Some(&one.room_number))),
        (TOKEN, token),
    ];
    let same = value("same_guest_as", "same_guest_as");
    let whom = match same.as_str() {
        "" => view! {
            <Field name="guest_email" known=Known::Guests label="Email" kind="email" hint="Without one, enter the name and a phone number." optional=true value=value("guest_email", "email") problem=draft.problem("guest_email") />
            <Field name="guest_first_name" label="First name" value=value("guest_first_name", "first_name") problem=draft.problem("guest_first_name") />
            <Field name="guest_last_name" label="Last name" value=value("guest_last_name", "last_name") problem=draft.problem("guest_last_name") />
            <Field name="guest_phone" label="Phone" hint="A guest we know keeps the number we have." optional=true value=value("guest_phone", "phone") problem=draft.problem("guest_phone") />
        }
        .into_any(),
        number => view! {
            <input type="hidden" name="same_guest_as" value=number.to_owned() />
            <p>"The guest of booking " {number.to_owned()} "."</p>
        }
        .into_any(),
    };
    view! {
        <section class="narrow" aria-labelledby="whom">
            <h2 id="whom">"For whom?"</h2>
            {(one.ready == Some(false)).then(|| view! {
                <p class="notice">"Room " {one.room_number.to_string()} " isn’t ready: the guest can be checked in once it is clean and empty."</p>
            })}
            {facts("answers", agreed)}
            <form method="post" action="/form/desk_book">
                {whom}
                <Field name="special_requests" label="Asks for" kind="lines" optional=true value=value("special_requests", "special_requests") problem=draft.problem("special_requests") />
                {hidden(fields)}
                <p class="actions">
                    {book_buttons(draft, format!("Book room {}", one.room_number))}
                    <a href=with_room(request, None)>"Another room"</a>
                </p>
            </form>
        </section>
    }
    .into_any()
}

/// Creates the booking and leads to the stay.
pub async fn book(form: FormSubmission) -> FormResult {
    let back = form.back(Persona::Staff, PAGE);
    let user = form.sender(Persona::Staff, back).await?;
    let mut draft = form.draft(&GUEST);
    let mut input = form.input_of::<CreateBooking>();
    let names = [
        ("guest_first_name", form.get(KNOWN_FIRST)),
        ("guest_last_name", form.get(KNOWN_LAST)),
    ];
    for (name, known) in names.into_iter().filter(|_| form.raw("whom") == "known") {
        input[name] = json!(known);
        draft = draft.field(name, known);
    }
    choose_guest(&form, &mut input);
    if !draft.value("guest_phone").is_empty() {
        // Chosen by a button: the form that is shown again asks anew
        draft.fields.remove("same_guest_as");
    }
    let given = |name: &str| input.get(name).is_some();
    let missing = WITHOUT_EMAIL.into_iter().find(|(name, _)| !given(name));
    if let (false, false, Some((field, words))) =
        (given("guest_email"), given("same_guest_as"), missing)
    {
        let draft = FormDraft::invalid_field(field, words).with_fields_of(draft);
        return form.invalid(draft, FORM, back).await;
    }
    let name = name_in(&input);
    let call = ToolForm::new::<CreateBooking>(FORM, back, "Nothing was booked")
        .input(input)
        .draft(draft);
    book_and_land(call, name, &form, &user).await
}
