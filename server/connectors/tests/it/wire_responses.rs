//! Wire responses in the vendors' documented shapes.

pub const STAYS: &str = include_str!("../fixtures/stays.json");
pub const CHECKED_OUT: &str = include_str!("../fixtures/composite_done.json");
pub const PAYMENT: &str = include_str!("../fixtures/payment_succeeded.json");
pub const DECLINE: &str = include_str!("../fixtures/decline.json");
pub const CANCEL_TOO_LATE: &str = include_str!("../fixtures/cancel_too_late.json");

/// A composite that was rolled back: `reference` failed with this, all others were halted.
pub fn rolled_back(reference: &str, status: u16, code: &str, message: &str) -> String {
    let part = |name: &str| {
        let (status, code, message) = if name == reference {
            (status, code, message)
        } else {
            (
                400,
                "PROCESSING_HALTED",
                "The transaction was rolled back since another operation in the same transaction failed.",
            )
        };
        format!(
            r#"{{"body":[{{"errorCode":"{code}","message":"{message}"}}],"httpHeaders":{{}},"httpStatusCode":{status},"referenceId":"{name}"}}"#
        )
    };
    let parts = ["guard", "opportunity", "room", "booking", "marker", "trace"].map(part);
    format!(r#"{{"compositeResponse":[{}]}}"#, parts.join(","))
}

/// Salesforce's error body.
pub fn errors(code: &str) -> String {
    format!(r#"[{{"message":"words","errorCode":"{code}"}}]"#)
}

/// Stripe's error body.
pub fn error(kind: &str, code: Option<&str>) -> String {
    let code = code
        .map(|code| format!(r#","code":"{code}""#))
        .unwrap_or_default();
    format!(r#"{{"error":{{"type":"{kind}","message":"words"{code}}}}}"#)
}
