//! Installations whose journal is lost, and which this one therefore stands in for.

use dewy_domain::installation::InstallationId;
use dewy_saga::StoreError;
use jiff::Timestamp;

use super::{LOOK_BACK, watermark::Watermark};
use crate::{
    bridge,
    key_value_store::KeyValueStore,
    ownership::{ADOPTED, adopted},
};

/// What became of adopting one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// Its payments are ours from now on.
    Adopted,
    /// They were before.
    Already,
    /// It is this very installation.
    Own,
}

/// Takes over the payments of an installation whose journal is lost. The sweep looks again at the
/// last thirty days.
///
/// # Errors
/// When the store failed.
pub async fn adopt(
    key_value_store: &dyn KeyValueStore,
    own: InstallationId,
    other: InstallationId,
    now: Timestamp,
) -> Result<Adoption, StoreError> {
    if own == other {
        return Ok(Adoption::Own);
    }
    let mut all = adopted(key_value_store).await?;
    let new = all.insert(other);
    if new {
        key_value_store.write(ADOPTED, bridge::value(&all)).await?;
    }
    // Also when it was adopted before: a crash may have come between the two.
    if let Some(mark) = Watermark::read(key_value_store).await? {
        mark.back_to(now - LOOK_BACK, now)
            .write(key_value_store)
            .await?;
    }
    Ok(if new {
        Adoption::Adopted
    } else {
        Adoption::Already
    })
}
