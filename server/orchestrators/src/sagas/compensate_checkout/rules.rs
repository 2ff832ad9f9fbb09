//! Prerequisites: finds the owner of the payment and checks whether it may be refunded. Reads only
//! Stripe and the journal.

use dewy_domain::{
    caller::Role,
    error_code::ErrorCode,
    payment::{Payment, PaymentStatus},
    tool_answer::ToolError,
    tool_catalog::CompensateCheckoutFailure,
    vocabulary::{AttentionReason, CompensationStatus},
};
use dewy_saga::{
    Context, ExecutionId, PrerequisitesResult, State, StoreError,
    engine::RECORD_UNREADABLE,
    journal::{ExecutionFilter, ExecutionRecord},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Facts, presentation};
use crate::{
    saga_parts::{
        compensation_record::{COMPENSATION, CompensationRecord},
        engine_conversions,
        hotel_dependencies::HotelDependencies,
        live_holds::is_hold,
        not_ready::{NotReady, ready},
        payment_owner::{Installations, Owner, adopted},
        started_by::StartedBy,
        tool_answer::succeeded,
    },
    sagas::check_out,
};

/// Input field added by the scheduled job: why a person must decide first.
#[derive(Deserialize)]
struct ReviewFlag {
    flag: Option<AttentionReason>,
}

pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: CompensateCheckoutFailure,
) -> Result<PrerequisitesResult, NotReady> {
    let id = &input.payment_intent_id;
    let refuse = |code| ToolError::with(code, json!({ "payment_intent_id": id }));
    let payment = parts.payments.payment(id).await.answered()?;
    let payment = payment.ok_or_else(|| refuse(ErrorCode::PaymentNotFound))?;
    let whose = payment_owner(parts, &payment).await?;
    let owner = owner(parts, &cx, &payment).await?;
    // This installation cannot know what another installation's payment is for, whoever asks.
    if let Owner::OtherInstallation(other) = &whose {
        let details = json!({ "payment_intent_id": id, "cause": "other_installation", "installation_id": other });
        return Err(ToolError::with(ErrorCode::PaymentNotRefundable, details).into());
    }
    // The orphan check names no guest: it found the payment itself.
    if !StartedBy::of(&cx).clock {
        let email = match &payment.customer {
            Some(customer) => parts.payments.customer_email(customer).await.answered()?,
            None => None,
        };
        let journaled = |name| Some(owner.as_ref()?.label(name)?.to_owned());
        let booking = payment.metadata.get("booking_number").cloned();
        let emails = [journaled("guest_email"), email];
        let bookings = [journaled("booking_number"), booking];
        if !(agree(input.guest_email.as_deref(), &emails)
            && agree(input.booking_number.as_deref(), &bookings))
        {
            return Err(refuse(ErrorCode::PaymentGuestMismatch).into());
        }
    }
    let taken_by = payment.metadata.get("execution_id").cloned();
    let booking_number = payment.metadata.get("booking_number");
    let booking_number = booking_number.map(|number| number.as_str().into());
    let labels = presentation::labels_of(&payment, owner.as_ref());
    let flag = engine_conversions::read::<ReviewFlag>(cx.input).and_then(|input| input.flag);
    let mut claims = Vec::new();
    if flag.is_none() {
        if let Some(answer) = judge(parts, &cx, &payment, &whose, owner.as_ref()).await? {
            return Ok(PrerequisitesResult::Finished { answer, labels });
        }
        claims.push(format!("payment:{}", payment.id));
    }
    let owner = owner.map(|r| r.id);
    let facts = Facts {
        payment,
        owner,
        taken_by,
        booking_number,
        flag,
    };
    ready(&facts, claims, labels)
}

/// Whether what the caller names is what is known of the payment, from one source at least.
fn agree(given: Option<&str>, known: &[Option<String>]) -> bool {
    given.is_none_or(|given| {
        let mut known = known.iter().flatten().peekable();
        known.peek().is_some() && known.all(|one| one.eq_ignore_ascii_case(given))
    })
}

async fn payment_owner(parts: &HotelDependencies, payment: &Payment) -> Result<Owner, StoreError> {
    let adopted = adopted(parts.key_value_store.as_ref()).await?;
    Ok(Installations {
        own: parts.settings.installation,
        adopted,
    }
    .owner(&payment.metadata))
}

