//! Payment reconciliation: Stripe, Salesforce and the journal side by side. Shows differences and
//! links to the fix.

mod date_range;

use dewy_domain::ports::{Discrepancy, ReconciliationRow, ReconciliationView};

use super::{
    filters::{Filters, truncation_notice},
    require_front_desk::require_front_desk,
    saved_views::views,
};
use crate::pages::prelude::*;

pub use self::date_range::payment_days;

const PAGE: &str = "/staff/payments";
const FILTERS: [&str; 3] = ["from", "to", "only"];

/// Payments of the selected days, by default of the last week.
pub async fn payments_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let today = hotel_time::now()
        .map(|now| HotelClock::here().day(now))
        .unwrap_or_default();
    let wanted = payment_days(
        request.query_param("from"),
        request.query_param("to"),
        today,
    );
    let (reconciliation, draft) = match wanted {
        Ok((from, to)) => {
            let payments = request.ctx.reconciliation.payments(&user.caller, from, to);
            let trouble = |code| ErrorPage::of(code, Persona::Staff, &request.here);
            (Some(payments.await.map_err(trouble)?), FormDraft::default())
        }
        Err((field, words)) => (None, FormDraft::invalid_field(field, words)),
    };
    let only = request.query_param("only") == Some("different");
    let filters = Filters::of(&request, PAGE, &FILTERS);
    let views = views(filters, &user).await;
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        {filters.heading("Payments", (), reconciliation.is_some())}
        <p class="lead">"What Stripe charged, what Salesforce recorded, and what our journal says."</p>
        {reconciliation.as_ref().map(|reconciliation| counts(reconciliation, &request, only))}
        {reconciliation.as_ref().and_then(others)}
        {filters.form("only", filters.days(&draft))}
        {views}
        {reconciliation.map(|reconciliation| table(reconciliation, only))}
    };
    Ok::<_, PageError>(PageLayout::new("Payments").who(&user).staff(content))
}

/// Icon and label of a difference, and whether a person should look at it.
const fn drift(drift: Discrepancy) -> (&'static str, &'static str) {
    match drift {
        Discrepancy::None => ("completed", "Agree"),
        Discrepancy::UnderWay => ("running", "In progress"),
        Discrepancy::Foreign => ("skipped", "Another program’s"),
        Discrepancy::MoneyWithoutBooking => ("needs_attention", "Money without a check-out"),
        Discrepancy::BookingWithoutMoney => ("needs_attention", "Recorded, not paid"),
        Discrepancy::Amounts => ("needs_attention", "Amounts differ"),
        Discrepancy::Journal => ("needs_attention", "Journal says otherwise"),
    }
}

fn counts(reconciliation: &ReconciliationView, request: &PageRequest, only: bool) -> AnyView {
    let rows = reconciliation.rows.iter();
    let different = rows.filter(|row| row.discrepancy.differs()).count();
    let days = Filters::of(request, PAGE, &["from", "to"]).given();
    let chip = |only: &'static str, label: String, is_current: bool| Chip {
        href: page_url::with_query(PAGE, days.iter().copied().chain([("only", only)])),
        label,
        is_current,
        ..Chip::default()
    };
    let all = format!("All {}", reconciliation.rows.len());
    let both = [
        chip("", all, !only),
        chip("different", format!("Differ {different}"), only),
    ];
    chips("Filter by difference", "filters", "true", both)
}

/// Payments that are not in the table.
fn others(reconciliation: &ReconciliationView) -> Option<AnyView> {
    let foreign = match reconciliation.foreign {
        0 => None,
        1 => Some(
            "1 payment of another program or installation on this Stripe account is not shown."
                .to_owned(),
        ),
        n => Some(format!(
            "{n} payments of other programs or installations on this Stripe account are not shown."
        )),
    };
    let unreadable = (reconciliation.unreadable > 0).then(|| {
        format!(
            "{} payments could not be read; look at them in Stripe’s dashboard.",
            reconciliation.unreadable
        )
    });
    let texts = [foreign, unreadable]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>();
    (!texts.is_empty()).then(|| view! { <p class="aside others">{texts.join(" ")}</p> }.into_any())
}

