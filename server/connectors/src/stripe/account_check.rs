//! Checks that the key opens the account of this store's payments. With a key of another account
//! nothing is read and nothing is sent: there no payment could be found, and a completed payment
//! would look as if it had never happened.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    access_refusal::OTHER_ACCOUNT, payment::Account as Opened, ports::PaymentAccountStore,
    upstream_request::Fault,
};
use jiff::Timestamp;
use tokio::sync::Mutex;

/// How long a successful check is cached: an operator may switch accounts in the meantime.
const CHECK_LIFETIME: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Account {
    memory: Arc<dyn PaymentAccountStore>,
    last_check: Mutex<AccountCheck>,
}

/// A key opens one account for its whole life, so that is requested once; the recorded account may
/// change.
#[derive(Debug, Default)]
pub(super) struct AccountCheck {
    opened: Option<Opened>,
    ours_until: Option<Timestamp>,
}

impl Account {
    pub(super) fn new(memory: Arc<dyn PaymentAccountStore>) -> Self {
        Self {
            memory,
            last_check: Mutex::default(),
        }
    }

    /// State of the check. Whoever holds the lock is the only one that sends requests.
    pub(super) const fn seen(&self) -> &Mutex<AccountCheck> {
        &self.last_check
    }

    /// Compares the key's account with the recorded one; `Err` means that nothing may be sent.
    pub(super) async fn verify_account(
        &self,
        seen: &mut AccountCheck,
        opened: Opened,
        now: Timestamp,
    ) -> Result<(), Fault> {
        let opened = seen.opened.insert(opened).id.clone();
        match self.memory.get_or_set(&opened).await {
            Ok(ours) if ours == opened => {
                seen.ours_until = now.checked_add(CHECK_LIFETIME).ok();
                Ok(())
            }
            Ok(ours) => {
                seen.ours_until = None;
                Err(Fault::new(
                    OTHER_ACCOUNT,
                    format!(
                        "STRIPE_SECRET_KEY opens {opened}, and the payments of this store are on {ours}: set a key of {ours}; or, to use {opened} from now on, run `dewy adopt {opened}`"
                    ),
                ))
            }
            // It matched a moment ago, and a failing store proves nothing else.
            Err(_) if seen.ours_until.is_some() => Ok(()),
            Err(error) => Err(Fault::new(
                "account_not_compared",
                format!("the account could not be compared: {error}"),
            )),
        }
    }
}

impl AccountCheck {
    /// Account that the key opens, once known.
    pub(super) const fn opened(&self) -> Option<&Opened> {
        self.opened.as_ref()
    }

    /// Whether a recent check succeeded.
    pub(super) fn is_ours(&self, now: Timestamp) -> bool {
        self.ours_until.is_some_and(|until| now < until)
    }
}
