//! Compares the currencies of hotel, org and account. Most amounts of an org carry no currency, so
//! a mismatch would charge the wrong amount, and nothing else would detect it.

use std::time::Duration;

use anyhow::bail;
use dewy_connectors::Salesforce;
use dewy_domain::{
    money::Currency, payment::Account, ports::Payments, statement_suffix::StatementSuffix,
};

use crate::{config::Config, systems::connect_systems::Systems};

/// Time that startup waits for the comparison.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(5);

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
    match crm.currency(hotel).await.answered() {
        Ok(org) => match org.mismatch(hotel) {
            Some(words) => CurrencyComparison::Other(words),
            None => CurrencyComparison::Same(format!("amounts are in {hotel}")),
        },
        Err(error) => CurrencyComparison::Untold(format!(
            "its currency could not be compared with HOTEL_CURRENCY ({hotel}); see Company Information in its setup ({error})"
        )),
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

/// Message for a configured suffix that is too long beside the account's prefix: Stripe would cut it
/// off, or refuse the payment.
#[must_use]
pub fn suffix_mismatch(account: &Account, suffix: Option<&StatementSuffix>) -> Option<String> {
    let prefix = account.statement_prefix.as_deref()?;
    let suffix = suffix.filter(|suffix| !suffix.fits(prefix))?;
    Some(format!(
        "STRIPE_STATEMENT_SUFFIX is too long: \"{prefix}* {suffix}\" has more than 22 characters"
    ))
}

/// Compares account and currencies before the first payment. A key of another account raises an
/// alarm and fails every payment; with another currency every amount would be wrong, so the server
/// doesn't start.
///
/// # Errors
/// The org's currency is another one.
pub async fn compare_at_startup(config: &Config, systems: &Systems) -> anyhow::Result<()> {
    let hotel = config.hotel.currency;
    let account = async {
        let suffix = config.payment_texts.statement_suffix.as_ref();
        let account = systems.payments.account().await.answered().ok();
        account.map_or([None, None], |account| {
            [
                account_mismatch(&account, hotel),
                suffix_mismatch(&account, suffix),
            ]
        })
    };
    let both = async { tokio::join!(compare_with_org(&systems.crm, hotel), account) };
    // Which fields our user does not see, before a page asks for them
    let fields = systems.crm.learn_fields();
    let (compared, _) = tokio::join!(
        tokio::time::timeout(STARTUP_TIMEOUT, both),
        tokio::time::timeout(STARTUP_TIMEOUT, fields)
    );
    let Ok((org, warnings)) = compared else {
        tracing::warn!(
            "the org's and the account's currencies could not be compared in time; run `dewy check`"
        );
        return Ok(());
    };
    for words in warnings.into_iter().flatten() {
        tracing::warn!("Stripe: {words}");
    }
    match org {
        CurrencyComparison::Same(_) => {}
        CurrencyComparison::Untold(words) => tracing::warn!("Salesforce: {words}"),
        CurrencyComparison::Other(words) => bail!("{words}"),
    }
    Ok(())
}
