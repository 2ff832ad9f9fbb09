//! Stripe's published test cards and their behavior; two additional ones (`pm_card_processing`,
//! `pm_card_processingFails`) stand for payment methods that take time.

/// Behavior of a card when charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behavior {
    Pays,
    /// Declined: error code, decline code.
    Declines(&'static str, &'static str),
    /// Like `Declines`, but it can be attached to a customer first.
    DeclinesOnceAttached,
    /// Requires authentication every time.
    Authenticates,
    /// Requires authentication unless the card is attached to a customer.
    AuthenticatesOnSetup,
    /// Succeeds; a refund is pending first.
    PendingRefund,
    /// Succeeds; a refund succeeds and fails later.
    RefundFails,
    /// Succeeds; the charge is disputed at once.
    Disputes,
    /// Processing for a while (no Stripe card does this, but other payment methods do), then
    /// succeeds or fails.
    Processing(bool),
}

#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// How a payment with it goes.
    pub behavior: Behavior,
    /// `visa`, `mastercard`, …
    pub brand: &'static str,
    /// Last four digits.
    pub last4: &'static str,
}

/// Card of a test id such as `pm_card_visa`.
#[must_use]
pub fn card(token: &str) -> Option<Card> {
    use Behavior::{
        Authenticates, AuthenticatesOnSetup, Declines, DeclinesOnceAttached, Disputes, Pays,
        PendingRefund, Processing, RefundFails,
    };
    let name = token.strip_prefix("pm_card_")?;
    let name = match name.strip_prefix("visa_") {
        Some(rest) if rest.starts_with("charge") => rest,
        _ => name,
    };
    let (behavior, brand, last4) = match name {
        "visa" | "us" => (Pays, "visa", "4242"),
        "visa_debit" => (Pays, "visa", "5556"),
        "mastercard" => (Pays, "mastercard", "4444"),
        "amex" => (Pays, "amex", "0005"),
        "discover" => (Pays, "discover", "1117"),
        "createDispute" => (Disputes, "visa", "0259"),
        "chargeDeclined" => (Declines("card_declined", "generic_decline"), "visa", "0002"),
        "chargeDeclinedInsufficientFunds" => (
            Declines("card_declined", "insufficient_funds"),
            "visa",
            "9995",
        ),
        "chargeDeclinedLostCard" => (Declines("card_declined", "lost_card"), "visa", "9987"),
        "chargeDeclinedStolenCard" => (Declines("card_declined", "stolen_card"), "visa", "9979"),
        "chargeDeclinedExpiredCard" => (Declines("expired_card", "expired_card"), "visa", "0069"),
        "chargeDeclinedIncorrectCvc" => {
            (Declines("incorrect_cvc", "incorrect_cvc"), "visa", "0127")
        }
        "chargeDeclinedProcessingError" => (
            Declines("processing_error", "processing_error"),
            "visa",
            "0119",
        ),
        "chargeCustomerFail" => (DeclinesOnceAttached, "visa", "0341"),
        "authenticationRequired" => (Authenticates, "visa", "3184"),
        "authenticationRequiredOnSetup" => (AuthenticatesOnSetup, "visa", "3155"),
        "threeDSecure2Required" => (Authenticates, "visa", "3220"),
        "threeDSecureRequired" => (Authenticates, "visa", "3063"),
        "pendingRefund" => (PendingRefund, "visa", "7726"),
        "processing" => (Processing(true), "visa", "0000"),
        "processingFails" => (Processing(false), "visa", "0001"),
        "refundFail" => (RefundFails, "visa", "5126"),
        _ => return None,
    };
    Some(Card {
        behavior,
        brand,
        last4,
    })
}

#[must_use]
pub fn decline_message(code: &str, decline: &str) -> &'static str {
    match (code, decline) {
        ("expired_card", _) => "Your card has expired.",
        ("incorrect_cvc", _) => "Your card's security code is incorrect.",
        ("processing_error", _) => {
            "An error occurred while processing your card. Try again in a little bit."
        }
        ("authentication_required", _) => {
            "Your card was declined. This transaction requires authentication."
        }
        (_, "insufficient_funds") => "Your card has insufficient funds.",
        _ => "Your card was declined.",
    }
}
