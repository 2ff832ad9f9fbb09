//! A late check-out that the front desk grants: the case says so, then the fee is posted, as one durable
//! execution.
//!
//! ```text
//! read            the case, its stay ∥ its room ── rules ──► facts, with half a night as the only fee
//! change, assign  as for any case
//! fee             + the line on the folio     (skipped when it is free of charge)
//! ```
//! The fee's line has the execution's reference, so it is posted once. If it can't be posted any more, a
//! person has to look: the guest has been granted the hour.

use dewy_domain::{
    case::Case,
    error_code::ErrorCode,
    money::Cents,
    ports::CheckOutRecords,
    tool_answer::ToolError,
    tool_catalog::{ManageCases, RequestLateCheckout},
    vocabulary::{BookingStatus, CaseStatus},
};
use dewy_saga::{Context, Plan, Saga, StepId, journal::Projection};
use serde_json::json;

use super::{Facts, declared, result};
use crate::{
    saga_parts::{
        agreed_price::check_agreed_price,
        engine_conversions,
        hotel_dependencies::HotelDependencies,
        not_ready::NotReady,
        reconciled_write::{ReconciledWrite, missing_fact},
        room_lookup::room_named,
        started_by::StartedBy,
        tool_answer,
    },
    sagas::post_charge::{ChargeDescription, Charged, DESCRIPTIONS, WriteLine},
};

/// Name of the saga; `manage_cases` with `late_checkout_fee` starts it.
pub(crate) const GRANT_LATE_CHECKOUT: &str = "grant_late_checkout";

const FEE: StepId<CheckOutRecords> = StepId::new("fee");

pub(crate) fn grant_late_checkout(parts: &HotelDependencies) -> Saga {
    declared(GRANT_LATE_CHECKOUT, "Grant a late check-out", parts)
        .retriable(
            FEE,
            "Post the fee on the folio",
            ReconciledWrite::new(parts, WriteLine(fee)),
        )
        .no_undo("an unknown outcome is retried until it is resolved; a void is a separate call")
        .until_known()
        .projection(description)
        .answer(tool_answer::of_result(result))
}

fn fee(cx: &Context<'_>) -> Result<Charged, Plan> {
    let facts: Option<Facts> = cx.facts();
    let facts = facts.ok_or_else(|| Plan::Refuse(missing_fact("the facts")))?;
    let free = || Plan::Skip(json!({ "note": "it is free of charge" }));
    facts.fee.ok_or_else(free)
}

/// What the guest reads on the bill.
fn description(cx: Context<'_>) -> Option<Projection> {
    let facts: Facts = cx.facts()?;
    let posted = cx.progress.is_done(FEE) && facts.fee.is_some();
    let subject = facts.change?.subject?;
    let (_, time, _) = RequestLateCheckout::read(&subject)?;
    posted.then(|| Projection {
        kind: DESCRIPTIONS.to_owned(),
        key: cx.id.to_string(),
        body: engine_conversions::value(&ChargeDescription {
            description: format!("Late check-out at {time}"),
        }),
    })
}

/// The change that grants what the case asks for, and the fee.
///
/// # Errors
/// Who is not at the front desk, a case that asks for something else or is closed, and another fee than
/// half a night.
pub(super) async fn granted(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: ManageCases,
    case: &Case,
    agreed: Cents,
) -> Result<(ManageCases, Option<Charged>), NotReady> {
    let field = "late_checkout_fee";
    let by = StartedBy::of(cx);
    if !by.role().is_some_and(|role| role.knows_guests()) {
        let words = "Only the front desk grants a late check-out.";
        return Err(ToolError::problem(field, words).into());
    }
    let Some((day, time, before)) = RequestLateCheckout::read(&case.subject) else {
        let words = "Only for a case that asks for a late check-out.";
        return Err(ToolError::problem(field, words).into());
    };
    if before || case.closed {
        let why = match before {
            true => "It is granted already; nothing was posted now.",
            false => "The case is closed, so nothing is granted.",
        };
        let details = json!({ "case_number": case.number, "why": why });
        return Err(ToolError::with(ErrorCode::InvalidTransition, details).into());
    }
    let settings = &parts.settings;
    let fee = match agreed {
        Cents(0) => None,
        agreed => Some(half_night(parts, case, agreed).await?),
    };
    let price = fee.as_ref().map_or_else(
        || "free of charge".to_owned(),
        |fee| format!("for {}", settings.money(fee.amount, settings.currency)),
    );
    let change = ManageCases {
        status: Some(CaseStatus::InProgress),
        subject: Some(RequestLateCheckout::granted(day, time).to_string().into()),
        comment: Some(format!("Granted until {time}, {price}.")),
        assignee: by.key.strip_prefix("staff:").map(str::to_owned),
        ..input
    };
    Ok((change, fee))
}

/// Half a night of the room in which the guest of the case stays.
async fn half_night(
    parts: &HotelDependencies,
    case: &Case,
    agreed: Cents,
) -> Result<Charged, NotReady> {
    let crm = parts.crm.as_ref();
    let number = case.booking_number.clone();
    let number = number.ok_or_else(|| ToolError::new(ErrorCode::BookingNotFound))?;
    let details = json!({ "booking_number": number });
    let numbers = [number];
    let stays = crm.stays_by_number(&numbers).await.answered()?;
    let stay = stays.into_iter().next();
    let stay = stay.ok_or_else(|| ToolError::with(ErrorCode::BookingNotFound, details))?;
    if stay.booking.status != BookingStatus::CheckedIn {
        let details = json!({
            "booking_number": stay.booking.number, "booking_status": stay.booking.status,
            "why": "a fee is posted only while the guest is checked in",
        });
        return Err(ToolError::with(ErrorCode::InvalidTransition, details).into());
    }
    let room = room_named(crm, Some(&stay.room.number)).await?;
    let amount = Cents(room.map_or(0, |room| room.rate.0) / 2);
    check_agreed_price(Some(agreed), amount, None, parts.settings.currency)?;
    Ok(Charged {
        stay,
        amount,
        void: None,
    })
}
