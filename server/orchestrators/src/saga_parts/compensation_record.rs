//! Records of compensations, one per payment, for lists and for the orphan check.

use dewy_domain::{
    booking_number::BookingNumber,
    money::{Cents, Currency},
    payment::RefundStatus,
    payment_intent_id::PaymentIntentId,
    room_number::RoomNumber,
    vocabulary::CompensationStatus,
};
use dewy_saga::{
    ExecutionId,
    journal::{Projection, ProjectionRow},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::saga_parts::engine_conversions;

/// Kind under which the store keeps them.
pub(crate) const COMPENSATION: &str = "compensation";

/// A record, as the store keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CompensationRecord {
    pub execution_id: ExecutionId,
    pub payment_intent_id: PaymentIntentId,
    pub booking_number: Option<BookingNumber>,
    pub room_number: Option<RoomNumber>,
    pub captured: Cents,
    pub currency: Currency,
    pub refund_id: Option<String>,
    pub refunded: Cents,
    pub refund_status: Option<RefundStatus>,
    /// When the payment was taken. Records of older releases lack the times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charged_at: Option<Timestamp>,
    /// When it was known that it has to be given back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<Timestamp>,
    /// When the payment system accepted the refund.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refunded_at: Option<Timestamp>,
    /// Salesforce's id of the booking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub booking_id: Option<String>,
    /// Step or check that decided to compensate.
    pub because: String,
    /// Cause, as a code.
    pub cause: String,
    /// Who requested it, in order.
    #[serde(default)]
    pub triggers: Vec<String>,
    pub status: CompensationStatus,
    /// Why it needs attention.
    pub reason: Option<String>,
    /// Report of the revert.
    pub revert: Option<Value>,
}

impl CompensationRecord {
    /// Parses a stored row; `None` if this release can't read it.
    pub fn of(row: &ProjectionRow) -> Option<Self> {
        engine_conversions::read(&row.body)
    }

    /// The record as it is stored.
    pub fn projection(&self) -> Projection {
        Projection {
            kind: COMPENSATION.to_owned(),
            key: self.payment_intent_id.to_string(),
            body: engine_conversions::value(self),
        }
    }
}
