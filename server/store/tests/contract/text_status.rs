use dewy_domain::text_status::TextStatus::{self, *};
use dewy_store::{NewCode, TextReport};

use super::prelude::*;

every_sql_store!(
    reports_in_any_order_end_with_the_final_status,
    the_last_text_to_a_number_is_the_last_that_was_heard_of,
    a_code_is_open_until_it_is_used_replaced_or_old
);

const PHONE: [u8; 32] = [1; 32];

fn report(sid: Option<&str>, status: TextStatus, seconds: u64) -> TextReport<'_> {
    TextReport {
        sid,
        recipient: &PHONE,
        status,
        error_code: status.never_arrived().then_some(30003),
        at: at() + Duration::from_secs(seconds),
    }
}

async fn reports_in_any_order_end_with_the_final_status(s: Subject) {
    let store = s.store();
    for (n, order) in [
        [Queued, Sent, Undelivered, Sent, Delivered],
        [Undelivered, Sending, Sent, Queued, Undelivered],
        [Sent, Undelivered, Undelivered, Delivered, Accepted],
    ]
    .into_iter()
    .enumerate()
    {
        let sid = format!("SM{n}");
        let mut changes = 0;
        for status in order {
            let new = store
                .record_text_status(&report(Some(&sid), status, 0))
                .await;
            changes += usize::from(new.unwrap());
        }
        let last = store.text_status(&sid).await.unwrap();
        assert_eq!(last, Some((Undelivered, Some(30003))), "{order:?}");
        assert_eq!(changes, [3, 1, 2][n], "{order:?}");
        let end = store.text_end(&sid).await.unwrap();
        assert_eq!(end.map(|(outcome, _)| outcome), last, "{order:?}");
    }
    assert_eq!(store.text_status("SM9").await.unwrap(), None);
    let sent = store
        .record_text_status(&report(Some("SM9"), Sent, 0))
        .await;
    assert!(sent.unwrap() && store.text_end("SM9").await.unwrap().is_none());
}

async fn the_last_text_to_a_number_is_the_last_that_was_heard_of(s: Subject) {
    let store = s.store();
    let last = async || {
        store
            .last_text(&PHONE)
            .await
            .unwrap()
            .map(|(status, _)| status)
    };
    assert_eq!(last().await, None);
    for (sid, status, seconds, expected) in [
        (Some("SM1"), Sent, 0, Some(Sent)),
        (None, Failed, 1, Some(Failed)),
        (Some("SM1"), Delivered, 2, Some(Delivered)),
        (Some("SM2"), Queued, 3, Some(Queued)),
        (None, Failed, 4, Some(Failed)),
        (None, Failed, 5, Some(Failed)),
    ] {
        store
            .record_text_status(&report(sid, status, seconds))
            .await
            .unwrap();
        assert_eq!(last().await, expected, "{seconds}");
    }
    assert_eq!(store.last_text(&[2; 32]).await.unwrap(), None);
    let month = at() + Duration::from_secs(30 * 86_400);
    assert_eq!(
        store.purge(month + Duration::from_secs(2)).await.unwrap(),
        2
    );
    assert_eq!(last().await, Some(Failed));
}

async fn a_code_is_open_until_it_is_used_replaced_or_old(s: Subject) {
    let (store, now) = (s.store(), at());
    let (asked, first, second) = ([7; 32], [1; 32], [2; 32]);
    let send = async |code_hash| {
        let new = NewCode {
            asked_hash: asked,
            code_hash,
            expires_at: now + Duration::from_secs(600),
            sent_at: now,
        };
        store.store_code(&new).await.unwrap();
    };
    let open = async |code, at| store.code_is_open(&asked, &code, at).await.unwrap();
    send(first).await;
    assert!(open(first, now).await && !open(second, now).await);
    assert!(!open(first, now + Duration::from_secs(600)).await);
    send(second).await;
    assert!(!open(first, now).await && open(second, now).await);
    store.check_code(&asked, &second, now).await.unwrap();
    assert!(!open(second, now).await);
}
