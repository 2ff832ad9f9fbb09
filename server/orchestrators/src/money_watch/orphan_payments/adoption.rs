//! Adoption: taking over the payments of installations whose journal is lost.

use dewy_domain::installation_id::InstallationId;
use dewy_saga::StoreError;
use jiff::Timestamp;

use super::{LOOK_BACK, watermark::Watermark};
use crate::saga_parts::{
    engine_conversions,
    key_value_store::KeyValueStore,
    payment_owner::{ADOPTED, adopted},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// Its payments now belong to this installation.
    Adopted,
    /// It was adopted before.
    Already,
    /// It is this installation itself.
    Own,
}

/// Takes over the payments of an installation whose journal is lost. The orphan check covers the
/// last thirty days again.
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
        key_value_store
            .write(ADOPTED, engine_conversions::value(&all))
            .await?;
    }
    // Also if it was adopted before: a crash may have come between the two writes.
    if let Some(mark) = Watermark::read(key_value_store).await? {
        mark.moved_back(now - LOOK_BACK, now)
            .write(key_value_store)
            .await?;
    }
    Ok(if new {
        Adoption::Adopted
    } else {
        Adoption::Already
    })
}
