//! Home page for guests: the stay, with the next action as one big button.

use dewy_domain::{
    execution_view::GuestActivity, ports::GUEST_ACTIVITIES, stay_overview::StayBalance,
};

use super::{
    activity_labels,
    event_stream::guest_event_stream_with,
    guest_stay::GuestStay,
    home_card::card,
    key_card::key_card,
    next_action::NextAction,
    own_requests::OwnRequest,
    read_folio::{FolioLookup, read_folio},
    request_template::lost_in,
    task_chips::{Chip, chips},
};
use crate::pages::{
    account::refused_texts,
    prelude::*,
    public::{StayPhase, hotel_information},
    read_tools::stop,
};

/// Home page. One exchange with the CRM, and occasionally the shared snapshot refresh.
pub async fn home_page(request: PageRequest) -> PageResult {
    let (now, today) = (hotel_time::now(), hotel_time::hotel_day());
    let user = request.signed_in(Persona::Guest).await?;
    let (Some(now), Some(today)) = (now, today) else {
        return Err(ErrorPage::of(ErrorCode::Internal, Persona::Guest, &request.here).into());
    };
    let feed = &request.ctx.execution_feed;
    let activities = feed.activities(&user.caller, GUEST_ACTIVITIES).await;
    let follows = guest_event_stream_with(&request.ctx, &user, &activities).await;
    let (overview, flash) = futures::join!(
        request.ctx.dispatcher.stay_overview(&user.caller),
        take_flash(&request)
    );
    let overview = overview.map_err(|error| stop((error.code, error.details), &request.here))?;
    let stays: Vec<GuestStay> = overview.stays.into_iter().map(GuestStay::from).collect();
    let next = NextAction::of(
        &stays,
        &activities,
        request.query_param("booking"),
        today,
        now,
    );
    let balance = balance(&request, &user, &next, overview.balances).await?;
    let requests: Vec<_> = overview.requests.into_iter().map(OwnRequest).collect();
    let content = view! {
        <h1>{greeting(&user)}</h1>
        {refused_texts(&request.ctx, false).await}
        <div data-region="under-way">{activities_in_progress(&activities)}</div>
        <div data-region="stay">{card(&next, balance, &activities)}</div>
        <div data-region="key">{key_card(&next, &user)}</div>
        {place_of(&next)}
        <div data-region="below">{below(&next, &requests)}</div>
    };
    Ok(PageLayout::new(t!("home-title"))
        .who(&user)
        .flash(flash)
        .follows(follows)
        .guest(content))
}

/// Result of the previous form; not for the island, which doesn't show it.
async fn take_flash(request: &PageRequest) -> Option<Flash> {
    if request.live() {
        None
    } else {
        Flash::take(&*request.ctx.authenticator).await
    }
}

/// Balance of the stay that may be checked out. One that the overview lacks is read alone, which
/// tells an incomplete folio from a stay that has just ended.
async fn balance(
    request: &PageRequest,
    user: &SignedIn,
    next: &NextAction,
    balances: Vec<StayBalance>,
) -> Result<Option<StayBalance>, PageError> {
    let Some(booking) = next.booking().filter(|_| next.may_check_out()) else {
        return Ok(None);
    };
    let known = |balance: &StayBalance| balance.booking_number == booking;
    if let Some(balance) = balances.into_iter().find(known) {
        return Ok(Some(balance));
    }
    Ok(
        match read_folio(&request.ctx, user, Some(booking), &request.here).await? {
            FolioLookup::One(folio) => folio.balance.map(|balance| StayBalance {
                booking_number: folio.booking_number,
                balance,
                currency: folio.currency,
            }),
            FolioLookup::Several(_) | FolioLookup::None => None,
        },
    )
}

fn greeting(user: &SignedIn) -> String {
    if user.first_name.is_empty() {
        t!("home-welcome").to_owned()
    } else {
        t!("home-welcome-name", name = user.first_name.as_str())
    }
}

/// Running executions, and those that need a person.
fn activities_in_progress(activities: &[GuestActivity]) -> AnyView {
    let open = activities
        .iter()
        .filter(|activity| activity.state.is_open());
    let items = open.take(3).map(|activity| {
        let href = format!("/guest/execution/{}", activity.execution_id);
        view! {
            <li>
                <StatusBadge state=activity.state.clone() word=labels::state_for_guest(&activity.state) />
                <a href=href>{activity_labels::title(&activity.tool)}</a>
            </li>
        }
    });
    let items: Vec<_> = items.collect();
    if items.is_empty() {
        return ().into_any();
    }
    view! { <ul class="under-way">{items}</ul> }.into_any()
}

/// What to know about the place, before and during a stay.
fn place_of(next: &NextAction) -> AnyView {
    match next {
        NextAction::CheckedIn(_) | NextAction::DueOut(_) | NextAction::ChooseStay(_) => {
            hotel_information(StayPhase::Inside)
        }
        NextAction::ArrivingToday(_) | NextAction::Upcoming(..) => {
            hotel_information(StayPhase::Before)
        }
        NextAction::CheckedOut(..) | NextAction::NoBooking => ().into_any(),
    }
}

/// Other actions, and open requests.
fn below(next: &NextAction, requests: &[OwnRequest]) -> AnyView {
    let wishes = match next {
        NextAction::CheckedIn(stay) => vec![
            Chip::request("towels"),
            Chip::request("broken"),
            Chip::request("food"),
            Chip::to(
                page_url::booking(&stay.booking_number, "change"),
                t!("stay-longer"),
            ),
        ],
        NextAction::DueOut(stay) => vec![
            Chip::request("late"),
            Chip::request("taxi"),
            Chip::request("luggage"),
            Chip::to(
                page_url::booking(&stay.booking_number, "change"),
                t!("stay-longer"),
            ),
        ],
        NextAction::ArrivingToday(stay) | NextAction::Upcoming(stay, _) => vec![
            Chip::request("wish"),
            Chip::request("taxi"),
            Chip::to(
                page_url::booking(&stay.booking_number, "cancel"),
                t!("home-cancel"),
            ),
        ],
        NextAction::CheckedOut(stay, ..) => {
            let room = stay.as_ref().and_then(|stay| stay.room_number.as_deref());
            let lost = lost_in(room, next.booking());
            vec![Chip::to(lost, t!("ask-lost")), Chip::request("question")]
        }
        NextAction::ChooseStay(_) => vec![Chip::request("towels"), Chip::request("broken")],
        NextAction::NoBooking => Vec::new(),
    };
    let chips = (!wishes.is_empty()).then(|| {
        view! {
            <section aria-labelledby="wishes">
                <h2 id="wishes">{t!("home-anything")}</h2>
                {chips(wishes, None)}
            </section>
        }
    });
    let open = (!requests.is_empty()).then(|| {
        let items = requests
            .iter()
            .take(3)
            .map(OwnRequest::list_item)
            .collect_view();
        view! {
            <section aria-labelledby="open">
                <h2 id="open">{t!("home-asked")}</h2>
                <ul class="requests">{items}</ul>
                <p class="more"><a href="/guest/requests">{t!("see-requests")}</a></p>
            </section>
        }
    });
    view! { {open} {chips} }.into_any()
}
