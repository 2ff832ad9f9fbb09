//! A bar for each day, rendered on the server.

use dewy_domain::money::Cents;
use jiff::civil::{Date, Weekday};
use leptos::prelude::*;

/// Bars with the number of the day below; of more than two weeks, only Mondays have one, with the month.
pub fn bar_chart(days: &[(Date, Cents)], label: String) -> AnyView {
    let most = days.iter().map(|(_, amount)| amount.0).max();
    let most = most.unwrap_or(0).max(1);
    let step = 300 / days.len().max(1);
    let bars = days.iter().enumerate().map(|(n, (date, amount))| {
        let height = (amount.0 * 60 / most).max(i64::from(amount.0 > 0));
        let (x, width) = (n * step + step / 5, step - step / 4);
        let weekend = matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday);
        let short = days.len() <= 14;
        let numbered = short || date.weekday() == Weekday::Monday;
        let number = date.strftime(if short { "%-d" } else { "%b %-d" }).to_string();
        view! {
            <rect class="earned" x=x.to_string() y=(64 - height).to_string() width=width.to_string() height=height.to_string() />
            {numbered.then(|| view! { <text x=(x + width / 2).to_string() y="78" data-weekend=weekend.then_some("")>{number}</text> })}
        }
    });
    view! {
        <svg class="chart" viewBox="0 0 300 82" role="img" aria-label=label>
            <line x1="0" y1="64.5" x2="300" y2="64.5" />
            {bars.collect_view()}
        </svg>
    }
    .into_any()
}
