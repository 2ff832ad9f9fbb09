//! Keys of this installation: created once, kept in the store, the same for every instance.

use dewy_domain::ports::Entropy;
use dewy_saga::StoreError;
use dewy_store::Store;

/// Key with that name, created if missing. If several instances create it at the same moment, one
/// wins and all use that one: anything hashed or sealed with a losing key would be useless.
///
/// # Errors
/// When the store failed, or holds an invalid value under that name.
pub async fn install_key(
    store: &Store,
    entropy: &dyn Entropy,
    name: &str,
) -> Result<[u8; 32], StoreError> {
    let mut key = [0; 32];
    let kept = match store.get_setting(name).await? {
        Some(kept) => kept,
        None => {
            entropy.fill(&mut key);
            store.get_or_insert_setting(name, &hex::encode(key)).await?
        }
    };
    hex::decode_to_slice(kept, &mut key)
        .map_err(|_| StoreError::Failed(format!("the setting {name} is not a 32-byte hex key")))?;
    Ok(key)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use futures::future::join_all;

    use super::*;
    use dewy_connectors::{OsEntropy, RealClock};

    #[tokio::test]
    async fn concurrent_creators_get_the_same_key() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("dewy.db").display());
        let store = Store::open(&url, Arc::new(RealClock)).await.unwrap();
        store.migrate().await.unwrap();
        let keys = join_all((0..20).map(|_| install_key(&store, &OsEntropy, "a_key"))).await;
        let first = keys[0].clone().unwrap();
        assert!(keys.into_iter().all(|key| key == Ok(first)));
        assert_ne!(install_key(&store, &OsEntropy, "another").await, Ok(first));
        store.put_setting("broken", "no hex").await.unwrap();
        assert!(install_key(&store, &OsEntropy, "broken").await.is_err());
    }
}
