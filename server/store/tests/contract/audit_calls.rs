use std::ops::Range;

use dewy_store::{
    CallAudit, CallBatch, CallChain, CallFilter, CallWriter, FoundCall, LoggedPerson,
};

use super::prelude::*;

every_sql_store!(
    calls_are_found_by_every_filter,
    a_repeated_batch_is_stored_once,
    an_erased_person_is_an_id,
    an_unstorable_call_is_set_aside,
    intact_call_chains_verify,
    changed_calls_and_batches_are_named,
);

const MINUTE: Duration = Duration::from_secs(60);

fn whole(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap()
}

fn every_call() -> CallFilter {
    CallFilter {
        limit: 100,
        ..CallFilter::default()
    }
}

async fn append(
    store: &Store,
    chain: &CallChain,
    now: Timestamp,
    numbers: Range<u64>,
) -> CallChain {
    let calls = batch(now, numbers);
    store.append_calls(chain, now, &calls).await.unwrap()
}

pub fn call(now: Timestamp, n: u64) -> CallAudit {
    CallAudit {
        at: now + MINUTE * u32::try_from(n).unwrap(),
        caller: if n.is_multiple_of(2) {
            "guest:per_beth"
        } else {
            "staff:ann"
        }
        .to_owned(),
        interface: if n < 3 { "rest" } else { "mcp" }.to_owned(),
        credential: (n == 2).then(|| "token:tok_1".to_owned()),
        request: (n == 2).then(|| "0193".to_owned()),
        tool: "check_out".to_owned(),
        status: if n == 3 { 404 } else { 200 },
        outcome: if n == 3 { "BOOKING_NOT_FOUND" } else { "OK" }.to_owned(),
        execution: (n == 4).then(|| id(4)),
        on_behalf_of: (n % 2 == 1).then(|| "per_wei".to_owned()),
    }
}

fn batch(now: Timestamp, numbers: Range<u64>) -> CallBatch {
    let people = [
        ("per_beth", "beth@email.com"),
        ("per_wei", "wei@example.com"),
    ];
    CallBatch {
        calls: numbers.map(|n| call(now, n)).collect(),
        people: people
            .map(|(id, email)| (id.to_owned(), email.to_owned()))
            .to_vec(),
    }
}

async fn calls_are_found_by_every_filter(s: Subject) {
    let (store, now) = (s.store(), whole(at()));
    let chain = CallChain::new("w1".to_owned());
    assert_eq!(
        store
            .append_calls(&chain, now, &CallBatch::default())
            .await
            .unwrap(),
        chain
    );
    let chain = append(store, &chain, now, 0..4).await;
    append(store, &chain, now, 4..6).await;
    let all = every_call();
    let of = async |change: &dyn Fn(&mut CallFilter)| -> Vec<CallAudit> {
        let mut filter = all.clone();
        change(&mut filter);
        let found = store.calls(&filter).await.unwrap();
        found.into_iter().map(|found| found.call).collect()
    };
    let calls = |numbers: &[u64]| numbers.iter().map(|n| call(now, *n)).collect::<Vec<_>>();
    assert_eq!(of(&|_| ()).await, calls(&[5, 4, 3, 2, 1, 0]));
    let who = |email: &str, person: &str| {
        Some(LoggedPerson {
            email: email.to_owned(),
            person: person.to_owned(),
        })
    };
    assert_eq!(
        of(&|f| f.user = who("ann", "per_ann")).await,
        calls(&[5, 3, 1])
    );
    assert_eq!(
        of(&|f| f.user = who("beth@email.com", "per_beth")).await,
        calls(&[4, 2, 0])
    );
    assert_eq!(
        of(&|f| f.user = who("wei@example.com", "per_wei")).await,
        calls(&[5, 3, 1])
    );
    assert_eq!(of(&|f| f.user = who("per_beth", "x")).await, []);
    assert_eq!(
        of(&|f| f.outcome = Some("BOOKING_NOT_FOUND".to_owned())).await,
        calls(&[3])
    );
    assert_eq!(of(&|f| f.refused = true).await, calls(&[3]));
    assert_eq!(of(&|f| f.tool = Some("open_case".to_owned())).await, []);
    let every = calls(&[5, 4, 3, 2, 1, 0]);
    assert_eq!(of(&|f| f.only = vec!["book", "check_out"]).await, every);
    assert_eq!(of(&|f| f.only = vec!["check", "out"]).await, []);
    assert_eq!(of(&|f| f.without = vec!["book", "check_out"]).await, []);
    assert_eq!(of(&|f| f.without = vec!["check", "out"]).await, every);
    assert_eq!(
        of(&|f| f.interface = Some("rest".to_owned())).await,
        calls(&[2, 1, 0])
    );
    assert_eq!(of(&|f| f.execution = Some(id(4))).await, calls(&[4]));
    let (from, to) = (Some(call(now, 1).at), Some(call(now, 3).at));
    assert_eq!(of(&|f| (f.from, f.to) = (from, to)).await, calls(&[2, 1]));
    assert_eq!(of(&|f| f.limit = 1).await, calls(&[5]));
}

