use std::{collections::BTreeMap, os::unix::fs::PermissionsExt, path::Path};

use dewy_connectors::{OsEntropy, RealClock};
use futures::future::join_all;

use super::*;

fn config(folder: &Path, variables: &[(&str, &str)]) -> Config {
    let url = format!("sqlite://{}", folder.join("dewy.db").display());
    let mut map = BTreeMap::from([("DATABASE_URL", url.as_str())]);
    map.extend(variables.iter().copied());
    Config::read(&|name| map.get(name).map(|&value| value.to_owned())).unwrap()
}

async fn open(config: &Config) -> Store {
    let store = Store::open(&config.database_url, Arc::new(RealClock))
        .await
        .unwrap();
    store.migrate().await.unwrap();
    store
}

#[tokio::test]
async fn concurrent_creators_get_the_same_private_key() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), &[]);
    let store = open(&config).await;
    let keys = join_all((0..20).map(|_| InstallationKey::load(&config, &store, &OsEntropy))).await;
    let hashes: Vec<Key> = keys
        .iter()
        .map(|key| key.as_ref().unwrap().hash("codes", &[b"beth"]))
        .collect();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    let key = keys[0].as_ref().unwrap();
    assert_ne!(hashes[0], key.hash("cookies", &[b"beth"]), "of one purpose");
    assert_ne!(hashes[0], key.hash("codes", &[b"be", b"th"]));
    let file = std::fs::metadata(folder.path().join("dewy.db.key")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    let store_bytes = std::fs::read(folder.path().join("dewy.db-wal")).unwrap();
    let kept = std::fs::read_to_string(folder.path().join("dewy.db.key")).unwrap();
    let inside = |text: &str| {
        store_bytes
            .windows(text.len())
            .any(|part| part == text.as_bytes())
    };
    assert!(inside(CHECK) && !inside(kept.trim()));
}

/// A store of the release before: its keys lie in table `setting`.
#[tokio::test]
async fn keys_move_out_of_an_older_store() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), &[]);
    let store = open(&config).await;
    let former = hex::encode([7; 32]);
    for name in [PERSON_KEY, FORMER_KEYS[0], FORMER_KEYS[1]] {
        store.put_setting(name, &former).await.unwrap();
    }
    for start in 0..2 {
        let key = InstallationKey::load(&config, &store, &OsEntropy)
            .await
            .unwrap();
        assert_eq!(key.person_key(), &[7; 32], "person IDs stay, start {start}");
        for name in [PERSON_KEY, FORMER_KEYS[0], FORMER_KEYS[1]] {
            assert_eq!(store.get_setting(name).await.unwrap(), None, "{name}");
        }
    }
    let masked = store.get_setting(MASKED_PERSON_KEY).await.unwrap().unwrap();
    assert_ne!(masked, former);
    store.close().await;
    for file in ["dewy.db", "dewy.db-wal"] {
        let bytes = std::fs::read(folder.path().join(file)).unwrap_or_default();
        let found = bytes.windows(64).any(|part| part == former.as_bytes());
        assert!(!found, "{file} still holds it");
    }
}

#[tokio::test]
async fn another_file_is_refused_until_it_is_adopted() {
    let folder = tempfile::tempdir().unwrap();
    let own = config(folder.path(), &[]);
    let store = open(&own).await;
    InstallationKey::load(&own, &store, &OsEntropy)
        .await
        .unwrap();
    let other = folder.path().join("other.key");
    let other = config(folder.path(), &[("DEWY_KEY_FILE", other.to_str().unwrap())]);
    for _ in 0..2 {
        let refused = InstallationKey::load(&other, &store, &OsEntropy).await;
        let words = refused.unwrap_err().to_string();
        assert!(words.contains("dewy adopt key"), "{words}");
    }
    InstallationKey::adopt(&other, &store, &OsEntropy)
        .await
        .unwrap();
    InstallationKey::load(&other, &store, &OsEntropy)
        .await
        .unwrap();
    assert!(
        InstallationKey::load(&own, &store, &OsEntropy)
            .await
            .is_err()
    );
    std::fs::write(folder.path().join("dewy.db.key"), "no key\n").unwrap();
    let words = InstallationKey::load(&own, &store, &OsEntropy).await;
    let words = words.unwrap_err().to_string();
    assert!(words.contains("64 hexadecimal digits"), "{words}");
}
