//! Prerequisites: reads the hold and its stay, and decides what to reserve in its place.

use async_trait::async_trait;
use dewy_domain::{
    booking_number::BookingNumber,
    error_code::ErrorCode,
    payment::{Payment, PaymentStatus},
    payment_intent_id::PaymentIntentId,
    stay::Stay,
    tool_answer::ToolError,
    vocabulary::BookingStatus,
};
use dewy_saga::{Context, Prerequisites, PrerequisitesResult};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::Facts;
use crate::{
    saga_parts::{
        hotel_dependencies::HotelDependencies,
        live_holds::{BOOKING, is_replaced},
        not_ready::{NotReady, label, ready},
        payment_owner::{Installations, adopted},
        place_hold::HoldTerms,
        settings::Settings,
    },
    sagas::{check_in::amount_to_hold, release_hold::is_needed},
};

/// How long before its expiry a hold is renewed. An outage may take hours of it.
const LEAD: SignedDuration = SignedDuration::from_hours(24);

/// Whether a hold that expires then must be renewed: soon, before its guest leaves, and for something
/// that is owed.
pub(crate) fn is_due(settings: &Settings, stay: &Stay, expires: Timestamp, now: Timestamp) -> bool {
    let calendar = settings.calendar();
    // A guest who should have left may stay for another day
    let last = stay.booking.check_out.max(calendar.date(now));
    now >= expires - LEAD
        && calendar.date(expires) <= last
        && stay.booking.status == BookingStatus::CheckedIn
        && amount_to_hold(settings, stay, now).is_some()
}

pub(super) struct Rules(pub HotelDependencies);

#[async_trait]
impl Prerequisites for Rules {
    async fn read(&self, cx: Context<'_>) -> PrerequisitesResult {
        let read = read(&self.0, &cx).await;
        read.unwrap_or_else(|NotReady(why)| why)
    }
}

fn refused(id: &str, cause: &str) -> NotReady {
    let details = json!({ "payment_intent_id": id, "cause": cause });
    ToolError::with(ErrorCode::InvalidTransition, details).into()
}

/// Its own stay, if it still needs this hold.
async fn stay_of(parts: &HotelDependencies, payment: &Payment) -> Result<Stay, NotReady> {
    let installations = Installations {
        own: parts.settings.installation,
        adopted: adopted(parts.key_value_store.as_ref()).await?,
    };
    let owner = installations.owner(&payment.metadata);
    let named = |key: &str| payment.metadata.get(key).map(String::as_str);
    let (Some(placed_by), Some(booking_id), Some(number)) =
        (owner.execution(), named(BOOKING), named("booking_number"))
    else {
        return Err(refused(payment.id.as_str(), "foreign_payment"));
    };
    let numbers = [BookingNumber::from(number)];
    let stays = parts.crm.stays_by_number(&numbers).await.answered()?;
    let stay = stays.into_iter().next();
    let head = parts.journal.heads(&[placed_by]).await?.pop();
    let needed = is_needed(head.as_ref(), &payment.id, booking_id, stay.as_ref());
    let needed = stay.filter(|stay| needed && stay.booking.status == BookingStatus::CheckedIn);
    needed.ok_or_else(|| refused(payment.id.as_str(), "not_needed"))
}

async fn read(
    parts: &HotelDependencies,
    cx: &Context<'_>,
) -> Result<PrerequisitesResult, NotReady> {
    let id = cx.input["payment_intent_id"].as_str().unwrap_or_default();
    let named: PaymentIntentId = id.parse().map_err(|_| refused(id, "no_payment"))?;
    let payment = parts.payments.payment(&named).await.answered()?;
    let payment = payment.ok_or_else(|| refused(id, "no_payment"))?;
    let stay = stay_of(parts, &payment).await?;
    let replaced = payment.status == PaymentStatus::Canceled
        && is_replaced(parts.payments.as_ref(), &payment, cx.now).await?;
    let amount = amount_to_hold(&parts.settings, &stay, cx.now);
    let card = payment.hold.as_ref().and_then(|hold| hold.card.clone());
    let terms = match (payment.status, amount, payment.customer, card) {
        (PaymentStatus::RequiresCapture, Some(amount), Some(customer), Some(card)) => {
            Some(HoldTerms {
                amount,
                currency: payment.currency,
                customer,
                card,
            })
        }
        (PaymentStatus::Canceled, ..) if !replaced => None,
        _ => return Err(refused(id, "no_hold")),
    };
    let labels = vec![
        label("booking_number", &stay.booking.number),
        label("room_number", &stay.room.number),
    ];
    let claims = vec![format!("booking:{}", stay.booking.id)];
    let facts = Facts {
        stay,
        old: payment.id,
        reserved: payment.amount,
        currency: payment.currency,
        terms,
    };
    ready(&facts, claims, labels)
}
