//! Executions that only a person can resolve, oldest first; of many, the newest are listed. Texts
//! that could not be sent have a line of their own. An empty page is the goal.

use dewy_domain::{
    execution_view::ExecutionListItem, ports::AttentionView, tool_catalog::SearchExecutions,
    vocabulary::AttentionReason,
};

use super::{
    board::double_bookings,
    check_out_pause::pause_notice,
    conversations::waiting_list,
    execution_record::without_sum,
    executions::TEXTS,
    filters::truncation_notice,
    require_front_desk::require_front_desk,
    staff_reads::{follow_lists, read_or_default, read_tool},
};
use crate::{attention_summary, pages::prelude::*};

pub async fn attention_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let follows = follow_lists(&request.ctx, &user).await;
    let input = json!({ "state": ExecutionState::NeedsAttention });
    let (list, draft) = read_or_default::<SearchExecutions>(&request, &user, input).await?;
    let more = list.cut;
    let cut = truncation_notice(list.cut, list.how_to_narrow);
    let texts = unsent_texts(&request, &user).await?;
    let concierge = &request.ctx.concierge;
    let waiting = concierge.waiting_for_staff(&user.caller).await;
    let waiting = waiting.unwrap_or_default();
    let guests_wait = waiting.iter().any(|line| line.waiting_since.is_some());
    let snapshot = request.ctx.board.latest(&user.caller).await.snapshot;
    let booked_twice = snapshot.as_deref().and_then(double_bookings);
    let waiting = (!waiting.is_empty()).then(|| waiting_list(&waiting, snapshot.as_deref()));
    let items = with_views(&request.ctx, &user, list.rows).await;
    let refused = !attention_summary::seen().refused.is_empty();
    let lead = match items.len() {
        0 if guests_wait || refused || booked_twice.is_some() => {
            "No payments or stays need attention.".to_owned()
        }
        0 => "Nothing needs attention.".to_owned(),
        1 => "1 item needs attention.".to_owned(),
        n if more => {
            format!("These are the newest {n} that need attention, oldest first.")
        }
        n => format!("{n} items need attention, oldest first."),
    };
    let due_elsewhere = request.ctx.execution_feed.due_elsewhere(&user.caller).await;
    let pause = pause_notice(&request.ctx, &user).await;
    let flash = Flash::take(&*request.ctx.authenticator).await;
    let content = view! {
        <ErrorSummary draft=draft />
        {flash.map(Flash::view)}
        <h1>"Needs attention"</h1>
        {pause}
        <div data-region="refused">{refused_access(&attention_summary::seen())}</div>
        <div data-region="waiting">{waiting}</div>
        <div data-region="booked-twice">{booked_twice}</div>
        <div data-region="list" data-rows="">
            <p class="lead">{lead}</p>
            <ol class="attention">{items.into_iter().map(|(item, view)| entry(item, view.as_ref())).collect_view()}</ol>
            {cut}
            {texts}
        </div>
        <div data-region="left-alone">{other_releases(&due_elsewhere)}</div>
    };
    Ok(PageLayout::new("Needs attention")
        .who(&user)
        .follows(follows)
        .staff(content))
}

/// Outside systems that refuse our access.
fn refused_access(view: &AttentionView) -> Option<AnyView> {
    let item = |(name, code): &(&'static str, String)| {
        view! { <li>{attention_summary::refusal(name, code)}</li> }
    };
    (!view.refused.is_empty()).then(|| {
        view! {
            <section class="notice" role="status" aria-labelledby="refused">
                <h2 id="refused">"An operator has to fix our access"</h2>
                <ul>{view.refused.iter().map(item).collect_view()}</ul>
                <p><a href="/staff/systems">"See Outside systems"</a></p>
            </section>
        }
        .into_any()
    })
}

/// Line about the texts that could not be sent: they are no payments and no stays.
async fn unsent_texts(
    request: &PageRequest,
    user: &SignedIn,
) -> Result<Option<AnyView>, PageError> {
    let input = json!({ "state": ExecutionState::NeedsAttention, "tool": TEXTS });
    let texts = read_tool::<SearchExecutions>(&request.ctx, user, input, &request.here).await?;
    let Ok(texts) = texts else {
        return Ok(None);
    };
    let href = format!(
        "/staff/executions?state={}&tool={TEXTS}",
        ExecutionState::NeedsAttention
    );
    Ok(counted_texts(texts.rows.len(), texts.cut)
        .map(|words| view! { <p class="aside"><a href=href>{words}</a> "."</p> }.into_any()))
}

