//! Why a person must look at an execution, in words for staff.

use dewy_domain::vocabulary::AttentionReason;

pub fn reason(reason: &AttentionReason) -> &str {
    match reason {
        AttentionReason::RevertFailed => {
            "The payment was refunded, but what had moved could not be put back"
        }
        AttentionReason::ForeignEdit => {
            "Someone else had changed a record, so it was left as found"
        }
        AttentionReason::RefundRefused => "Stripe refused the refund, so nothing was put back",
        AttentionReason::HoldNotReleased => {
            "A hold on a guest’s card could not be released: release or refund it in Stripe"
        }
        AttentionReason::RefundFailedLater => {
            "The refund was accepted and failed later: the guest has no money back"
        }
        AttentionReason::UnknownOutcome => "The outcome of a request could not be determined",
        AttentionReason::OpenBalance => "The guest has left, and the folio isn’t settled",
        AttentionReason::OrphanOverLimit => {
            "A payment without a check-out is over the limit, so a manager decides"
        }
        AttentionReason::CompensatedByAnother => {
            "Another execution has a compensation of the same payment on record"
        }
        // Recorded by releases that asked for a person for each payment of another program
        AttentionReason::ForeignPayment => {
            "Another program took this payment, so it was not touched"
        }
        AttentionReason::RefundedElsewhere => {
            "The payment of a completed check-out was refunded outside this program"
        }
        AttentionReason::PaymentDisputed => "The card's owner disputes a payment",
        AttentionReason::FundsWithdrawn => {
            "A question about a payment has become a dispute: the bank holds the money"
        }
        AttentionReason::FraudWarning => "A card network warns that a payment may be fraud",
        AttentionReason::PayoutFailed => "A payout did not reach the hotel's bank account",
        AttentionReason::AccountRestricted => "Stripe restricts the account, or is about to",
        AttentionReason::DisputeLost => "A dispute was lost: the bank has taken the money back",
        AttentionReason::SecondPayment => "One check-out has taken two payments",
        AttentionReason::RecordIncomplete => {
            "A record in Salesforce is incomplete, so a payment can't be matched to its stay"
        }
        AttentionReason::PaymentNotJudged => {
            "The purpose of a payment could not be determined for weeks"
        }
        AttentionReason::Stuck => {
            "It failed repeatedly at the same point, so it was taken out of the queue"
        }
        AttentionReason::DefinitionMissing => {
            "It was started by a version of this program that is no longer installed"
        }
        AttentionReason::RecordUnreadable => {
            "A row of its record is damaged, so it can’t continue by itself"
        }
        AttentionReason::LatePayment => {
            "A payment turned up after somebody had settled this by hand"
        }
        AttentionReason::SolvedByHand => "Somebody settled it by hand",
        AttentionReason::Other(word) => word,
    }
}
