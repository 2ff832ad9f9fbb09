//! Taken, given back, and what stays.

use dewy_domain::view::MoneyView;
use leptos::prelude::*;

use crate::labels;

/// The money of an execution as a sum.
#[component]
pub fn MoneyLine(
    /// What our journal knows.
    money: MoneyView,
) -> impl IntoView {
    let text = |cents| labels::money(cents, money.currency);
    view! {
        <dl class="money-line">
            <div>
                <dt>"Taken"</dt>
                <dd>{text(money.captured)}</dd>
            </div>
            <div data-sign="−">
                <dt>"Given back"</dt>
                <dd>{text(money.refunded)}</dd>
            </div>
            <div data-sign="=" class="net">
                <dt>"Stays taken"</dt>
                <dd>{text(money.net())}</dd>
            </div>
        </dl>
    }
}
