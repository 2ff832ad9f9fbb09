//! Result of `compensate_checkout_failure`.

use crate::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    output_schema::tool_output,
    payment_intent_id::PaymentIntentId,
    vocabulary::CompensationStatus,
};

tool_output! {
    /// Compensation of one payment.
    CompensationResult {
        payment_intent_id: PaymentIntentId,
        /// Refund: `re_…`; none if another execution refunded.
        refund_id: Option<String>,
        refunded: Cents,
        currency: Currency,
        status: CompensationStatus,
        /// Booking that was paid: `BK-0042`.
        booking_number: Option<BookingNumber>,
        /// Execution that compensated: `exe_…`.
        compensated_by: String,
        /// Who requested it, in order.
        #[serde(default)]
        triggers: Vec<String>,
    }
}
