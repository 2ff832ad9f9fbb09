//! Facts about the Stripe account that a person should see.

use dewy_domain::{
    payment::{Account, Payout},
    vocabulary::AttentionReason,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum AccountFinding {
    /// Money did not reach the hotel's bank account.
    PayoutFailed { payout: Payout },
    /// Stripe takes no payments, pays nothing out, or will do so soon.
    Restricted { account: Account },
}

impl AccountFinding {
    /// What is wrong with an account, if anything.
    pub(crate) fn of_account(account: &Account) -> Option<Self> {
        let fine = account.takes_payments && account.pays_out && account.past_due.is_empty();
        (!fine).then(|| Self::Restricted {
            account: account.clone(),
        })
    }

    /// Stable id of the fact. Another requirement is another fact.
    pub(crate) fn fact(&self) -> String {
        match self {
            Self::PayoutFailed { payout } => format!("payout_failed:{}", payout.id),
            Self::Restricted { account } => {
                let mut missing = account.past_due.clone();
                missing.sort();
                let marks = [
                    (!account.takes_payments).then(|| "charges".to_owned()),
                    (!account.pays_out).then(|| "payouts".to_owned()),
                ];
                let marks: Vec<String> = marks.into_iter().flatten().chain(missing).collect();
                format!("restricted:{}:{}", account.id, marks.join("+"))
            }
        }
    }

    /// Attention reason for lists and pages.
    pub(crate) const fn reason(&self) -> AttentionReason {
        match self {
            Self::PayoutFailed { .. } => AttentionReason::PayoutFailed,
            Self::Restricted { .. } => AttentionReason::AccountRestricted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(takes_payments: bool, pays_out: bool, past_due: &[&str]) -> Account {
        Account {
            id: "acct_1".to_owned(),
            currency: "usd".to_owned(),
            takes_payments,
            pays_out,
            past_due: past_due.iter().map(|&name| name.to_owned()).collect(),
            disabled_reason: None,
            statement_prefix: None,
        }
    }

    #[test]
    fn a_restricted_account_is_a_fact_of_its_own_for_each_restriction() {
        let fact = |account: Account| AccountFinding::of_account(&account).map(|f| f.fact());
        assert_eq!(fact(account(true, true, &[])), None);
        let all = [
            fact(account(false, true, &[])),
            fact(account(true, false, &[])),
            fact(account(true, true, &["a"])),
            fact(account(true, true, &["a", "b"])),
        ];
        assert!(all.iter().all(Option::is_some));
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(
            fact(account(true, true, &["b", "a"])),
            fact(account(true, true, &["a", "b"]))
        );
    }
}
