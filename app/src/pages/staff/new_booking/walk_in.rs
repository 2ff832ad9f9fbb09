//! Walk-in: somebody without a booking is found, or added, and moves into a clean room in one act.

use dewy_domain::{
    tool_catalog::{CreateBooking, SearchAvailableRooms},
    tool_output::{AvailableRoom, GuestListItem},
};

use super::{
    WITHOUT_EMAIL,
    asked_again::{KNOWN_FIRST, KNOWN_LAST, book_buttons, choose_guest},
    booked::{book_and_land, name_in},
};
use crate::pages::{
    prelude::*,
    staff::{
        board::{return_url, take_kept},
        filters::selected,
        guests,
        require_front_desk::require_front_desk,
        staff_reads::read_tool,
    },
};

const FORM: &str = "walk-in";
pub const PAGE: &str = "/staff/walk-in";
const QUESTION: [&str; 4] = ["who", "nights", "people", "new"];
const TYPED: [&str; 4] = [
    "guest_first_name",
    "guest_last_name",
    "guest_phone",
    "guest_email",
];
/// What names a guest whom the hotel knows.
const KNOWN: [&str; 4] = [
    "guest_email",
    "guest_first_name",
    "guest_last_name",
    "same_guest_as",
];
/// Numbers in the question, with the most that each may be.
const NIGHTS: (&str, i64) = ("nights", 30);
const PEOPLE: (&str, i64) = ("people", 20);
/// Most guests to choose from.
const MAX_GUESTS: usize = 8;

/// The question, then the guests it finds and the rooms of tonight.
pub async fn walk_in_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let draft = take_kept(&request, FORM).await;
    let who = selected(&request, "who").trim().to_owned();
    let counts = count(&request, NIGHTS).zip(count(&request, PEOPLE));
    let draft = [(NIGHTS, "Nights"), (PEOPLE, "People")].into_iter().fold(
        draft,
        |draft, (number, label)| {
            let words = format!("{label}: enter a whole number from 1 to {}", number.1);
            draft.check(number.0, count(&request, number).is_some(), words)
        },
    );
    let found = match (who.as_str(), counts) {
        ("", _) | (_, None) => None,
        (who, Some(counts)) => Some(offer(&request, &user, who, counts, &draft).await?),
    };
    let number = |(name, _): (&'static str, i64), label| {
        let value = request.query_param(name).unwrap_or("1");
        view! { <Field name=name label=label kind="number" value=value problem=draft.problem(name) /> }
    };
    const LABEL: &str = "Name, phone, or email";
    let question = match who.is_empty() {
        true => view! { <Field name="who" label=LABEL only_question_about="walk-in" /> }.into_any(),
        false => view! { <Field name="who" label=LABEL value=who /> }.into_any(),
    };
    let content = view! {
        <p class="crumbs"><a href="/staff">"Today"</a></p>
        <ErrorSummary draft=draft.clone() />
        <h1>"Walk-in"</h1>
        <p class="lead" id="walk-in">"Book a room for tonight, and check in at once."</p>
        <form method="get" action=PAGE class="card" role="search" aria-label="Guest">
            <div class="filter-fields">
                {question}
                {number(NIGHTS, "Nights")}
                {number(PEOPLE, "People")}
                <p class="actions"><button class=found.is_some().then_some("quiet")>"Find"</button></p>
            </div>
        </form>
        {found}
    };
    Ok(PageLayout::new("Walk-in").who(&user).staff(content))
}

/// Whole number in the URL, 1 if there is none; `None` if it is out of range.
fn count(request: &PageRequest, (name, most): (&str, i64)) -> Option<i64> {
    match request.query_param(name).map(str::trim) {
        None => Some(1),
        Some(text) => text.parse().ok().filter(|n| (1..=most).contains(n)),
    }
}

