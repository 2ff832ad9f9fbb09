//! The currencies of hotel, org and account, compared. Most amounts of an org say no currency, so
//! one that is meant otherwise would be charged wrongly, and nothing else would tell.

use dewy_connectors::Salesforce;
use dewy_domain::{call::Reply, money::Currency, payment::Account};

/// What became of comparing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// They are the same; in words.
    Same(String),
    /// They differ for sure; in words, with the way out.
    Other(String),
    /// The org did not tell.
    Untold(String),
}

/// The hotel's and the org's.
pub async fn of_org(crm: &Salesforce, hotel: Currency) -> Compared {
    match crm.currency(hotel).await {
        Reply::Done(org) => match org.mismatch(hotel) {
            Some(words) => Compared::Other(words),
            None => Compared::Same(format!("amounts are in {hotel}")),
        },
        Reply::Refused(trouble) | Reply::TryLater(trouble) | Reply::Unknown(trouble) => {
            Compared::Untold(format!(
                "its currency could not be compared with HOTEL_CURRENCY ({hotel}); see Company Information in its setup ({trouble})"
            ))
        }
    }
}

/// What to say of an account whose own currency is another one. What is charged is charged in the
/// hotel's all the same.
#[must_use]
pub fn of_account(account: &Account, hotel: Currency) -> Option<String> {
    (account.currency != hotel.code()).then(|| {
        format!(
            "its own currency is {}: Stripe converts what is charged in {hotel} when it pays out",
            account.currency
        )
    })
}