fn table(reconciliation: ReconciliationView, only: bool) -> AnyView {
    let ReconciliationView {
        rows,
        currency,
        as_of,
        cut,
        ..
    } = reconciliation;
    let rows: Vec<ReconciliationRow> = rows
        .into_iter()
        .filter(|row| !only || row.discrepancy.differs())
        .collect();
    if rows.is_empty() {
        let text = if only {
            "Everything matches."
        } else {
            "No payments on these days."
        };
        return view! { <p class="empty">{text}</p> }.into_any();
    }
    let rows = rows
        .into_iter()
        .map(|one| row(one, currency))
        .collect_view();
    view! {
        <ListTable
            class="books"
            caption=view! { "As of " <Timestamp at=as_of /> }.into_any()
            heads=&["Payment", "Guest", "Stripe", "Salesforce", "Journal", "Together", "To do"]
            num=&["Stripe", "Salesforce", "Journal"]
        >
            {rows}
        </ListTable>
        {truncation_notice(cut, "All differences are listed. Choose fewer days to see the rest.".to_owned())}
    }
    .into_any()
}

fn row(row: ReconciliationRow, currency: Currency) -> impl IntoView {
    let sum = |taken, given_back: dewy_domain::money::Cents| {
        let back = (given_back.0 != 0).then(
            || view! { <small>{format!("{} back", labels::money(given_back, currency))}</small> },
        );
        view! { {labels::money(taken, currency)} {back} }.into_any()
    };
    let none = || view! { <span class="aside">"–"</span> }.into_any();
    let stripe = row
        .processor
        .as_ref()
        .map_or_else(none, |taken| sum(taken.captured, taken.refunded));
    let written = row
        .crm
        .as_ref()
        .map_or_else(none, |written| sum(written.paid, written.refunded));
    let known = row
        .journal
        .as_ref()
        .map_or_else(none, |known| sum(known.captured, known.refunded));
    let (state, word) = drift(row.discrepancy);
    let act = act(&row);
    let booking = row.booking_number.map(|number| {
        let href = page_url::stay(&number);
        view! { <small><a href=href>{number.to_string()}</a></small> }
    });
    view! {
        <tr data-drift=row.discrepancy.differs().to_string()>
            <th scope="row" data-label="Payment"><code class="id">{row.payment_intent_id.to_string()}</code> {row.at.map(|at| view! { <small><Timestamp at=at /></small> })}</th>
            <td data-label="Guest">{row.guest_email.map(String::from)} {booking}</td>
            <td data-label="Stripe" class="num">{stripe}</td>
            <td data-label="Salesforce" class="num">{written}</td>
            <td data-label="Journal" class="num">{known}</td>
            <td data-label="Together"><StatusBadge state=state word=word /></td>
            <td data-label="To do">{act}</td>
        </tr>
    }
}

/// Link to the fix: the execution's page, or a prefilled refund.
fn act(row: &ReconciliationRow) -> AnyView {
    let decide = row.waiting.as_ref().map(|id| {
        let href = format!("/staff/executions/{id}#next");
        view! { <a href=href>"Decide"</a> }
    });
    let known = row.journal.as_ref().map(|known| &known.execution_id);
    let record = known.filter(|id| row.waiting.as_ref() != Some(*id));
    let record = record.map(|id| {
        let href = format!("/staff/executions/{id}");
        view! { <a href=href>"Record"</a> }
    });
    let refund = matches!(row.discrepancy, Discrepancy::MoneyWithoutBooking).then(|| {
        let email = row.guest_email.as_deref().unwrap_or_default().to_owned();
        let booking = row.booking_number.as_ref().filter(|_| email.is_empty());
        let booking = booking.map(ToString::to_string).unwrap_or_default();
        let fields = [
            ("payment_intent_id", row.payment_intent_id.as_str()),
            ("guest_email", &email),
            ("booking_number", &booking),
            (
                "reason",
                "Found by comparing the payments: no check-out accounts for it.",
            ),
        ];
        let href = page_url::with_query("/staff/refund", fields);
        view! { <a class="button quiet" href=href>"Refund…"</a> }
    });
    view! { {refund} " " {decide} " " {record} }.into_any()
}
