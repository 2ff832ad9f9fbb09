//! Which facts about a payment a person should see; pure.

use dewy_domain::payment::{Dispute, Refund};
use dewy_saga::State;

use super::Finding;
use crate::saga_parts::payment_owner::EXECUTION;

/// What is known about one of our payments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaymentState<'a> {
    /// State of the execution that took it; `None` if the journal has lost it.
    pub state: Option<State>,
    /// Whether the execution's check-out stands.
    pub is_completed: bool,
    pub refunds: &'a [Refund],
    pub disputes: &'a [Dispute],
}

/// The facts, each of which becomes one record.
pub(crate) fn findings(of: PaymentState<'_>) -> Vec<Finding> {
    let refunds = of
        .refunds
        .iter()
        .filter(|refund| refund.status.is_effective());
    let elsewhere = refunds.filter(|refund| match of.state {
        // A completed check-out is paid for: no refund of it is ours, whatever its metadata says.
        Some(State::Completed) => true,
        Some(State::NeedsAttention | State::SettledByHand) => of.is_completed && !ours(refund),
        // It refunds by itself, or has: another refund leaves nothing to do.
        Some(_) => false,
        None => !ours(refund),
    });
    let elsewhere = elsewhere.map(|refund| Finding::RefundedElsewhere {
        refund: refund.clone(),
    });
    let disputes = of.disputes.iter().filter(|dispute| !dispute.is_over_well());
    let disputes = disputes.map(|dispute| match dispute.is_lost() {
        true => Finding::DisputeLost {
            dispute: dispute.clone(),
        },
        false => Finding::Disputed {
            dispute: dispute.clone(),
        },
    });
    elsewhere.chain(disputes).collect()
}

/// Whether an installation of this program created the refund; such refunds name their execution in
/// the metadata.
fn ours(refund: &Refund) -> bool {
    refund.metadata.contains_key(EXECUTION)
}

#[cfg(test)]
mod tests {
    use dewy_domain::{money::Cents, payment::RefundStatus};
    use jiff::Timestamp;

    use super::*;

    fn refund(status: RefundStatus, by_us: bool) -> Refund {
        let metadata = by_us
            .then(|| (EXECUTION.to_owned(), "exe_1".to_owned()))
            .into_iter()
            .collect();
        Refund {
            id: "re_1".into(),
            status,
            amount: Cents(100),
            payment_intent: "pi_1".parse().unwrap(),
            created: None,
            reason: None,
            metadata,
        }
    }

    fn facts(
        state: Option<State>,
        stands: bool,
        refunds: &[Refund],
        disputes: &[Dispute],
    ) -> Vec<String> {
        findings(PaymentState {
            state,
            is_completed: stands,
            refunds,
            disputes,
        })
        .iter()
        .map(|finding| finding.fact(&"pi_1".parse().unwrap()))
        .collect()
    }

    #[test]
    fn refunds_of_completed_stays_are_findings() {
        let (theirs, own) = (
            refund(RefundStatus::Succeeded, false),
            refund(RefundStatus::Pending, true),
        );
        let finding = |state, stands, refund: &Refund| {
            !facts(state, stands, std::slice::from_ref(refund), &[]).is_empty()
        };
        assert!(finding(Some(State::Completed), true, &theirs));
        assert!(
            finding(Some(State::Completed), true, &own),
            "another sweep's"
        );
        assert!(finding(Some(State::NeedsAttention), true, &theirs));
        assert!(
            !finding(Some(State::NeedsAttention), false, &theirs),
            "the person who is on it has made it"
        );
        assert!(!finding(Some(State::Compensated), false, &theirs));
        assert!(
            !finding(Some(State::Running), false, &theirs),
            "it reads the payment before it goes on"
        );
        assert!(finding(None, false, &theirs), "of a lost journal");
        assert!(!finding(None, false, &own));
        assert!(
            !finding(
                Some(State::Completed),
                true,
                &refund(RefundStatus::Failed, false)
            ),
            "nothing went back"
        );
    }

    #[test]
    fn opened_and_lost_disputes_are_findings() {
        let dispute = |status: &str| Dispute {
            id: "du_1".into(),
            status: status.into(),
            amount: Cents(100),
            payment_intent: "pi_1".parse().unwrap(),
            reason: "fraudulent".into(),
            due_by: None,
            created: Timestamp::UNIX_EPOCH,
        };
        for (status, fact) in [
            ("needs_response", Some("disputed:du_1")),
            ("warning_needs_response", Some("disputed:du_1")),
            ("under_review", Some("disputed:du_1")),
            ("lost", Some("dispute_lost:du_1")),
            ("won", None),
            ("warning_closed", None),
        ] {
            for state in [Some(State::Completed), Some(State::Compensated), None] {
                let found = facts(state, false, &[], &[dispute(status)]);
                assert_eq!(
                    found.first().map(String::as_str),
                    fact,
                    "{status} {state:?}"
                );
            }
        }
    }
}
