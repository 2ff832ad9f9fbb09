//! Refunded payments, refunds in progress, and the sweep that finds orphaned payments.

use std::collections::BTreeMap;

use dewy_domain::{
    execution_view::CompensationItem, orphan_check_view::OrphanCheckView,
    tool_catalog::ListCompensations, vocabulary::CompensationStatus,
};
use leptos::prelude::*;

use super::{
    bulk_action::{BulkAct, begin, choice},
    filters::{as_file, filter_form, input, selected, truncation_notice},
    require_front_desk::require_front_desk,
    saved_views::views,
    staff_reads::{Compensations, follow_lists, read_tool},
};
use crate::{
    components::{Ago, ErrorSummary, Field, ListTable, Select, StatusBadge, Until},
    field_suggestions::Known,
    form_draft::FormDraft,
    labels,
    layout::PageLayout,
    render_page::{PageRequest, page},
};

const PAGE: &str = "/staff/compensations";
/// Status of a compensation that waits for a person.
const FILTERS: [&str; 4] = ["status", "guest_email", "from", "to"];

/// The sweep at the top, then the table.
#[component]
pub fn CompensationsPage() -> impl IntoView {
    page(|request: PageRequest| async move {
        let user = require_front_desk(&request).await?;
        let follows = follow_lists(&request.ctx, &user).await;
        let sweep = request
            .ctx
            .execution_feed
            .last_orphan_check(&user.caller)
            .await;
        let asked = input(&request, &FILTERS);
        let answer =
            read_tool::<ListCompensations>(&request.ctx, &user, asked, &request.here).await?;
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
        let set = FILTERS
            .iter()
            .filter(|name| request.query_param(name).is_some())
            .count();
        let fields = view! {
            <Select name="status" label="Status" any=true options=labels::compensations() value=value("status") />
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
            <section class="sweep" aria-labelledby="sweep">
                <h2 id="sweep">"Sweep"</h2>
                <div data-region="sweep">{sweep_facts(sweep)}</div>
            </section>
            {filter_form(PAGE, set, fields)}
            {views}
            {stuck.then(|| begin(BulkAct::Retry))}
            <div data-region="list" data-rows="">
                {(!failed).then(|| table(list.rows, set > 0))}
                {truncation_notice(list.cut, list.how_to_narrow)}
            </div>
        };
        Ok(PageLayout::new("Compensations")
            .who(&user)
            .follows(follows)
            .staff(content))
    })
}

fn sweep_facts(sweep: Option<OrphanCheckView>) -> AnyView {
    let Some(sweep) = sweep else {
        return view! { <p class="empty">"The status of the orphan-payment job is unknown right now."</p> }
            .into_any();
    };
    let last = match sweep.last_run_at {
        Some(at) => view! { <Ago at=at /> " ago" }.into_any(),
        None => view! { "Not yet" }.into_any(),
    };
    let next = match sweep.next_run_at {
        Some(at) => view! { "in " <Until at=at /> }.into_any(),
        None => view! { "Not planned" }.into_any(),
    };
    let first = sweep.reported_only.then(|| {
        view! { <p class="notice">"This was the first run of this installation, which only reports. The next one acts on what it finds."</p> }
    });
    let failures = (!sweep.failures.is_empty()).then(|| {
        let each = sweep.failures.into_iter().map(|failure| view! { <li>{failure}</li> }).collect_view();
        view! { <p>"These could not be judged and are looked at again:"</p> <ul class="reason">{each}</ul> }
    });
    let others = others(sweep.foreign, &sweep.other_installations);
    let trouble = sweep
        .error
        .map(|why| view! { <p class="reason">"The last run stopped early: " {why}</p> });
    view! {
        <dl class="facts counts">
            <div><dt>"Last run"</dt> <dd>{last}</dd></div>
            <div><dt>"Payments checked"</dt> <dd>{sweep.looked_at}</dd></div>
            <div><dt>"Orphans found"</dt> <dd>{sweep.found}</dd></div>
            <div><dt>"Compensations started"</dt> <dd>{sweep.fixed}</dd></div>
            <div><dt>"For a person to decide"</dt> <dd>{sweep.flagged}</dd></div>
            <div><dt>"Undecided"</dt> <dd>{sweep.failed}</dd></div>
            <div><dt>"Next run"</dt> <dd>{next}</dd></div>
        </dl>
        {first}
        {trouble}
        {failures}
        {others}
    }
    .into_any()
}

/// Other programs and installations that take payments on the account.
fn others(foreign: u64, installations: &BTreeMap<String, u32>) -> Option<AnyView> {
    let programs = match foreign {
        0 => None,
        1 => Some(
            "1 payment of another program was seen on this Stripe account; it is left alone."
                .to_owned(),
        ),
        n => Some(format!(
            "{n} payments of other programs were seen on this Stripe account; they are left alone."
        )),
    };
    let each = installations.iter().map(|(id, n)| {
        let text = format!("{n} of the payments looked at belong to installation {id}; they are left alone. Is its store lost? An operator can take them over: ");
        view! { <p class="aside">{text} <code>{format!("dewy adopt {id}")}</code></p> }
    });
    let each = each.collect_view();
    (programs.is_some() || !installations.is_empty()).then(|| {
        view! { {programs.map(|text| view! { <p class="aside">{text}</p> })} {each} }.into_any()
    })
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
            heads=&["Status", "Payment", "Guest", "Charged", "Refunded", "Asked for by", "Changed"]
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
    let cause = match item.cause.as_str() {
        "" => None,
        "not_applied" => {
            Some(view! { <small>"A change was not applied in time"</small> }.into_any())
        }
        code => Some(view! { <small><code>{code.to_owned()}</code></small> }.into_any()),
    };
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
                {why}
            </td>
            <th scope="row" data-label="Payment">
                <a id=payment.clone() href=href>{payment.clone()}</a>
                {item.refund_id.map(|id| view! { <small><code>{id}</code></small> })}
                {cause}
            </th>
            <td data-label="Guest">{item.guest_email.map(String::from)} <small>{place}</small></td>
            <td data-label="Charged" class="num">{labels::money(item.captured, item.currency)}</td>
            <td data-label="Refunded" class="num">{labels::money(item.refunded, item.currency)}</td>
            <td data-label="Asked for by"><ul>{triggers}</ul></td>
            <td data-label="Changed" class="num"><Ago at=item.updated_at /> " ago"</td>
        </tr>
    }
}
