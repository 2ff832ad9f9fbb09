//! Cache of seeded parts by seed and day: test suites create many thousands of sandboxes.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::salesforce::Org;
use crate::stripe::Stripe;

type Key = (u64, Date, bool);
static BUILT: LazyLock<Mutex<BTreeMap<Key, (Org, Stripe)>>> =
    LazyLock::new(|| Mutex::new(BTreeMap::new()));

/// Seeded systems; with `durable` every row counts as changed, so that the first flush writes it.
pub fn parts(seed: u64, day: Date, durable: bool) -> (Org, Stripe) {
    let mut built = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
    if built.len() > 32 {
        built.clear();
    }
    let (org, stripe) = built.entry((seed, day, durable)).or_insert_with(|| {
        let midnight = day
            .to_zoned(TimeZone::UTC)
            .map(|zoned| zoned.timestamp())
            .unwrap_or_default();
        let (mut org, mut stripe) = (Org::seeded(seed, day), Stripe::seeded(seed, midnight));
        if !durable {
            drop(org.drain_dirty());
            drop(stripe.drain_dirty());
        }
        (org, stripe)
    });
    (org.clone(), stripe.clone())
}