async fn a_repeated_batch_is_stored_once(s: Subject) {
    let (store, now) = (s.store(), whole(at()));
    let begun = CallChain::new("w1".to_owned());
    let chain = append(store, &begun, now, 0..2).await;
    assert_eq!(append(store, &begun, now, 0..2).await, chain);
    append(store, &chain, now, 2..3).await;
    assert_eq!(store.calls(&every_call()).await.unwrap().len(), 3);
    assert_eq!(faults(&s).await, [""; 0]);
}

async fn an_erased_person_is_an_id(s: Subject) {
    let (store, now) = (s.store(), whole(at()));
    append(store, &CallChain::new("w1".to_owned()), now, 0..2).await;
    let found = async || store.calls(&every_call()).await.unwrap();
    let known = found().await;
    let emails = |f: &FoundCall| (f.caller_email.clone(), f.guest_email.clone());
    assert_eq!(
        emails(&known[0]),
        (None, Some("wei@example.com".to_owned()))
    );
    assert_eq!(emails(&known[1]), (Some("beth@email.com".to_owned()), None));
    assert!(store.erase_person("per_beth").await.unwrap());
    assert!(!store.erase_person("per_beth").await.unwrap());
    assert_eq!(emails(&found().await[1]), (None, None));
    assert_eq!(found().await[1].call.caller, "guest:per_beth");
    assert_eq!(faults(&s).await, [""; 0]);
}

/// Two writers, three batches of the first; a checkpoint after the second of them.
async fn history(s: &Subject) {
    let (store, now) = (s.store(), whole(at()));
    let mut chain = CallChain::new("w1".to_owned());
    chain = append(store, &chain, now, 0..2).await;
    chain = append(store, &chain, now, 2..4).await;
    append(store, &CallChain::new("w2".to_owned()), now, 0..1).await;
    assert_eq!(store.write_audit_checkpoint(at()).await.unwrap(), 2);
    assert_eq!(
        store.write_audit_checkpoint(at()).await.unwrap(),
        0,
        "nothing changed"
    );
    append(store, &chain, now, 4..6).await;
}

async fn faults(s: &Subject) -> Vec<String> {
    s.store()
        .verify_all()
        .await
        .unwrap()
        .faults
        .into_iter()
        .map(|fault| fault.what)
        .collect()
}

async fn intact_call_chains_verify(s: Subject) {
    history(&s).await;
    let report = s.store().verify_all().await.unwrap();
    assert_eq!(
        (
            report.call_chains,
            report.batches,
            report.calls,
            report.checkpoints
        ),
        (2, 4, 7, 1)
    );
    assert_eq!(report.newest_checkpoint.map(|(n, _)| n), Some(1));
    assert_eq!(report.faults, []);
}

