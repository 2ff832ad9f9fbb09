//! Actions of a person on an execution. Each describes its effect; a user without permission sees
//! the reason.

use dewy_domain::{
    execution_view::AvailableResolution,
    tool_catalog::{CompensateCheckoutFailure, PostCharge, ResolveExecution, returns},
    tool_output::CheckOutResult,
    vocabulary::AttentionReason,
};

use crate::pages::prelude::*;

/// Actions, each a link to its own page, where it is confirmed with a reason. `again`: the guest of
/// an undone check-out is still there.
pub fn acts(view: &ExecutionView, again: bool) -> AnyView {
    let again = again.then(|| again_link(view)).flatten();
    let elsewhere = (target_link(view), folio_link(view), again);
    if view.acts.is_empty() {
        let text = match (view.at_rest, &elsewhere.2) {
            (true, Some(_)) => "This check-out did not go through.",
            (true, None) => "Nothing is left to do.",
            (false, _) => "Nothing yet: it continues automatically.",
        };
        return view! { <p class="empty">{text}</p> {elsewhere} }.into_any();
    }
    let items = view.acts.iter().map(|act| one(view, act)).collect_view();
    view! { <ul class="acts">{items}</ul> {elsewhere} }.into_any()
}

fn one(view: &ExecutionView, act: &AvailableResolution) -> impl IntoView + use<> {
    let link = match &act.barred {
        Some(why) => view! { <p class="barred">"Not for you: " {why.clone()}</p> }.into_any(),
        None => {
            let href = format!(
                "/staff/executions/{}/act/{}",
                view.execution_id, act.resolution
            );
            view! { <p><a class="button quiet" id=format!("act-{}", act.resolution) href=href>{act.title.clone()} "…"</a></p> }
                .into_any()
        }
    };
    let title = act
        .barred
        .as_ref()
        .map(|_| view! { <p><strong>{act.title.clone()}</strong></p> });
    view! {
        <li data-resolution=act.resolution.to_string()>
            {title}
            <p class="will">{act.will.clone()}</p>
            {link}
        </li>
    }
}

/// Execution that a decision or a refund was about.
fn target_link(view: &ExecutionView) -> Option<impl IntoView + use<>> {
    let deciding = matches!(
        view.tool.as_str(),
        ResolveExecution::NAME | CompensateCheckoutFailure::NAME
    );
    let target = view
        .ids
        .iter()
        .map(|(_, id)| id)
        .find(|id| id.starts_with("exe_") && **id != view.execution_id)?;
    let href = format!("/staff/executions/{target}");
    deciding.then(|| view! { <p><a class="button quiet" href=href>"See the result"</a></p> })
}

/// Folio of the execution, where it helps; whoever posts a charge names a room or a booking, no
/// guest.
fn folio_link(view: &ExecutionView) -> Option<impl IntoView + use<>> {
    let booking = view.booking_number.clone()?;
    let wanted = view.tool == PostCharge::NAME || view.reason == Some(AttentionReason::OpenBalance);
    let href = match &view.guest_email {
        Some(email) => {
            let fields = [
                ("guest_email", email.as_str()),
                ("booking_number", &booking),
            ];
            page_url::with_query("/staff/charges", fields)
        }
        None => page_url::stay(&booking),
    };
    wanted.then(|| view! { <p><a href=href>"See the folio"</a></p> })
}

/// Whether the guest is still in house after a check-out that was undone, as far as the board knows;
/// it holds everybody who is.
pub async fn is_still_in_house(
    request: &PageRequest,
    user: &SignedIn,
    view: &ExecutionView,
) -> bool {
    let Some(booking) = view.booking_number.as_ref().filter(|_| is_undone(view)) else {
        return false;
    };
    // One read for all viewers, at most five seconds old; none during an outage
    let board = &request.ctx.board;
    let known = board.known(&user.caller).await;
    let snapshot = match known.failing {
        true => known.snapshot,
        false => board.snapshot(&user.caller).await.ok(),
    };
    // Unknown: the check-out's page tells
    let Some(snapshot) = snapshot else {
        return true;
    };
    let theirs = snapshot
        .bookings
        .iter()
        .find(|one| one.booking_number == *booking);
    theirs.map_or(snapshot.cut.contains(&"bookings"), |one| {
        one.booking_status == BookingStatus::CheckedIn
    })
}

/// Whether it is a check-out that was undone, or did not begin.
fn is_undone(view: &ExecutionView) -> bool {
    returns::<CheckOutResult>(&view.tool)
        && matches!(
            view.state,
            ExecutionState::Compensated | ExecutionState::Refused
        )
}

/// Check-out page of a stay whose check-out was undone: the guest still has to leave.
fn again_link(view: &ExecutionView) -> Option<impl IntoView + use<>> {
    let booking = view.booking_number.as_deref().filter(|_| is_undone(view))?;
    let href = format!("{}/check-out", page_url::stay(booking));
    Some(view! { <p><a class="button" href=href>"Check out again"</a></p> })
}

/// Amount to keep in mind before acting.
pub fn money_at_stake(view: &ExecutionView) -> Option<String> {
    let money = view.money.filter(|money| money.captured.0 > 0)?;
    Some(format!(
        "{} charged, {} refunded, {} kept.",
        labels::money(money.captured, money.currency),
        labels::money(money.refunded, money.currency),
        labels::money(money.net(), money.currency)
    ))
}
