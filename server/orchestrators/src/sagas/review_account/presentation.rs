//! Presentation of an account review: what happened, and what to do.

use dewy_domain::{money::Currency, payment::Account, sentence::Sentence};
use dewy_saga::Progress;

use super::account_finding::AccountFinding;
use crate::saga_parts::{
    presentation::{Presentation, Presented},
    settings::Settings,
};

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (progress, settings) = (of.progress, of.settings);
        match progress.facts::<AccountFinding>() {
            Some(finding) => sentence(&finding, settings).into(),
            None => "Reading the event.".into(),
        }
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        match progress.facts::<AccountFinding>() {
            Some(AccountFinding::PayoutFailed { payout }) => {
                vec![("Stripe payout".to_owned(), payout.id)]
            }
            Some(AccountFinding::Restricted { account }) => {
                vec![("Stripe account".to_owned(), account.id)]
            }
            None => Vec::new(),
        }
    }
}

fn sentence(finding: &AccountFinding, settings: &Settings) -> String {
    match finding {
        AccountFinding::PayoutFailed { payout } => {
            let sum = match payout.currency.parse::<Currency>() {
                Ok(currency) => settings.money(payout.amount, currency),
                Err(_) => format!(
                    "{} (in the smallest unit of {})",
                    payout.amount.0, payout.currency
                ),
            };
            let why = payout
                .failure
                .as_ref()
                .map_or_else(String::new, |why| format!(": {why}"));
            let why = why.trim_end_matches('.');
            format!(
                "A payout of {sum} to the hotel's bank account failed{why}. Check the bank account in Stripe's dashboard (Settings, Payouts); once it is right, Stripe pays out again."
            )
        }
        AccountFinding::Restricted { account } => restriction(account),
    }
}

fn restriction(account: &Account) -> String {
    let mut sentences = Vec::new();
    if !account.takes_payments {
        sentences.push(
            "Stripe takes no payments for this account: guests can't pay by card, and check-outs with a balance fail."
                .to_owned(),
        );
    }
    if !account.pays_out {
        sentences.push("Stripe pays nothing out to the hotel's bank account.".to_owned());
    }
    if !account.past_due.is_empty() {
        sentences.push(format!(
            "Information for Stripe is overdue ({}).",
            account.past_due.join(", ").replace('_', " ")
        ));
    }
    if let Some(reason) = &account.disabled_reason {
        sentences.push(format!(
            "Stripe's reason: {}.",
            reason.replace(['_', '.'], " ")
        ));
    }
    sentences.push(
        "Open Stripe's dashboard, where the home page says what it needs; then mark this as solved."
            .to_owned(),
    );
    sentences.join(" ")
}
