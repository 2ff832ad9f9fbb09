//! Amounts charged, refunded, and kept.

use dewy_domain::view::MoneyView;
use leptos::prelude::*;

use crate::labels;

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
                <dt>"Charged"</dt>
                <dd>{text(money.captured)}</dd>
            </div>
            <div data-sign="−">
                <dt>"Refunded"</dt>
                <dd>{text(money.refunded)}</dd>
            </div>
            <div data-sign="=" class="net">
                <dt>"Net charge"</dt>
                <dd>{text(money.net())}</dd>
            </div>
        </dl>
    }
}
