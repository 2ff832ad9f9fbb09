//! Who of the staff looks after an execution.

use std::collections::BTreeMap;

use dewy_domain::{caller::Caller, execution_view::RecordOwner};
use dewy_saga::{ExecutionId, StoreError};

use crate::{hotel::hotel_service::Hotel, saga_parts::engine_conversions};

fn key(id: ExecutionId) -> String {
    format!("record_owner:{id}")
}

/// Owners of these executions, in one read.
pub(crate) async fn of(
    hotel: &Hotel,
    ids: &[ExecutionId],
) -> Result<BTreeMap<ExecutionId, RecordOwner>, StoreError> {
    if ids.is_empty() {
        return Ok(BTreeMap::new());
    }
    let names: Vec<_> = ids.iter().copied().map(key).collect();
    let known = hotel.key_value_store.read_all(&names).await?;
    let owner = |id: &ExecutionId| {
        let value = known.get(&key(*id))?;
        Some((*id, engine_conversions::read(value)?))
    };
    Ok(ids.iter().filter_map(owner).collect())
}

/// Makes the caller the owner, or frees the record of whoever owns it. The first to take it on has
/// acknowledged it.
pub(crate) async fn change(
    hotel: &Hotel,
    caller: &Caller,
    id: ExecutionId,
    own: bool,
) -> Result<(), StoreError> {
    let (now, email) = (hotel.clock.now(), caller.email.to_string());
    let before = of(hotel, &[id]).await?.remove(&id);
    let (acknowledged_by, acknowledged_at) = before.map_or_else(
        || (email.clone(), now),
        |before| (before.acknowledged_by, before.acknowledged_at),
    );
    let after = RecordOwner {
        owner: own.then_some(email),
        since: now,
        acknowledged_by,
        acknowledged_at,
    };
    let value = engine_conversions::value(&after);
    hotel.key_value_store.write(&key(id), value).await
}
