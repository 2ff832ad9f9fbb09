//! Whether a stay may be checked out, and what is then charged.

use dewy_domain::{
    error_code::ErrorCode,
    money::Cents,
    stay::Stay,
    tool_answer::{Problem, ToolError},
    tool_catalog::ProcessGuestCheckout,
    vocabulary::BookingStatus,
};
use serde_json::json;

use crate::saga_parts::tool_answer::need_balance;

/// Whether this stay may be checked out as the input says: the balance of its folio.
///
/// # Errors
/// The caller's error; nothing was done.
pub(crate) fn check_allowed(stay: &Stay, input: &ProcessGuestCheckout) -> Result<Cents, ToolError> {
    if stay.booking.status != BookingStatus::CheckedIn {
        let details =
            json!({ "booking_number": stay.booking.number, "booking_status": stay.booking.status });
        return Err(ToolError::with(ErrorCode::InvalidTransition, details));
    }
    if !stay.shares_folio_with.is_empty() {
        let details =
            json!({ "booking_number": stay.booking.number, "shared_with": stay.shares_folio_with });
        return Err(ToolError::with(ErrorCode::SharedFolio, details));
    }
    let (balance, agreed) = (need_balance(stay)?, input.amount);
    let leave_open = input.leave_open == Some(true);
    // Whatever was agreed to, no card settles it
    if balance.needs_front_desk() && !leave_open {
        return Err(ToolError::with(
            ErrorCode::BalanceNeedsDesk,
            json!({ "balance": balance }),
        ));
    }
    if agreed != balance {
        return Err(ToolError::with(
            ErrorCode::AmountMismatch,
            json!({ "amount": agreed, "balance": balance }),
        ));
    }
    if leave_open && balance != Cents(0) && !balance.needs_front_desk() {
        return Err(ToolError::problems(&[Problem::new(
            "leave_open",
            "is only for a balance that no card can settle; this one can be charged",
        )]));
    }
    Ok(balance)
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        stay::{Booking, Opportunity, Room, Stamp},
        vocabulary::{OpportunityStage, RoomStatus},
    };

    use super::*;

    fn stay(cents: i64) -> Stay {
        let stamp = Stamp {
            at: jiff::Timestamp::UNIX_EPOCH,
            by: "005".into(),
        };
        Stay {
            booking: Booking {
                id: "a01".into(),
                number: "BK-0042".into(),
                status: BookingStatus::CheckedIn,
                check_in: jiff::civil::date(2026, 3, 8),
                check_out: jiff::civil::date(2026, 3, 10),
                guest_id: "003".into(),
                external_id: Some(String::new()),
                stamp: stamp.clone(),
            },
            room: Room {
                id: "a02".into(),
                number: "302".into(),
                status: RoomStatus::Occupied,
                current_guest: Some("003".into()),
                stamp: stamp.clone(),
            },
            opportunity: Opportunity {
                id: "006".into(),
                stage: OpportunityStage::CheckedIn,
                amount: Some(Cents(cents)),
                close_date: jiff::civil::date(2026, 3, 10),
                payment_id: None,
                stamp,
            },
            lines: vec![],
            guest_email: None,
            shares_folio_with: vec![],
        }
    }

    fn input(cents: i64, leave_open: bool) -> ProcessGuestCheckout {
        let input =
            json!({ "guest_email": "beth@example.com", "amount": cents, "leave_open": leave_open });
        serde_json::from_value(input).unwrap()
    }

    #[test]
    fn only_the_exact_balance_may_be_charged() {
        assert!(check_allowed(&stay(25000), &input(25000, false)).is_ok());
        let error = check_allowed(&stay(25000), &input(24999, false)).unwrap_err();
        assert_eq!(error.code, ErrorCode::AmountMismatch);
    }

    #[test]
    fn uncollectible_balances_are_for_the_front_desk_which_may_leave_them_open() {
        assert!(check_allowed(&stay(0), &input(0, false)).is_ok());
        assert!(check_allowed(&stay(0), &input(0, true)).is_ok());
        assert!(check_allowed(&stay(50), &input(50, false)).is_ok());
        for cents in [1, 49, -100] {
            // Also if the caller agreed to another amount, such as nothing
            for agreed in [cents, 0] {
                let error = check_allowed(&stay(cents), &input(agreed, false)).unwrap_err();
                assert_eq!(error.code, ErrorCode::BalanceNeedsDesk, "{cents}");
            }
            assert!(
                check_allowed(&stay(cents), &input(cents, true)).is_ok(),
                "{cents}"
            );
            let error = check_allowed(&stay(cents), &input(0, true)).unwrap_err();
            assert_eq!(error.code, ErrorCode::AmountMismatch, "{cents}");
        }
        let error = check_allowed(&stay(50), &input(50, true)).unwrap_err();
        assert_eq!(error.code, ErrorCode::ValidationFailed);
    }

    #[test]
    fn a_shared_folio_and_a_wrong_status_are_refused() {
        let mut shared = stay(25000);
        shared.shares_folio_with = vec!["BK-0043".into()];
        assert_eq!(
            check_allowed(&shared, &input(25000, false))
                .unwrap_err()
                .code,
            ErrorCode::SharedFolio
        );
        let mut reserved = stay(25000);
        reserved.booking.status = BookingStatus::Reserved;
        assert_eq!(
            check_allowed(&reserved, &input(25000, false))
                .unwrap_err()
                .code,
            ErrorCode::InvalidTransition
        );
    }
}
