//! Compensations: their money, the payments, and the sweep that finds orphaned ones.

mod row;
mod sweep;
mod totals;

use dewy_domain::{
    compensation_totals::CompensationTotals, execution_view::CompensationItem,
    tool_catalog::ListCompensations, vocabulary::CompensationStatus,
};

use super::{
    board::{Notice, notice},
    bulk_action::{BulkAct, begin},
    check_out_pause::pause_notice,
    filters::{Filters, truncation_notice},
    require_front_desk::require_front_desk,
    saved_views::views,
    staff_reads::{follow_lists, read_or_default},
};
use crate::{pages::prelude::*, vendor_pages::VendorPages};

pub const PAGE: &str = "/staff/compensations";
const FILTERS: [&str; 4] = ["status", "guest_email", "from", "to"];

/// Money, payments, and at the end the sweep.
pub async fn compensations_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let follows = follow_lists(&request.ctx, &user).await;
    let feed = &request.ctx.execution_feed;
    let sweep = feed.last_orphan_check(&user.caller).await;
    let totals = feed.compensation_totals(&user.caller).await;
    let pause = pause_notice(&request.ctx, &user).await;
    let flash = Notice::take(&request, "compensations").await;
    let filters = Filters::of(&request, PAGE, &FILTERS);
    let (list, draft) =
        read_or_default::<ListCompensations>(&request, &user, filters.input()).await?;
    let readable = draft.title.is_empty();
    let stuck = list
        .rows
        .iter()
        .any(|item| item.status == CompensationStatus::NeedsAttention);
    let views = views(filters, &user).await;
    // Names are shown as far as they are known without asking Salesforce
    let board = request.ctx.board.known(&user.caller).await.snapshot;
    let status = filters.value("status");
    let fields = view! {
        {(!status.is_empty()).then(|| hidden([("status", status.clone())]))}
        <Field name="guest_email" known=Known::Guests label="Guest’s email" optional=true value=filters.value("guest_email") problem=draft.problem("guest_email") />
        {filters.days(&draft)}
    };
    let refund = view! { <a class="button quiet" href="/staff/refund">"Refund a payment"</a> };
    let content = view! {
        {notice(flash)}
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
            {readable.then(|| table(list.rows, (totals.as_ref(), board.as_deref()), !filters.given().is_empty()))}
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

fn table(
    list: Vec<CompensationItem>,
    (totals, board): (Option<&CompensationTotals>, Option<&HotelSnapshot>),
    filtered: bool,
) -> AnyView {
    if list.is_empty() {
        let text = if filtered {
            "No compensations match these filters."
        } else {
            "No payment had to be refunded. Refunds of check-outs that could not be completed are listed here."
        };
        return view! { <p class="empty">{text}</p> }.into_any();
    }
    let vendors = VendorPages::here();
    let rows = list.into_iter().map(|item| {
        let bookings = board.map_or(&[][..], |board| &board.bookings);
        let stay = bookings
            .iter()
            .find(|stay| item.booking_number.as_ref() == Some(&stay.booking_number));
        let name = stay.and_then(|stay| stay.guest_name.clone());
        let pending =
            totals.is_some_and(|totals| totals.pending_payments.contains(&item.payment_intent_id));
        row::row(item, name, pending, &vendors)
    });
    let rows = rows.collect_view();
    view! {
        <ListTable
            class="compensations"
            heads=&["Guest", "What happened", "Charged", "Refunded", "Requested by", "Changed", "Records"]
            num=&["Charged", "Refunded"]
        >
            {rows}
        </ListTable>
    }
    .into_any()
}
