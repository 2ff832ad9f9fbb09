//! The newest executions.

use std::sync::Arc;

use dewy_domain::{caller::Persona, ports::Clock, view::ListItem};
use jiff::Timestamp;
use leptos::prelude::*;

use crate::{
    components::Pill,
    layout,
    page::{Stop, Visit, page},
    words,
};

/// States worth a filter of their own, the pressing ones first.
const FILTERS: [&str; 8] =
    ["needs_attention", "retrying", "compensating", "running", "waiting", "compensated", "refused", "completed"];

/// A table of them, narrowed by state; the filter is in the address.
#[component]
pub fn ExecutionsPage() -> impl IntoView {
    let now = use_context::<Arc<dyn Clock>>().map(|clock| clock.now());
    page(move |visit: Visit| async move {
        let who = visit.gate.admit(Persona::Staff, &visit.here).await?;
        let chosen = visit.asked("state").map(ToOwned::to_owned);
        if chosen.as_deref().is_some_and(|state| !FILTERS.contains(&state) && state != "queued") {
            return Err(Stop::Go("/staff/executions".to_owned()));
        }
        let list = visit.gate.watch.executions(&who.caller, chosen.as_deref()).await;
        let content = view! {
            <h1>"Executions"</h1>
            {filters(chosen.as_deref())}
            {table(list, chosen.as_deref(), now)}
        };
        Ok(layout::staff("Executions", Some(&who), visit.gate.demo(), content))
    })
}

fn filters(chosen: Option<&str>) -> impl IntoView + use<> {
    let link = |href: String, text: &'static str, here: bool| {
        view! {
            <li>
                <a href=href aria-current=here.then_some("page")>
                    {text}
                </a>
            </li>
        }
    };
    let each = FILTERS
        .map(|state| link(format!("/staff/executions?state={state}"), words::state(state), chosen == Some(state)));
    view! {
        <nav aria-label="Filter by state">
            <ul class="filters">{link("/staff/executions".to_owned(), "All", chosen.is_none())} {each.into_iter().collect_view()}</ul>
        </nav>
    }
}

fn table(list: Vec<ListItem>, chosen: Option<&str>, now: Option<Timestamp>) -> AnyView {
    if list.is_empty() {
        let text = match chosen {
            Some("needs_attention") => "Nothing needs a person. That is how it should be.".to_owned(),
            Some(state) => format!("No execution is in the state “{}”.", words::state(state)),
            None => {
                "Nothing has been asked for yet. Check-outs by guests, staff and other programs will be listed here."
                    .to_owned()
            }
        };
        return view! { <p class="empty">{text}</p> }.into_any();
    }
    view! {
        <div class="scroll" tabindex="0" role="region" aria-label="Executions">
            <table class="list">
                <thead>
                    <tr>
                        <th scope="col">"State"</th>
                        <th scope="col">"What"</th>
                        <th scope="col">"Guest"</th>
                        <th scope="col">"Booking"</th>
                        <th scope="col">"Room"</th>
                        <th scope="col">"Age"</th>
                    </tr>
                </thead>
                <tbody>{list.into_iter().map(|item| row(item, now)).collect_view()}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(item: ListItem, now: Option<Timestamp>) -> impl IntoView {
    let href = format!("/staff/executions/{}", item.execution_id);
    let reason = item.reason.map(|reason| view! { <small>{words::reason(&reason).to_owned()}</small> });
    let moment = words::moment(item.created_at);
    let age = now.map_or_else(|| moment.clone(), |now| age(item.created_at, now));
    view! {
        <tr data-state=item.state.clone()>
            <td>
                <Pill state=item.state.clone() word=words::state(&item.state) />
            </td>
            <th scope="row">
                <a href=href>{item.title}</a>
                {reason}
            </th>
            <td>{item.guest_email}</td>
            <td>{item.booking_number}</td>
            <td>{item.room_number}</td>
            <td>
                <time datetime=item.created_at.to_string() title=moment>
                    {age}
                </time>
            </td>
        </tr>
    }
}

/// `12 s`, `5 min`, `3 h`, `2 d`.
fn age(since: Timestamp, now: Timestamp) -> String {
    match now.as_second().saturating_sub(since.as_second()).max(0) {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds / 60),
        seconds @ 3600..86_400 => format!("{} h", seconds / 3600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_short() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        for (since, text) in [("12:00:01Z", "0 s"), ("11:59:48Z", "12 s"), ("11:55:00Z", "5 min"), ("09:00:00Z", "3 h")]
        {
            assert_eq!(age(format!("2026-11-20T{since}").parse().unwrap(), now), text);
        }
    }
}
