//! Amounts charged, refunded, and kept.

use dewy_domain::execution_view::MoneyView;
use leptos::prelude::*;

use crate::{labels, language::t};

/// Money of an execution as a sum.
#[component]
pub fn PaymentSummary(
    /// Amounts in the journal.
    money: MoneyView,
) -> impl IntoView {
    let text = |cents| labels::money(cents, money.currency);
    view! {
        <dl class="money-line">
            <div>
                <dt>{t!("receipt-charged")}</dt>
                <dd>{text(money.captured)}</dd>
            </div>
            <div data-sign="−">
                <dt>{t!("bill-refunded")}</dt>
                <dd>{text(money.refunded)}</dd>
            </div>
            <div data-sign="=" class="net">
                <dt>{t!("net-charge")}</dt>
                <dd>{text(money.net())}</dd>
            </div>
        </dl>
    }
}
