//! Compensations: their money, the payments, and the sweep that finds orphaned ones.

mod sweep;
mod totals;

use dewy_domain::{
    compensation_totals::CompensationTotals, execution_view::CompensationItem,
    tool_catalog::ListCompensations, vocabulary::CompensationStatus,
};

use super::{
    bulk_action::{BulkAct, begin, choice},
    check_out_pause::pause_notice,
    filters::{as_file, filter_form, input, selected, truncation_notice},
    require_front_desk::require_front_desk,
    saved_views::views,
    staff_reads::{Compensations, follow_lists, read_tool},
};
use crate::pages::prelude::*;

const PAGE: &str = "/staff/compensations";
const FILTERS: [&str; 4] = ["status", "guest_email", "from", "to"];

/// Money, payments, and at the end the sweep.
pub async fn compensations_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let follows = follow_lists(&request.ctx, &user).await;
    let sweep = request
        .ctx
        .execution_feed
        .last_orphan_check(&user.caller)
        .await;
    let totals = request
        .ctx
        .execution_feed
        .compensation_totals(&user.caller)
        .await;
    let pause = pause_notice(&request.ctx, &user).await;
    let asked = input(&request, &FILTERS);
    let answer = read_tool::<ListCompensations>(&request.ctx, &user, asked, &request.here).await?;
    let (list, draft) = match answer {
        Ok(list) => (list, FormDraft::default()),
        Err(draft) => (Compensations::default(), draft),
    };
    let failed = !draft.title.is_empty();
    let stuck = list
        .rows
        .iter()
        .any(|item| item.status == CompensationStatus::NeedsAttention);
    let views = views(&request, &user, PAGE, &FILTERS).await;
    let value = |name| selected(&request, name);
    // The status has shortcuts, so it alone doesn't open the form
    let set = FILTERS[1..]
        .iter()
        .filter(|name| request.query_param(name).is_some())
        .count();
    let status = value("status");
    let fields = view! {
        {(!status.is_empty()).then(|| view! { <input type="hidden" name="status" value=status.clone() /> })}
        <Field name="guest_email" known=Known::Guests label="Guest’s email" optional=true value=value("guest_email") problem=draft.problem("guest_email") />
        <Field name="from" label="From day" kind="date" optional=true value=value("from") problem=draft.problem("from") />
        <Field name="to" label="To day" kind="date" optional=true value=value("to") problem=draft.problem("to") />
    }
    .into_any();
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <header class="beside">
            <h1>"Compensations"</h1>
            <a class="button quiet" href="/staff/refund">"Refund a payment"</a>
            {(!failed).then(|| as_file(&request, PAGE, &FILTERS))}
        </header>
        {pause}
        <div data-region="totals">
            {totals.as_ref().map(totals::money)}
            {shortcuts(totals.as_ref(), &status)}
        </div>
        {filter_form(PAGE, set, fields)}
        {views}
        {stuck.then(|| begin(BulkAct::Retry))}
        <div data-region="list" data-rows="">
            {(!failed).then(|| table(list.rows, set > 0 || !status.is_empty()))}
            {truncation_notice(list.cut, list.how_to_narrow)}
        </div>
        <div data-region="sweep">{sweep::panel(sweep)}</div>
    };
    Ok(PageLayout::new("Compensations")
        .who(&user)
        .follows(follows)
        .staff(content))
}

/// Statuses with their counts.
fn shortcuts(totals: Option<&CompensationTotals>, now: &str) -> impl IntoView + use<> {
    let link = |href: String, text: String, here: bool| {
        view! { <li><a href=href aria-current=here.then_some("page")>{text}</a></li> }
    };
    let each = labels::compensations().into_iter().map(|(status, label)| {
        let known = totals.map(|totals| totals.statuses.get(&CompensationStatus::from(status)));
        let text = match known {
            Some(count) => format!("{label} {}", count.copied().unwrap_or(0)),
            None => label.to_owned(),
        };
        link(format!("{PAGE}?status={status}"), text, now == status)
    });
    view! {
        <nav aria-label="Filter by status">
            <ul class="filters">
                {link(PAGE.to_owned(), "All".to_owned(), now.is_empty())} {each.collect_view()}
            </ul>
        </nav>
    }
}

fn table(list: Vec<CompensationItem>, filtered: bool) -> AnyView {
    if list.is_empty() {
        let text = if filtered {
            "No compensations match these filters."
        } else {
            "No payment had to be refunded. Refunds of check-outs that could not be completed are listed here."
        };
        return view! { <p class="empty">{text}</p> }.into_any();
    }
    view! {
        <ListTable
            heads=&["Status", "Guest", "Charged", "Refunded", "Asked for by", "Changed", "Payment"]
            num=&["Charged", "Refunded"]
        >
            {list.into_iter().map(row).collect_view()}
        </ListTable>
    }
    .into_any()
}

fn row(item: CompensationItem) -> impl IntoView {
    let href = format!("/staff/executions/{}", item.execution_id);
    let why = item
        .reason
        .map(|reason| view! { <small>{labels::reason(&reason).to_owned()}</small> });
    let cause =
        (!item.cause.is_empty()).then(|| view! { <small>{totals::cause(&item.cause)}</small> });
    let place = [
        item.booking_number.as_deref().map(str::to_owned),
        item.room_number.as_ref().map(|room| format!("room {room}")),
    ];
    let place = place
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(labels::DOT);
    let triggers = item
        .triggers
        .iter()
        .map(|user| view! { <li>{labels::asked_by(user)}</li> })
        .collect_view();
    let version = format!("{} {}", item.status, item.updated_at);
    let payment = item.payment_intent_id.to_string();
    let pick = (item.status == CompensationStatus::NeedsAttention)
        .then(|| choice(&item.execution_id, format!("Choose {payment}")));
    view! {
        <tr data-state=item.status.to_string() data-key=payment.clone() data-version=version>
            <td data-label="Status">
                {pick}
                <StatusBadge state=item.status.clone() word=labels::compensation(&item.status) />
                {why.map_or_else(|| cause.into_any(), IntoAny::into_any)}
            </td>
            <th scope="row" data-label="Guest">
                <a href=href>{item.guest_email.map_or_else(|| "Unknown guest".to_owned(), String::from)}</a>
                <small>{place}</small>
            </th>
            <td data-label="Charged" class="num">{labels::money(item.captured, item.currency)}</td>
            <td data-label="Refunded" class="num">{labels::money(item.refunded, item.currency)}</td>
            <td data-label="Asked for by"><ul>{triggers}</ul></td>
            <td data-label="Changed" class="num"><Ago at=item.updated_at /> " ago"</td>
            <td data-label="Payment" id=payment.clone()>
                <small><code>{payment.clone()}</code></small>
                {item.refund_id.map(|id| view! { <small><code>{id}</code></small> })}
            </td>
        </tr>
    }
}