/// Execution that took the payment: by its metadata, otherwise by the journal. A hold names the
/// check-in that placed it, not the check-out that captured it.
async fn owner(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    payment: &Payment,
) -> Result<Option<ExecutionRecord>, StoreError> {
    let named = payment
        .metadata
        .get("execution_id")
        .filter(|_| !is_hold(&payment.metadata))
        .and_then(|id| id.parse::<ExecutionId>().ok());
    if let Some(id) = named
        && let Some(record) = parts.journal.load(id).await?
    {
        return Ok(Some(record));
    }
    for label in check_out::PAYMENT_LABELS {
        let filter = ExecutionFilter {
            saga: Some(check_out::CHECK_OUT.to_owned()),
            labels: vec![(label.to_owned(), payment.id.to_string())],
            limit: 1,
            ..ExecutionFilter::default()
        };
        let found = parts.journal.list(&filter).await?;
        if let Some(record) = found.into_iter().find(|record| record.id != cx.id) {
            return parts.journal.load(record.id).await;
        }
    }
    Ok(None)
}

/// Whether it may be refunded; the first result when it already was.
async fn judge(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    payment: &Payment,
    whose: &Owner,
    owner: Option<&ExecutionRecord>,
) -> Result<Option<Value>, ToolError> {
    let not = |cause: &str| {
        ToolError::with(
            ErrorCode::PaymentNotRefundable,
            json!({ "payment_intent_id": payment.id, "cause": cause, "status": payment.status }),
        )
    };
    let left = payment.received - payment.refunded;
    // The execution compensates the payments it knows, and no other one.
    let is_second = owner.is_some_and(|record| {
        record.label("payment_intent_id").is_some() && !check_out::is_paid_by(record, &payment.id)
    });
    if let Some(record) = owner {
        let progress = record.progress().map_err(|damage| {
            let details = json!({ "reason": RECORD_UNREADABLE, "execution_id": record.id, "why": damage.to_string() });
            ToolError::with(ErrorCode::NeedsAttention, details)
        })?;
        if is_second && left.0 > 0 && payment.status == PaymentStatus::Succeeded {
            return Err(not("second_payment"));
        }
        if record.state == State::Completed || check_out::is_completed(&progress) {
            let details = json!({ "payment_intent_id": payment.id, "execution_id": record.id });
            return Err(ToolError::with(ErrorCode::CheckoutCompleted, details));
        }
    }
    if left.0 <= 0 && payment.status == PaymentStatus::Succeeded {
        // Already refunded in full: if by us, return the first result; if by someone else, we have
        // no result to return.
        return match first_result(parts, payment).await {
            Some(answer) => Ok(Some(answer)),
            None if !is_second && owner.is_some_and(|r| !r.state.has_ended()) => Ok(None),
            None => Err(not("already_refunded")),
        };
    }
    if payment.status != PaymentStatus::Succeeded {
        return Err(not("not_captured"));
    }
    // Without our mark, an execution that the journal does not know proves nothing.
    if owner.is_none() && !matches!(whose, Owner::Ours(_)) {
        return Err(not("foreign_payment"));
    }
    let limit = parts.settings.refund_approval_limit;
    let by = StartedBy::of(cx);
    let manager = by.clock || by.role() == Some(Role::Manager);
    if left > limit && !manager {
        let words = parts.settings.money(limit, parts.settings.currency);
        return Err(ToolError::with(
            ErrorCode::OverRefundLimit,
            json!({ "left": left, "limit": words }),
        ));
    }
    Ok(None)
}

/// The first result of a compensation that has ended.
async fn first_result(parts: &HotelDependencies, payment: &Payment) -> Option<Value> {
    let row = parts
        .journal
        .projection_row(COMPENSATION, payment.id.as_str())
        .await
        .ok()??;
    let record = CompensationRecord::of(&row)?;
    let ended = matches!(
        record.status,
        CompensationStatus::Compensated | CompensationStatus::Solved
    );
    ended.then(|| succeeded(presentation::compensation_result(record)))
}
