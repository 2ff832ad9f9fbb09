//! Late check-outs that guests ask for, and those that the front desk has granted.

use dewy_domain::tool_catalog::RequestLateCheckout;

use crate::pages::prelude::*;

/// Subject of a case, with the day of a late check-out as the hotel writes it.
pub fn case_subject(kept: &str) -> String {
    let late = RequestLateCheckout::read_subject(kept);
    late.map_or_else(|| kept.to_owned(), |subject| told(&subject))
}

/// Until when this guest may keep the room on the day of departure: `14:00`.
pub fn late_until(snapshot: &HotelSnapshot, booking: &BookingRow) -> Option<String> {
    let leaves = booking.check_out_date?.to_string();
    let of_it = |number: &Option<_>| number.as_ref() == Some(&booking.booking_number);
    let cases = snapshot.cases.iter();
    let mut cases = cases.filter(|case| !case.closed && of_it(&case.booking_number));
    cases.find_map(|case| match RequestLateCheckout::read(&case.subject)? {
        (day, time, true) if day == leaves => Some(time.to_owned()),
        _ => None,
    })
}
