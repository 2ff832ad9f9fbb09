//! Search for available rooms and their prices.

use dewy_domain::tool_output::AvailableRoom;

use crate::pages::{
    prelude::*,
    public::{ROOM_TYPES, StayQuery, all_kinds, free_rooms, search, search_rooms, too_small_for},
    read_tools::stop,
};

pub async fn book_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let today = request.today()?;
    let kind = request
        .query_param("room_type")
        .filter(|kind| ROOM_TYPES.iter().any(|(name, _)| name == kind))
        .map(str::to_owned);
    let asked = StayQuery::from_url(&request);
    let read = asked.as_ref().map(|wanted| wanted.read(today));
    let wanted = asked.unwrap_or_else(|| StayQuery::suggestion(today));
    let (draft, found) = match read {
        None => {
            let inventory = &*request.ctx.public_inventory;
            let kind = kind.as_deref().unwrap_or_default();
            let all = all_kinds(inventory, "/guest/book", kind, &wanted).await;
            (FormDraft::default(), all)
        }
        Some(Err(draft)) => (*draft, ().into_any()),
        Some(Ok((stay, count))) => {
            let rooms = search_rooms(&request.ctx, &user, stay, count, kind.as_deref()).await;
            let rooms = rooms.map_err(|no| stop(no, &request.here))?;
            // Either the nights are unavailable, or the party is too large for a room
            let largest = match rooms.as_slice() {
                [] => too_small_for(&request.ctx, &user, stay, count).await,
                _ => None,
            };
            let dates = date_range(stay.from, stay.to);
            let summary = [dates, nights(stay.count()), people(count)].join(", ");
            let found = match largest {
                Some(sleeps) => too_many(count, sleeps, summary),
                None => results(rooms, &wanted, summary),
            };
            (FormDraft::default(), found)
        }
    };
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <h1>{t!("find-room")}</h1>
        {search("/guest/book", &wanted, kind.as_deref().unwrap_or_default(), &draft)}
        {found}
    };
    Ok(PageLayout::new(t!("find-room")).who(&user).guest(content))
}

/// No room is large enough, so other dates don't help, but several rooms do.
fn too_many(count: i64, sleeps: i64, summary: String) -> AnyView {
    let hotel = hotel();
    let phone = hotel.phone.clone().zip(hotel.phone_link());
    let ask_link =
        view! { <a href="/guest/requests?ask=question#ask">{t!("book-ask-them")}</a> }.into_any();
    let asked = match phone {
        Some((phone, link)) => {
            let phone = view! { <a class="phone" href=link>{phone}</a> }.into_any();
            rich(
                "book-ask-or-call",
                vec![("ask", ask_link), ("phone", phone)],
                &[],
            )
        }
        None => rich("book-ask", vec![("ask", ask_link)], &[]),
    };
    view! {
        <section aria-labelledby="free">
            <h2 id="free">{t!("no-room-so-large", people = people(count))}</h2>
            <p>
                {summary} ". " {t!("book-too-many", people = people(sleeps))} " " {asked}
            </p>
        </section>
    }
    .into_any()
}

fn results(rooms: Vec<AvailableRoom>, wanted: &StayQuery, summary: String) -> AnyView {
    if rooms.is_empty() {
        return view! {
            <section aria-labelledby="free">
                <h2 id="free">{t!("rooms-none")}</h2>
                <p>{summary} ". " {t!("other-dates")}</p>
            </section>
        }
        .into_any();
    }
    free_rooms(rooms, summary, wanted)
}
