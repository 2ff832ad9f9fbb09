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
    filters::{Filters, truncation_notice},
    require_front_desk::require_front_desk,
    saved_views::views,
    staff_reads::{follow_lists, read_or_default},
};
use crate::pages::prelude::*;

const PAGE: &str = "/staff/compensations";
const FILTERS: [&str; 4] = ["status", "guest_email", "from", "to"];

/// Money, payments, and at the end the sweep.
pub async fn compensations_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let follows = follow_lists(&request.ctx, &user).await;
    let feed = &request.ctx.execution_feed;
    let sweep = feed.last_orphan_check(&user.caller).await;
    let totals = feed.compensation_totals(&user.caller).await;
    let pause = pause_notice(&request.ctx, &user).await;
    let filters = Filters::of(&request, PAGE, &FILTERS);
    let (list, draft) =
        read_or_default::<ListCompensations>(&request, &user, filters.input()).await?;
    let readable = draft.title.is_empty();
    let stuck = list
        .rows
        .iter()
        .any(|item| item.status == CompensationStatus::NeedsAttention);
    let views = views(filters, &user).await;
    let status = filters.value("status");
    let fields = view! {
        {(!status.is_empty()).then(|| hidden([("status", status.clone())]))}
        <Field name="guest_email" known=Known::Guests label="Guest’s email" optional=true value=filters.value("guest_email") problem=draft.problem("guest_email") />
        {filters.days(&draft)}
    };
    let refund = view! { <a class="button quiet" href="/staff/refund">"Refund a payment"</a> };
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        {filters.heading("Compensations", refund, readable)}
        {pause}
        <div data-region="totals">
            {totals.as_ref().map(totals::money)}
            {shortcuts(totals.as_ref(), &status)}
        </div>
        // The status has shortcuts, so it alone doesn't open the form
        {filters.form("status", fields)}
        {views}
        {stuck.then(|| begin(BulkAct::Retry))}
        <div data-region="list" data-rows="">
            {readable.then(|| table(list.rows, !filters.given().is_empty()))}
            {truncation_notice(list.cut, list.how_to_narrow)}
        </div>
        <div data-region="sweep">{sweep::panel(sweep)}</div>
    };
    Ok(PageLayout::new("Compensations")
        .who(&user)
        .follows(follows)
        .staff(content))
}

fn shortcuts(totals: Option<&CompensationTotals>, now: &str) -> AnyView {
    let each = labels::compensations().into_iter().map(|(status, label)| {
        let known = totals.map(|totals| totals.statuses.get(&CompensationStatus::from(status)));
        Chip {
            href: format!("{PAGE}?status={status}"),
            label: match known {
                Some(count) => format!("{label} {}", count.copied().unwrap_or(0)),
                None => label.to_owned(),
            },
            is_current: now == status,
            ..Chip::default()
        }
    });
    let all = Chip {
        href: PAGE.to_owned(),
        label: "All".to_owned(),
        is_current: now.is_empty(),
        ..Chip::default()
    };
    chips(
        "Filter by status",
        "filters",
        "page",
        [all].into_iter().chain(each),
    )
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
    let place = labels::place(
        None,
        item.booking_number.as_deref(),
        item.room_number.as_deref(),
    );
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