fn counted_texts(count: usize, more: bool) -> Option<String> {
    match (count, more) {
        (0, _) => None,
        (n, true) => Some(format!("More than {n} texts could not be sent")),
        (1, false) => Some("One text could not be sent".to_owned()),
        (n, false) => Some(format!("{n} texts could not be sent")),
    }
}

/// Executions that wait for another release, with the reason. They usually continue by themselves
/// during a deployment, so they are not counted among those that need a person.
fn other_releases(due_elsewhere: &[ExecutionView]) -> Option<impl IntoView + use<>> {
    let items = due_elsewhere
        .iter()
        .map(|view| {
            let href = format!("/staff/executions/{}", view.execution_id);
            view! {
                <li>
                    <p><a href=href>{view.title.clone()}</a> ", since " <Timestamp at=view.updated_at /></p>
                    <p class="aside">{view.next.clone()}</p>
                </li>
            }
        })
        .collect_view();
    (!due_elsewhere.is_empty()).then(|| {
        view! {
            <section aria-labelledby="left-alone">
                <h2 id="left-alone">"Waiting for another release"</h2>
                <ul>{items}</ul>
            </section>
        }
    })
}

/// Full view of each execution, for the money and the actions; oldest first.
async fn with_views(
    ctx: &PageContext,
    user: &SignedIn,
    mut items: Vec<ExecutionListItem>,
) -> Vec<(ExecutionListItem, Option<ExecutionView>)> {
    items.sort_by_key(|item| item.created_at);
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        let view = ctx.execution(&user.caller, &item.execution_id).await;
        all.push((item, view));
    }
    all
}

fn entry(item: ExecutionListItem, view: Option<&ExecutionView>) -> impl IntoView + use<> {
    let href = format!("/staff/executions/{}", item.execution_id);
    let reason = item.reason.clone().unwrap_or_default();
    let stake = view.and_then(|view| view.money).map(|money| {
        let (cents, word) = match view.and_then(ExecutionView::at_stake) {
            None if reason == AttentionReason::OpenBalance => {
                (money.net(), "was paid; the rest is open")
            }
            None => (money.refunded, "refunded outside this program"),
            Some(Cents(0)) => (money.refunded, "given back, nothing at stake"),
            Some(cents) => (cents, "at stake"),
        };
        let text = labels::money(cents, money.currency);
        view! { <p class="stake"><strong>{text}</strong> " " {word}</p> }
    });
    let unknown = || view.map_or_else(|| "The money isn't known.".to_owned(), without_sum);
    let stake = stake.map_or_else(
        || view! { <p class="stake">{unknown()}</p> }.into_any(),
        IntoAny::into_any,
    );
    let place = labels::place(
        item.guest_email.as_deref(),
        item.booking_number.as_deref(),
        item.room_number.as_deref(),
    );
    let main = view
        .and_then(|view| view.acts.iter().find(|act| act.barred.is_none()))
        .map(|act| {
            let to = format!("{href}/act/{}", act.resolution);
            view! { <a class="button" href=to>{act.title.clone()}</a> }
        });
    let version = item.updated_at.to_string();
    let label = format!(
        "Open {} of {}",
        item.title,
        item.guest_email.as_deref().unwrap_or(&item.execution_id)
    );
    view! {
        <li data-key=item.execution_id.clone() data-version=version>
            <div class="why">
                <h2><a id=item.execution_id.clone() href=href.clone()>{labels::reason(&reason).to_owned()}</a></h2>
                <p>{item.title.clone()} {(!place.is_empty()).then(|| format!("{}{place}", labels::DOT))}</p>
                {item.due_by.map(|due| view! { <p class="due">"Answer by " <Timestamp at=due /></p> })}
                <p class="aside">"Waiting for " <Ago at=item.updated_at /> ". " <code>{reason.to_string()}</code></p>
            </div>
            {stake}
            <p class="actions">
                {main}
                <a href=href aria-label=label>"Open"</a>
            </p>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsent_texts_have_their_own_count() {
        let labels = [(0, false), (1, false), (2, false), (2, true)];
        let labels = labels.map(|(count, more)| counted_texts(count, more).unwrap_or_default());
        let words = "could not be sent";
        assert_eq!(
            labels,
            [
                String::new(),
                format!("One text {words}"),
                format!("2 texts {words}"),
                format!("More than 2 texts {words}")
            ]
        );
    }
}
