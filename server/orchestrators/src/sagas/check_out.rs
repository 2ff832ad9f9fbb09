//! The check-out saga: reads the stay, takes the payment, moves booking, room and opportunity. Its
//! compensation refunds the payment and reverts the rows. A stay with a live hold gets version 2
//! (`capture_last.rs`).
//!
//! ```text
//! read    stay (one SOQL) ∥ customer (one GET) ── rules ──► facts
//! customer  + create one                          (orphan: found again by email next time)
//! pay       + create and confirm in one call      − refund the whole remainder
//! move      + one composite, all or nothing       − revert what is still exactly as we wrote it
//! ```

mod capture_hold;
pub(crate) mod capture_last;
mod charge_card;
mod check_allowed;
mod compensation_data;
mod facts;
mod hold_effects;
mod hold_summary;
mod late_effects;
mod move_out;
mod payment_order;
mod payment_stands;
mod presentation;
mod projections;
mod record_payment;
mod release_unneeded;
mod rules;
mod second_hold;
mod tool_answer;

use std::time::Duration;

use dewy_saga::{End, Saga};
use futures::FutureExt;

use crate::saga_parts::{
    checkout_breaker,
    create_customer::{CUSTOMER, CreateCustomer, customer},
    hotel_dependencies::HotelDependencies,
    outbox,
    payment_attempt::PaymentKind,
    reconciled_write::ReconciledWrite,
    refund_and_revert::{Refund, Revert},
    take_payment::TakePayment,
};

pub(crate) use check_allowed::check_allowed;
pub use facts::CHECK_OUT;
pub(crate) use facts::{PAY, is_completed};
pub(crate) use presentation::Labels;
pub(crate) use projections::{CARD_LABEL, PAYMENT_LABELS, is_paid_by};
pub(crate) use rules::holds;

use compensation_data::CheckOutCompensation;
use facts::MOVE;
use move_out::MoveOut;
use payment_order::{needs_customer, payment_order};
use payment_stands::payment_stands;

/// Delays of the rechecks. A late effect appears at most as long as a gateway holds a request
/// (30 s); ten minutes cover unknown cases.
const RECHECKS: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(600)];

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    Saga::new(CHECK_OUT, 1, "Check out and pay")
        .prepare(
            parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).map(Ok).boxed()),
        )
        .version_for(capture_last::version_for)
        .step(
            CUSTOMER,
            "Prepare the payment account",
            CreateCustomer::new(parts, needs_customer),
        )
        .orphan("a customer without payments is harmless and is found again by email")
        .step(
            PAY,
            "Charge the card",
            TakePayment::new(parts, PaymentKind::Charge, payment_order, customer),
        )
        .undo(
            PAY,
            "Refund the payment",
            Refund::new(parts, CheckOutCompensation),
        )
        .money()
        .until_known()
        .pivot(
            MOVE,
            "Check out of the room",
            ReconciledWrite::new(parts, MoveOut).only_while(payment_stands(parts)),
        )
        .undo(
            MOVE,
            "Revert the booking",
            Revert::new(parts, CheckOutCompensation),
        )
        .recheck_after(RECHECKS, late_effects::LateEffects(parts.clone()))
        .attention(tool_answer::left_otherwise)
        .attention(tool_answer::open_balance)
        .projection(projections::compensation)
        .projection(outbox::after(
            End::Completed,
            "check_out",
            &parts.settings,
            presentation::check_out_text,
        ))
        .projection(outbox::owed_text(
            "refund",
            &parts.settings,
            presentation::refunded,
        ))
        .projection(outbox::email(outbox::RECEIPT, parts.mail.is_some()))
        .projection(projections::ended_stay)
        .labels(projections::labels)
        .labels(|cx| checkout_breaker::label(cx, CHECK_OUT, MOVE))
        .answer(tool_answer::answer)
}
