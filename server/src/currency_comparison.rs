//! Compares the currencies of hotel, org and account. Most amounts of an org carry no currency, so
//! a mismatch would charge the wrong amount, and nothing else would detect it.

use dewy_connectors::Salesforce;
use dewy_domain::{money::Currency, payment::Account, upstream_request::Reply};

/// Result of the comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CurrencyComparison {
    /// Same currency; description.
    Same(String),
    /// Different currencies; description and fix.
    Other(String),
    /// The org doesn't report its currency.
    Untold(String),
}

/// Compares the hotel's currency with the org's.
pub async fn compare_with_org(crm: &Salesforce, hotel: Currency) -> CurrencyComparison {
    match crm.currency(hotel).await {
        Reply::Done(org) => match org.mismatch(hotel) {
            Some(words) => CurrencyComparison::Other(words),
            None => CurrencyComparison::Same(format!("amounts are in {hotel}")),
        },
        Reply::Refused(error) | Reply::TryLater(error) | Reply::Unknown(error) => {
            CurrencyComparison::Untold(format!(
                "its currency could not be compared with HOTEL_CURRENCY ({hotel}); see Company Information in its setup ({error})"
            ))
        }
    }
}

/// Message for an account whose default currency differs. Charges are still made in the hotel's
/// currency.
#[must_use]
pub fn account_mismatch(account: &Account, hotel: Currency) -> Option<String> {
    (account.currency != hotel.code()).then(|| {
        format!(
            "its own currency is {}: Stripe converts charges in {hotel} when it pays out",
            account.currency
        )
    })
}