async fn offer(
    request: &PageRequest,
    user: &SignedIn,
    who: &str,
    (nights, people): (i64, i64),
    draft: &FormDraft,
) -> Result<AnyView, PageError> {
    let Some(today) = hotel_time::today() else {
        return Ok(().into_any());
    };
    let until = today.saturating_add(jiff::Span::new().days(nights));
    let asked = json!({ "check_in_date": today, "check_out_date": until, "number_of_guests": people, "limit": 200 });
    let back = return_url(request);
    let (found, rooms) = futures::join!(
        guests::find(&request.ctx, user, who, &back),
        read_tool::<SearchAvailableRooms>(&request.ctx, user, asked, &back)
    );
    let rooms = match rooms? {
        Ok(rooms) => rooms.rows,
        Err(problem) => return Ok(view! { <ErrorSummary draft=problem /> }.into_any()),
    };
    // What can't be searched for can still be somebody new
    let known = found?.unwrap_or_default();
    let cut = known.cut || known.rows.len() > MAX_GUESTS;
    let mut known: Vec<_> = known
        .rows
        .into_iter()
        .filter(|guest| named(guest).is_some())
        .collect();
    known.truncate(MAX_GUESTS);
    if !selected(request, "new").is_empty() {
        known.clear();
    }
    let guest = if known.is_empty() {
        new_guest(who, draft, cut)
    } else {
        known_guests(request, known, draft, cut)
    };
    let fields = [
        ("check_in_date", today.to_string()),
        ("check_out_date", until.to_string()),
        ("number_of_guests", people.to_string()),
        ("back", here(request, None)),
        (TOKEN, token_of(draft, &request.ctx)),
    ];
    let stay = format!("{}, {}", date_range(today, until), labels::people(people));
    let Some(rooms) = rooms_field(rooms, draft) else {
        return Ok(view! {
            <p class="empty">
                "No clean room is free for these nights. " <a href="/staff/rooms?show=dirty">"See the rooms to clean"</a>
                ", or " <a href=page_url::with_query("/staff/book", [("check_in_date", today.to_string().as_str()), ("check_out_date", until.to_string().as_str())])>"book without checking in"</a> "."
            </p>
        }
        .into_any());
    };
    Ok(view! {
        <form method="post" action="/form/walk_in" class="two-sides">
            {guest}
            <section class="card" aria-labelledby="stay">
                <h2 id="stay">{stay}</h2>
                {rooms}
                {hidden(fields)}
                <p class="actions">{book_buttons(draft, "Book and check in".to_owned())}</p>
            </section>
        </form>
    }
    .into_any())
}

/// Address with the question, and more.
fn here<'a>(request: &'a PageRequest, more: Option<(&'a str, &'a str)>) -> String {
    let given = |name| Some((name, request.query_param(name)?));
    let question: Vec<_> = QUESTION.into_iter().filter_map(given).chain(more).collect();
    page_url::with_query(PAGE, question)
}

/// What books for a guest on file: their email and name, or a booking of theirs.
fn named(guest: &GuestListItem) -> Option<Value> {
    let mut named = match (&guest.guest_email, guest.stays.first()) {
        (Some(email), _) => json!({ "guest_email": email }),
        (None, Some(stay)) => json!({ "same_guest_as": stay.booking_number }),
        (None, None) => return None,
    };
    named["guest_first_name"] = json!(guest.first_name);
    named["guest_last_name"] = json!(guest.last_name);
    Some(named)
}

fn known_guests(
    request: &PageRequest,
    known: Vec<GuestListItem>,
    draft: &FormDraft,
    cut: bool,
) -> AnyView {
    let (chosen, alone) = (draft.value("guest"), known.len() == 1);
    let items = known.into_iter().filter_map(|guest| {
        let value = named(&guest)?.to_string();
        // Among several, nobody is checked in by accident
        let checked = chosen == value || (chosen.is_empty() && alone);
        let name = guest.name();
        let email = guest.guest_email.map(String::from);
        let phone = guest
            .phone
            .as_deref()
            .map(dewy_domain::hotel_profile::phone_text);
        let rooms = guest.stays.iter().map(|stay| {
            let status = stay.booking_status.as_str().to_lowercase();
            format!("room {}, {status}", stay.room_number)
        });
        let more = phone.into_iter().chain(email).chain(rooms.take(1));
        let more = more.collect::<Vec<_>>().join(" · ");
        Some(view! {
            <label class="choice">
                <input type="radio" name="guest" value=value checked=checked required />
                <span>{name} " " <small>{more}</small></span>
            </label>
        })
    });
    let items = items.collect_view();
    let new = here(request, Some(("new", "1")));
    view! {
        <fieldset>
            <legend>"Guest"</legend>
            {items}
            {cut.then(|| view! { <p class="hint">"More guests match. Give more of the name, or the phone number."</p> })}
            <p><a href=new>"Somebody else: a new guest"</a></p>
        </fieldset>
    }
    .into_any()
}

