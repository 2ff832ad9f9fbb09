//! A compensation in the list: whose it is, what happened, and the records in both systems.

use dewy_domain::{execution_view::CompensationItem, vocabulary::CompensationStatus};

use super::totals;
use crate::{
    components::lasted,
    pages::{prelude::*, staff::bulk_action::choice},
    vendor_pages::VendorPages,
};

/// Row of a compensation. `name`: the guest's, if known; `pending`: Stripe is not done with the refund.
pub fn row(
    item: CompensationItem,
    name: Option<String>,
    pending: bool,
    vendors: &VendorPages,
) -> AnyView {
    let href = page_url::execution(&item.execution_id);
    let email = item.guest_email.as_ref().map(ToString::to_string);
    let booking = item.booking_number.as_ref().map(ToString::to_string);
    let place = match &name {
        Some(_) => labels::dotted([booking, email.clone()]),
        None => booking.unwrap_or_default(),
    };
    let guest = name.or(email);
    let guest = guest.unwrap_or_else(|| "Unknown guest".to_owned());
    let room = item.room_number.as_ref();
    let room = room.map(|room| format!("{}room {room}", labels::DOT));
    let triggers = item
        .triggers
        .iter()
        .map(|user| view! { <li>{labels::asked_by(user)}</li> })
        .collect_view();
    let version = format!("{} {}", item.status, item.updated_at);
    let payment = item.payment_intent_id.to_string();
    let owner = item.owner.clone();
    let owner = owner.map(|owner| view! { <small>{owner} " looks after it"</small> });
    let pick = (item.status == CompensationStatus::NeedsAttention)
        .then(|| choice(&item.execution_id, format!("Choose {payment}")));
    let ids = [
        Some(payment.clone()),
        item.refund_id.clone(),
        item.booking_id.clone(),
    ];
    let ids = ids
        .into_iter()
        .flatten()
        .map(|id| view! { <li>{vendors.code(id)}</li> });
    let ids = ids.collect_view();
    view! {
        <tr data-state=item.status.to_string() data-key=payment.clone() data-version=version>
            <th scope="row" data-label="Guest">
                {pick}
                <a href=href>{guest}</a> {room}
                <small>{place}</small>
            </th>
            <td data-label="What happened">
                <StatusBadge state=item.status.clone() word=labels::compensation(&item.status) />
                <p class="sentence">{sentence(&item, pending)}</p>
                {moments(&item)}
                {owner}
            </td>
            <td data-label="Charged" class="num">{labels::money(item.captured, item.currency)}</td>
            <td data-label="Refunded" class="num">{labels::money(item.refunded, item.currency)}</td>
            <td data-label="Requested by"><ul>{triggers}</ul></td>
            <td data-label="Changed" class="num"><Ago at=item.updated_at /> " ago"</td>
            <td data-label="Records" id=payment.clone()><ul class="vendor-ids">{ids}</ul></td>
        </tr>
    }
    .into_any()
}

/// What happened, and where the money is.
fn sentence(item: &CompensationItem, pending: bool) -> String {
    let money = |cents| labels::money(cents, item.currency);
    let cause = totals::cause(&item.cause);
    let (refunded, left) = (money(item.refunded), item.captured - item.refunded);
    match &item.status {
        CompensationStatus::Compensated if pending => {
            format!("{cause}; {refunded} is on its way back.")
        }
        CompensationStatus::Compensated => format!("{cause}; {refunded} was refunded."),
        CompensationStatus::Refunding => format!("{cause}; {} is being refunded.", money(left)),
        CompensationStatus::RefundedReverting => {
            format!("{cause}; {refunded} was refunded, and the booking is being put back.")
        }
        CompensationStatus::NeedsAttention => {
            let why = item.reason.as_ref().map(labels::reason);
            let why = why.unwrap_or(&cause);
            match left > Cents::default() {
                true => format!("{why}. {} is still charged.", money(left)),
                false => format!("{why}."),
            }
        }
        CompensationStatus::Solved => format!("{cause}; settled by hand."),
        CompensationStatus::Other(_) => format!("{cause}."),
    }
}

/// Charge, failure and refund, with the time from one to the next.
fn moments(item: &CompensationItem) -> Option<AnyView> {
    let charged = item.charged_at?;
    let failed = item.failed_at.map(|at| {
        view! { <li data-state="failed">"failed after " {lasted(charged, at)}</li> }
    });
    let since = item.failed_at.unwrap_or(charged);
    let last = match item.refunded_at {
        Some(at) => {
            let took = lasted(since, at);
            view! { <li data-state="refunded">"refunded after " {took}</li> }.into_any()
        }
        None if item.status == CompensationStatus::Solved => ().into_any(),
        None => {
            view! { <li data-state="open">"not refunded for " <Ago at=since /></li> }.into_any()
        }
    };
    Some(
        view! {
            <ol class="moments">
                <li data-state="charged">"charged " <Timestamp at=charged /></li>
                {failed}
                {last}
            </ol>
        }
        .into_any(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_where_the_money_is() {
        let item = |status: &str, refunded: i64, more: Value| {
            let mut item = json!({
                "payment_intent_id": "pi_1", "execution_id": "exe_1", "status": status, "captured": 25000,
                "refunded": refunded, "currency": "usd", "triggers": [], "cause": "not_applied",
                "updated_at": "2026-11-20T12:00:00Z",
            });
            for (name, value) in more.as_object().into_iter().flatten() {
                item[name] = value.clone();
            }
            serde_json::from_value::<CompensationItem>(item).unwrap()
        };
        let said = |status, refunded, more, pending| {
            Owner::new().with(|| sentence(&item(status, refunded, more), pending))
        };
        let cause = "Salesforce did not apply the change in time";
        let done = said("compensated", 25_000, json!({}), false);
        assert_eq!(done, format!("{cause}; $250.00 was refunded."));
        let pending = said("compensated", 25_000, json!({}), true);
        assert_eq!(pending, format!("{cause}; $250.00 is on its way back."));
        let reason = json!({ "reason": "REFUND_REFUSED" });
        let part = said("needs_attention", 10_000, reason, false);
        let expected =
            "Stripe refused the refund, so nothing was put back. $150.00 is still charged.";
        assert_eq!(part, expected);
    }
}
