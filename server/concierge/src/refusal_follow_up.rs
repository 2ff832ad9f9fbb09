//! Question that follows a refused call, for the model to ask: what the person may want instead.

use dewy_domain::answer_body::AnswerBody;
use serde_json::Value;

/// The question, in English; the model asks it in the person's language. `None` where the refusal
/// leaves nothing to ask.
pub(crate) fn after(answer: &Value) -> Option<String> {
    let answer = AnswerBody::of(answer);
    let details = answer.details;
    let day = |day: &Option<String>| day.clone().unwrap_or_default();
    let question = match answer.error_code.as_str() {
        "BOOKING_NOT_FOUND" => match details.reservations.first() {
            Some(stay) => format!(
                "You are not checked in yet: booking {} is from {} to {}. Do you want to check in, or to change \
                    or cancel it?",
                stay.booking_number,
                day(&stay.check_in_date),
                day(&stay.check_out_date)
            ),
            None if details.searched.as_deref() == Some("own stays") => {
                "I can see only your own stays. Which one do you mean?".to_owned()
            }
            None => return None,
        },
        "RESERVATION_NOT_FOUND" => "Do you want to book a room?".to_owned(),
        "OUTSIDE_CHECK_IN_WINDOW" => format!(
            "The booking is from {} to {}. Do you want to change its dates?",
            day(&details.check_in_date),
            day(&details.check_out_date)
        ),
        "TOO_MANY_GUESTS" => format!(
            "The room holds {}. Do you want to move to a larger room?",
            details.max_occupancy.unwrap_or_default()
        ),
        "ROOM_ALREADY_BOOKED" | "ROOM_OUT_OF_SERVICE" => {
            "Do you want to see other rooms or other dates?".to_owned()
        }
        "MULTIPLE_BOOKINGS" | "MULTIPLE_RESERVATIONS" => "Which one do you mean?".to_owned(),
        "DATES_INVALID" => "Which dates would suit you?".to_owned(),
        "PAYMENT_FAILED" => "Do you want to try another card?".to_owned(),
        "VALIDATION_FAILED" => return details.ask,
        "GUEST_NOT_FOUND" => "Is the name or the email spelled correctly?".to_owned(),
        _ => return None,
    };
    Some(question)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_refusal_suggests_an_alternative() {
        let ask = |code: &str, details: Value| {
            after(&json!({ "success": false, "error_code": code, "details": details }))
        };
        let stay = json!({ "booking_number": "BK-0034", "check_in_date": "2026-11-23", "check_out_date": "2026-11-26" });
        let question = ask("BOOKING_NOT_FOUND", json!({ "reservations": [stay] })).unwrap();
        assert!(question.contains("BK-0034") && question.contains("cancel"));
        let question = ask("BOOKING_NOT_FOUND", json!({ "searched": "own stays" })).unwrap();
        assert!(question.contains("only your own"));
        assert_eq!(ask("BOOKING_NOT_FOUND", json!({})), None, "staff ask");
        let question = ask("TOO_MANY_GUESTS", json!({ "max_occupancy": 2 })).unwrap();
        assert_eq!(
            question,
            "The room holds 2. Do you want to move to a larger room?"
        );
        assert_eq!(ask("INTERNAL", json!({})), None);
        assert_eq!(after(&json!({ "success": true })), None);
    }
}
