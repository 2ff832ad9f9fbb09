use serde_json::json;

use super::*;

#[test]
fn an_error_uses_the_message_of_its_code() {
    let told = |code: &str, next: &str| {
        let answer =
            json!({ "success": false, "error_code": code, "error_message": "No.", "next": next });
        let told: Vec<_> = outcome(&AnswerBody::of(&answer))
            .iter()
            .map(Sentence::to_string)
            .collect();
        told.join(" ")
    };
    assert_eq!(
        told("BALANCE_NEEDS_DESK", "Settle it at the front desk."),
        "No. Settle it at the front desk."
    );
    assert_eq!(told("ROOM_NOT_FOUND", "Check room_number."), "No.");
    assert_eq!(
        told("PAYMENT_FAILED", "Send it again."),
        "No. Ask again to try another card."
    );
    let nothing = json!({ "success": true, "data": {} });
    assert!(outcome(&AnswerBody::of(&nothing)).is_empty());
}
