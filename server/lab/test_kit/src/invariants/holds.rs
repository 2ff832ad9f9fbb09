//! I15: at rest, a card reserves something only for a stay that is checked in, and once, unless a person
//! looks after it.

use std::collections::BTreeMap;

use dewy_saga::State;

use super::Evidence;

pub(super) fn judge(evidence: &Evidence<'_>, wrong: &mut Vec<String>) {
    let mut by_booking: BTreeMap<&str, usize> = BTreeMap::new();
    for (id, payment) in &evidence.ledger.payments {
        let Some(booking) = payment.booking.as_deref().filter(|_| payment.held > 0) else {
            continue;
        };
        *by_booking.entry(booking).or_default() += 1;
        let row = evidence.ledger.by_id("Booking__c", &booking.into());
        let with_person = evidence.found.records.iter().any(|record| {
            record.state == State::NeedsAttention
                && record.label("booking_number") == row["Name"].as_str()
        });
        if row["Status__c"] != "Checked In" && !with_person && !evidence.edited_elsewhere(row) {
            let (held, status) = (payment.held, &row["Status__c"]);
            wrong.push(format!(
                "I15: {id} holds {held} for {booking}, which is {status}"
            ));
        }
    }
    for (booking, n) in by_booking.into_iter().filter(|(_, n)| *n > 1) {
        wrong.push(format!("I15: {n} holds for {booking}"));
    }
}