/// Name, phone and email, with what was searched for in the field that it is.
fn new_guest(who: &str, draft: &FormDraft, cut: bool) -> AnyView {
    let digits = who.chars().filter(char::is_ascii_digit).count();
    let (mut first, mut last, mut phone, mut email) = ("", "", "", "");
    if who.contains('@') {
        email = who;
    } else if digits > 3 {
        phone = who;
    } else {
        (first, last) = who.rsplit_once(' ').unwrap_or(("", who));
    }
    let value = |name: &str, typed: &str| draft.value_or(name, typed);
    let cut = cut.then(|| {
        view! { <p class="hint">"Too many guests match to list. Search for more of the name, or enter a new guest."</p> }
    });
    view! {
        <fieldset>
            <legend>"New guest"</legend>
            {cut}
            <p class="hint">"Enter the name, and a phone number or an email address."</p>
            <div class="filter-fields">
                <Field name="guest_first_name" label="First name" value=value("guest_first_name", first) problem=draft.problem("guest_first_name") />
                <Field name="guest_last_name" label="Last name" value=value("guest_last_name", last) problem=draft.problem("guest_last_name") />
                <Field name="guest_phone" label="Phone" kind="tel" optional=true value=value("guest_phone", phone) problem=draft.problem("guest_phone") />
                <Field name="guest_email" label="Email" kind="email" optional=true value=value("guest_email", email) problem=draft.problem("guest_email") />
            </div>
        </fieldset>
    }
    .into_any()
}

/// Rooms that somebody can move into now, the cheapest first and chosen; then, marked, those that are
/// not ready. `None` if none is ready.
fn rooms_field(mut rooms: Vec<AvailableRoom>, draft: &FormDraft) -> Option<AnyView> {
    rooms.sort_by_key(|one| {
        (
            one.ready != Some(true),
            one.total,
            one.room_number.to_string(),
        )
    });
    rooms.first().filter(|one| one.ready == Some(true))?;
    let chosen = draft.value("room").to_owned();
    let options = rooms
        .into_iter()
        .enumerate()
        .map(|(n, one)| {
            let ready = one.ready == Some(true);
            let value = format!("{} {}", one.room_number, one.total.0);
            let selected = if chosen.is_empty() {
                n == 0
            } else {
                ready && chosen == value
            };
            let state = match one.room_status {
                _ if ready => "",
                Some(RoomStatus::Cleaning) => " · needs cleaning",
                Some(RoomStatus::Occupied) => " · still in use",
                _ => " · not ready",
            };
            let beds = one.beds.map(|beds| format!(", {beds}")).unwrap_or_default();
            let price = labels::money(one.total, one.currency);
            let words = format!(
                "{} · {}{beds} · {price}{state}",
                one.room_number, one.room_type
            );
            view! { <option value=value selected=selected disabled=!ready>{words}</option> }
        })
        .collect_view();
    Some(
        view! {
            <div class="field">
                <label for="room">"Room"</label>
                <p class="hint" id="room-hint">"Clean rooms first, the cheapest chosen. The price is for all nights; no tax is computed."</p>
                <select id="room" name="room" aria-describedby="room-hint">{options}</select>
            </div>
        }
        .into_any(),
    )
}

/// Books and checks in, and leads to the stay.
pub async fn walk_in(form: FormSubmission) -> FormResult {
    let back = form.back(Persona::Staff, PAGE);
    let user = form.sender(Persona::Staff, back).await?;
    let mut draft = form.draft(&TYPED);
    for name in ["guest", "room"] {
        draft = draft.field(name, form.get(name));
    }
    let mut input = form.input_of::<CreateBooking>();
    if let Ok(known) = serde_json::from_str::<Value>(form.get("guest")) {
        for name in KNOWN {
            if let Some(value) = known.get(name) {
                input[name] = value.clone();
            }
        }
    }
    if form.raw("whom") == "known" {
        input["guest_first_name"] = json!(form.get(KNOWN_FIRST));
        input["guest_last_name"] = json!(form.get(KNOWN_LAST));
    }
    choose_guest(&form, &mut input);
    let given = |name: &str| input.get(name).is_some();
    let named = given("guest_email") && given("guest_last_name");
    let missing = WITHOUT_EMAIL.into_iter().find(|(name, _)| !given(name));
    if let (false, false, Some((field, words))) = (named, given("same_guest_as"), missing) {
        let draft = FormDraft::invalid_field(field, words).with_fields_of(draft);
        return form.invalid(draft, FORM, back).await;
    }
    if let Some((room, total)) = form.get("room").split_once(' ') {
        input["room_number"] = json!(room);
        input["amount"] = total
            .parse::<i64>()
            .map_or_else(|_| json!(total), |sum| json!(sum));
    }
    input["check_in"] = json!(true);
    let name = name_in(&input);
    let call =
        ToolForm::new::<CreateBooking>(FORM, back, "Nothing was booked, and nobody is checked in")
            .input(input)
            .draft(draft);
    book_and_land(call, name, &form, &user).await
}
