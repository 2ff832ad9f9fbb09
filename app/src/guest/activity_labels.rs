//! Labels of operations on guests' stays.

/// Page title of an operation.
pub const fn title(tool: &str) -> &'static str {
    match tool.as_bytes() {
        b"process_guest_checkout" => "Your check-out",
        b"check_in_guest" => "Your check-in",
        b"create_booking" => "Your new booking",
        b"manage_bookings" => "Your booking change",
        b"submit_guest_service_request" => "Your request",
        b"post_charge" => "A line on your bill",
        _ => "What you asked for",
    }
}

/// First sentence of its story.
pub const fn asked(tool: &str) -> &'static str {
    match tool.as_bytes() {
        b"check_in_guest" => "You asked us to check you in.",
        b"process_guest_checkout" => "You asked us to check you out.",
        b"create_booking" => "You asked us to book a room.",
        b"manage_bookings" => "You asked us to change your booking.",
        b"submit_guest_service_request" => "You asked us for something.",
        _ => "You sent us a request.",
    }
}
