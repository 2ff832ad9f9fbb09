use dewy_store::{CodeCheck, NewCode};

use super::prelude::*;

every_sql_store!(
    a_code_allows_five_guesses,
    concurrent_guesses_are_limited_to_five,
    a_code_is_valid_once_and_expires,
    a_code_of_another_browser_is_another_code
);

const MINUTE: Duration = Duration::from_secs(60);

fn code(n: u8, now: Timestamp) -> NewCode {
    NewCode {
        asked_hash: [7; 32],
        code_hash: [n; 32],
        expires_at: now + MINUTE * 10,
        sent_at: now,
    }
}

async fn a_code_allows_five_guesses(s: Subject) {
    let (store, now) = (s.store(), at());
    assert_eq!(
        store.check_code(&[7; 32], &[1; 32], now).await.unwrap(),
        CodeCheck::Gone
    );
    store.store_code(&code(1, now)).await.unwrap();
    for left in (0..5).rev() {
        assert_eq!(
            store.check_code(&[7; 32], &[9; 32], now).await.unwrap(),
            CodeCheck::Wrong { left }
        );
    }
    assert_eq!(
        store.check_code(&[7; 32], &[1; 32], now).await.unwrap(),
        CodeCheck::Gone
    );
}

async fn concurrent_guesses_are_limited_to_five(s: Subject) {
    let now = at();
    s.store().store_code(&code(1, now)).await.unwrap();
    let guesses = (0..100).map(|n: u8| {
        let store = s.store().clone();
        tokio::spawn(async move {
            store
                .check_code(&[7; 32], &[n.wrapping_add(2); 32], now)
                .await
                .unwrap()
        })
    });
    let mut counted = 0;
    for guess in guesses.collect::<Vec<_>>() {
        counted += u32::from(guess.await.unwrap() != CodeCheck::Gone);
    }
    assert_eq!(counted, 5);
}

async fn a_code_is_valid_once_and_expires(s: Subject) {
    let (store, now) = (s.store(), at());
    store.store_code(&code(1, now)).await.unwrap();
    store.store_code(&code(2, now)).await.unwrap();
    assert_eq!(
        store.check_code(&[7; 32], &[1; 32], now).await.unwrap(),
        CodeCheck::Wrong { left: 4 },
        "a new one replaces it"
    );
    assert_eq!(
        store
            .check_code(&[7; 32], &[2; 32], now + MINUTE * 9)
            .await
            .unwrap(),
        CodeCheck::Right
    );
    assert_eq!(
        store
            .check_code(&[7; 32], &[2; 32], now + MINUTE * 9)
            .await
            .unwrap(),
        CodeCheck::Gone
    );
    store.store_code(&code(3, now)).await.unwrap();
    assert_eq!(
        store
            .check_code(&[7; 32], &[3; 32], now + MINUTE * 10)
            .await
            .unwrap(),
        CodeCheck::Gone,
        "too late"
    );
}

/// Whoever asks for a code elsewhere, or guesses there, does not touch this one.
async fn a_code_of_another_browser_is_another_code(s: Subject) {
    let (store, now) = (s.store(), at());
    let other = NewCode {
        asked_hash: [8; 32],
        ..code(2, now)
    };
    store.store_code(&code(1, now)).await.unwrap();
    store.store_code(&other).await.unwrap();
    for left in (0..5).rev() {
        assert_eq!(
            store.check_code(&[8; 32], &[1; 32], now).await.unwrap(),
            CodeCheck::Wrong { left }
        );
    }
    assert_eq!(
        store.check_code(&[7; 32], &[1; 32], now).await.unwrap(),
        CodeCheck::Right
    );
}
