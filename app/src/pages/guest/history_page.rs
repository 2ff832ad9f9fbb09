//! History of the stays: what happened and when, in plain words.

use dewy_domain::vocabulary::CaseFilter;

use super::{
    as_of_line::AsOf,
    guest_stay::GuestStay,
    own_requests::own_requests,
    stay_events::{StoryEvent, events},
};
use crate::pages::{prelude::*, read_tools::stop};

/// Number of recent executions shown.
const MAX_EXECUTIONS: usize = 50;

/// History by day, latest first. Two CRM calls.
pub async fn story_page(request: PageRequest) -> PageResult {
    let clock = HotelClock::here();
    let user = request.signed_in(Persona::Guest).await?;
    let today = request.today()?;
    let feed = &request.ctx.execution_feed;
    let (stays, requests, activities) = futures::join!(
        GuestStay::all(&request.ctx, &user),
        own_requests(&request.ctx, &user, CaseFilter::All),
        feed.activities(&user.caller, MAX_EXECUTIONS)
    );
    let stays = stays.map_err(|no| stop(no, &request.here))?;
    let events = events(
        &stays,
        &requests.unwrap_or_default(),
        &activities,
        &clock,
        today,
    );
    let content = view! {
        <h1>{t!("story-title")}</h1>
        <AsOf />
        {by_day(events)}
    };
    Ok(PageLayout::new(t!("story-title")).who(&user).guest(content))
}

fn by_day(events: Vec<StoryEvent>) -> AnyView {
    if events.is_empty() {
        return view! { <p class="empty">{t!("story-empty")}</p> }.into_any();
    }
    let mut days: Vec<(String, Vec<StoryEvent>)> = Vec::new();
    for event in events {
        let date = event.day.to_string();
        match days.last_mut() {
            Some((last, there)) if *last == date => there.push(event),
            _ => days.push((date, vec![event])),
        }
    }
    let days = days.into_iter().map(|(date, events)| {
        let id = format!("day-{date}");
        let items = events.into_iter().map(item).collect_view();
        view! {
            <section aria-labelledby=id.clone()>
                <h2 id=id.clone()>{day(&date)}</h2>
                <ol class="steps">{items}</ol>
            </section>
        }
    });
    view! { <div class="story">{days.collect_view()}</div> }.into_any()
}

fn item(event: StoryEvent) -> AnyView {
    let link = event
        .link
        .map(|(href, words)| view! { <a href=href>{words}</a> });
    view! {
        <li data-state=event.state>
            <div class="step" data-state=event.state>
                <span class="mark">
                    <Icon state=event.state />
                </span>
                <div>
                    <p class="title">{event.text}</p>
                    <p class="when">{event.time.map(|time| view! { <span>{time}</span> })} {link}</p>
                </div>
            </div>
        </li>
    }
    .into_any()
}
