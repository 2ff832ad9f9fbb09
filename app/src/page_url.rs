//! Addresses of pages: the only place where values are encoded into paths and queries.
//!
//! Each org chooses the form of its numbers, so a booking may be called `RES/26 #0042`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Everything but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Staff page of the day.
pub const TODAY: &str = "/staff";

/// Text as one segment of a path, or as a fragment.
pub fn segment(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Path with query fields; those without a value are left out.
pub fn with_query<'a>(path: &str, fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let given: Vec<_> = fields
        .into_iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| format!("{}={}", segment(name), segment(value)))
        .collect();
    if given.is_empty() {
        path.to_owned()
    } else {
        format!("{path}?{}", given.join("&"))
    }
}

/// Staff page of the stay with this booking number; the today board without one.
pub fn stay(number: &str) -> String {
    if number.is_empty() {
        TODAY.to_owned()
    } else {
        format!("/staff/stays/{}", segment(number))
    }
}

/// Staff record of an execution.
pub fn execution(id: &str) -> String {
    format!("/staff/executions/{}", segment(id))
}

pub fn room(number: &str) -> String {
    format!("/staff/rooms/{}", segment(number))
}

pub fn case(number: &str) -> String {
    format!("/staff/cases/{}", segment(number))
}

/// Staff page of the guest with this email.
pub fn guest(email: &str) -> String {
    with_query("/staff/guest", [("email", email)])
}

/// Entry of a request on the guest's own list.
pub fn guest_case(number: &str) -> String {
    format!("/guest/requests#case-{}", segment(number))
}

/// Guest page that changes or cancels a booking.
pub fn booking(number: &str, act: &str) -> String {
    format!("/guest/bookings/{}/{act}", segment(number))
}

/// Page where someone new registers, with the path to go to afterward.
pub fn register(next: &str) -> String {
    with_query("/guest/sign-in/new", [("next", next)])
}

/// Page about one of several bookings.
pub fn with_booking(page: &str, number: &str) -> String {
    with_query(page, [("booking", number)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_booking_number_is_one_path_segment() {
        assert_eq!(stay("BK-0042"), "/staff/stays/BK-0042");
        assert_eq!(stay("RES/26 #0042"), "/staff/stays/RES%2F26%20%230042");
        assert_eq!(room("3/A?"), "/staff/rooms/3%2FA%3F");
        assert_eq!(
            booking("№ 42", "change"),
            "/guest/bookings/%E2%84%96%2042/change"
        );
        assert_eq!(
            with_booking("/guest/folio", "R&B=1+#%2F"),
            "/guest/folio?booking=R%26B%3D1%2B%23%252F"
        );
        assert_eq!(
            with_query("/staff/cases", [("queue", ""), ("status", "In Progress")]),
            "/staff/cases?status=In%20Progress"
        );
        assert_eq!(with_booking("/guest/folio", ""), "/guest/folio");
    }
}
