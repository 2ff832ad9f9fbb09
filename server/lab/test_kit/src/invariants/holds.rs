//! I15: at rest, a card reserves something only for a stay that is checked in, and once, unless a person
//! looks after it.

use std::collections::BTreeMap;

use dewy_saga::State;

use super::Evidence;

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let mut by_booking: BTreeMap<&str, Vec<(&str, i64)>> = BTreeMap::new();
    for (id, payment) in &evidence.ledger.payments {
        if let Some(booking) = payment.booking.as_deref().filter(|_| payment.held > 0) {
            let holds = by_booking.entry(booking).or_default();
            holds.push((id, payment.held));
        }
    }
    for (booking, holds) in by_booking {
        let row = evidence.ledger.by_id("Booking__c", &booking.into());
        // One that Stripe refuses to cancel stays until a person releases it
        let with_person = evidence.found.records.iter().any(|record| {
            let label = record.label("booking_number");
            record.state == State::NeedsAttention
                && label.is_some_and(|number| row["Name"] == number)
        });
        if with_person {
            continue;
        }
        let status = &row["Status__c"];
        if status != "Checked In" && !evidence.edited_elsewhere(row) {
            let all: Vec<_> = holds
                .iter()
                .map(|(id, held)| format!("{id} holds {held}"))
                .collect();
            wrong.push(format!(
                "I15: {} for {booking}, which is {status}",
                all.join(", ")
            ));
        }
        if holds.len() > 1 {
            wrong.push(format!("I15: {} holds for {booking}", holds.len()));
        }
    }
}