/// What somebody with access to the database changes is named.
async fn changed_calls_and_batches_are_named(s: Subject) {
    let cut = |n: &str| {
        ["tool_call", "call_batch"]
            .map(|table| format!("delete from {table} where writer = 'w1' and {n}"))
    };
    let (first, last, but_one) = (cut("n = 1"), cut("n = 3"), cut("n > 1"));
    // The digest of another call at the same position, as an attacker who knows the digests would
    // write it
    let digest = "update tool_call set digest = (select digest from tool_call where writer = 'w2') where writer = 'w1' and n = 1 and pos = 0";
    // All of the chain is cut back consistently; only the checkpoint shows it
    let head = "update call_chain set n = 1, hash = (select hash from call_batch where writer = 'w1') where writer = 'w1'";
    let outcome = "update tool_call set outcome = 'OK' where writer = 'w1' and n = 2 and pos = 1";
    let missing = "delete from tool_call where writer = 'w1' and n = 1 and pos = 0";
    let inserted = "insert into call_batch (writer, n, at, size, hash) values ('w1', 4, 1, 0, 'x')";
    let other = ["tool_call", "call_batch", "call_chain"]
        .map(|table| format!("delete from {table} where writer = 'w2'"));
    let stamp = "update call_batch set at = at + 1 where writer = 'w2'";
    let rows: [(&[&str], &[&str]); 8] = [
        (&[outcome], &["calls of w1: call 1 of batch 2 was changed"]),
        (&[digest], &["calls of w1: call 0 of batch 1 was changed"]),
        (&[stamp], &["calls of w2: batch 1 was changed"]),
        (&[missing], &["calls of w1: call 0 of batch 1 is missing"]),
        (
            &[&first[0], &first[1]],
            &["calls of w1: batch 1 is missing"],
        ),
        (&[inserted], &["calls of w1: batch 4 was changed"]),
        (
            &[&last[0], &last[1]],
            &["calls of w1: batch 3, the newest, is missing or was changed"],
        ),
        (
            &[&but_one[0], &but_one[1], head],
            &["calls of w1: batch 2 does not match checkpoint 1"],
        ),
    ];
    for (changes, found) in rows {
        let s = s.another().await;
        history(&s).await;
        for sql in changes {
            s.tamper(sql).await;
        }
        assert_eq!(faults(&s).await, found, "{changes:?}");
    }
    history(&s).await;
    for sql in &other {
        s.tamper(sql).await;
    }
    let gone = "calls of w2: batch 1 does not match checkpoint 1".to_owned();
    assert!(faults(&s).await.contains(&gone));
}

/// One of many calls has a text Postgres cannot hold: all others are recorded, and it is set aside
/// with the reason.
async fn an_unstorable_call_is_set_aside(s: Subject) {
    let mut writer = CallWriter::new(s.store().clone(), "w_1".to_owned());
    let bad = |n: usize| n == 3 || n == 6;
    let calls = (0..9).map(|n| {
        let tool = if bad(n) {
            format!("get\0folio{n}")
        } else {
            format!("get_folio{n}")
        };
        CallAudit {
            tool,
            on_behalf_of: Some(format!("per_{n}")),
            ..call(at(), 0)
        }
    });
    let people = (0..9)
        .map(|n| (format!("per_{n}"), format!("guest{n}@email.com")))
        .collect();
    writer.push(
        at(),
        CallBatch {
            calls: calls.collect(),
            people,
        },
    );
    writer.push(
        at(),
        CallBatch {
            calls: vec![CallAudit {
                tool: "last".to_owned(),
                ..call(at(), 0)
            }],
            people: vec![],
        },
    );
    writer.write().await.unwrap();
    let stored = s.store().calls(&every_call()).await.unwrap();
    let report = s.store().verify_all().await.unwrap();
    assert_eq!(report.faults, []);
    // SQLite holds any text.
    let aside = if s.url.starts_with("postgres") { 2 } else { 0 };
    assert_eq!(
        (writer.set_aside_count(), report.calls_aside, stored.len()),
        (aside, aside, 10 - usize::try_from(aside).unwrap())
    );
    assert!(
        stored.iter().any(|found| found.call.tool == "last"),
        "what comes after it is recorded"
    );
    assert!(
        stored
            .iter()
            .all(|found| found.call.on_behalf_of.is_none() || found.guest_email.is_some())
    );
}
