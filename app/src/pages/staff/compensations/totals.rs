//! Money at stake and money refunded.

use dewy_domain::compensation_totals::{CompensationTotals, Sum};

use crate::{components::bar_chart, duration_text, pages::prelude::*};

/// Figures, refunds by day, and causes.
pub fn money(totals: &CompensationTotals) -> AnyView {
    let amount = |cents: Cents| labels::money(cents, totals.currency);
    let payments = |sum: Sum| match sum.count {
        0 => "no payment".to_owned(),
        1 => "1 payment".to_owned(),
        n => format!("{n} payments"),
    };
    let oldest = totals
        .oldest
        .map(|at| view! { ", the oldest for " <Ago at=at /> });
    let [today, week, month] = totals.refunded.map(|sum| {
        view! { <dd>{amount(sum.amount)} <small>{payments(sum)}</small></dd> }
    });
    let duration = totals.duration.map(|(median, most)| {
        let text = |seconds| duration_text::short(seconds);
        view! {
            <div>
                <dt>"From charge to refund"</dt>
                <dd>{text(median.as_secs())} <small>{format!("median; 95% within {}", text(most.as_secs()))}</small></dd>
            </div>
        }
    });
    let cut = totals.cut.then(
        || view! { <p class="aside">"There are older records, which are not in these sums."</p> },
    );
    let any = totals.refunded[2].count > 0;
    let charts =
        any.then(|| view! { <div class="day-charts">{by_day(totals)} {by_cause(totals)}</div> });
    view! {
        <section class="totals" aria-labelledby="money">
            <h2 id="money">"Money"</h2>
            <dl class="facts counts">
                <div data-urgent=(totals.at_stake.count > 0).then_some("")>
                    <dt>"At stake now"</dt>
                    <dd>{amount(totals.at_stake.amount)} <small>{payments(totals.at_stake)} {oldest}</small></dd>
                </div>
                <div><dt>"Refunded today"</dt> {today}</div>
                <div><dt>"In 7 days"</dt> {week}</div>
                <div><dt>"In 30 days"</dt> {month}</div>
                <div>
                    <dt>"Pending at Stripe"</dt>
                    <dd>{amount(totals.pending.amount)} <small>{payments(totals.pending)}</small></dd>
                </div>
                {duration}
            </dl>
            {cut}
            {charts}
        </section>
    }
    .into_any()
}

fn by_day(totals: &CompensationTotals) -> AnyView {
    let total = labels::money(totals.refunded[2].amount, totals.currency);
    let label = format!("Refunded in the last 30 days: {total}. The table below has each day.");
    let rows = totals.by_day.iter().rev().filter(|(_, cents)| cents.0 != 0);
    let rows = rows
        .map(|(date, cents)| {
            view! {
                <tr>
                    <th scope="row">{day(&date.to_string())}</th>
                    <td class="num">{labels::money(*cents, totals.currency)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section class="chart-card" aria-labelledby="by-day">
            <h3 id="by-day">"Refunded by day"</h3>
            <p class="figure"><strong>{total}</strong> " in 30 days"</p>
            {bar_chart(&totals.by_day, label)}
            <details id="by-day-table">
                <summary>"Day by day"</summary>
                <ListTable class="small-list" heads=&["Day", "Refunded"] num=&["Refunded"]>
                    {rows}
                </ListTable>
            </details>
        </section>
    }
    .into_any()
}

fn by_cause(totals: &CompensationTotals) -> AnyView {
    let rows = totals
        .causes
        .iter()
        .map(|(code, sum)| {
            view! {
                <tr>
                    <th scope="row">{cause(code)}</th>
                    <td class="num">{sum.count}</td>
                    <td class="num">{labels::money(sum.amount, totals.currency)}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <section class="chart-card" aria-labelledby="by-cause">
            <h3 id="by-cause">"Causes"</h3>
            <ListTable class="small-list" heads=&["In 30 days", "Payments", "Refunded"] num=&["Payments", "Refunded"]>
                {rows}
            </ListTable>
        </section>
    }
    .into_any()
}

/// A cause in words; codes of other releases as they are.
pub fn cause(code: &str) -> String {
    match code {
        "" => "No cause recorded".to_owned(),
        "not_applied" => "Salesforce did not apply the change in time".to_owned(),
        "refund_failed_later" => "The bank returned the refund".to_owned(),
        code => labels::capital(&code.to_lowercase().replace('_', " ")),
    }
}
