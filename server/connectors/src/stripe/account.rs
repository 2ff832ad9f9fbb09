//! Whether the key opens the account that our payments are on. With a key of another one nothing is
//! asked and nothing is sent: there no payment of ours can be found, and a payment that was taken
//! would look as if it had never been.

use std::{sync::Arc, time::Duration};

use dewy_domain::{call::Trouble, payment::Account as Opened, ports::AccountMemory};
use jiff::Timestamp;
use tokio::sync::Mutex;

/// The key opens another account than the one the store's payments are on.
pub(crate) const OTHER_ACCOUNT: &str = "stripe_other_account";

/// For how long an account that was found to be ours is not asked about again: an operator may move
/// to another one meanwhile.
const OURS_FOR: Duration = Duration::from_secs(10);

/// What is known of the account.
#[derive(Debug)]
pub(super) struct Account {
    memory: Arc<dyn AccountMemory>,
    seen: Mutex<Seen>,
}

/// A key opens one account for as long as it lives, so that is asked once; which account is ours
/// may change.
#[derive(Debug, Default)]
pub(super) struct Seen {
    opened: Option<Opened>,
    ours_until: Option<Timestamp>,
}

impl Account {
    pub(super) fn new(memory: Arc<dyn AccountMemory>) -> Self {
        Self {
            memory,
            seen: Mutex::default(),
        }
    }

    /// What was seen so far. Who holds it is the only one that asks.
    pub(super) const fn seen(&self) -> &Mutex<Seen> {
        &self.seen
    }

    /// Compares the account that the key opens with the one that is remembered; an `Err` is that
    /// nothing may be sent.
    pub(super) async fn judge(
        &self,
        seen: &mut Seen,
        opened: Opened,
        now: Timestamp,
    ) -> Result<(), Trouble> {
        let opened = seen.opened.insert(opened).id.clone();
        match self.memory.remember(&opened).await {
            Ok(ours) if ours == opened => {
                seen.ours_until = now.checked_add(OURS_FOR).ok();
                Ok(())
            }
            Ok(ours) => {
                seen.ours_until = None;
                Err(Trouble::new(
                    OTHER_ACCOUNT,
                    format!(
                        "STRIPE_SECRET_KEY opens {opened}, and the payments of this store are on {ours}: set a key of {ours}; or, to use {opened} from now on, run `dewy adopt {opened}`"
                    ),
                ))
            }
            // It was ours a moment ago, and a store that fails now says nothing else.
            Err(_) if seen.ours_until.is_some() => Ok(()),
            Err(error) => Err(Trouble::new(
                "account_not_compared",
                format!("the account could not be compared: {error}"),
            )),
        }
    }
}

impl Seen {
    /// The account that the key opens, once known.
    pub(super) const fn opened(&self) -> Option<&Opened> {
        self.opened.as_ref()
    }

    /// Whether it was found to be ours a moment ago.
    pub(super) fn is_ours(&self, now: Timestamp) -> bool {
        self.ours_until.is_some_and(|until| now < until)
    }
}
