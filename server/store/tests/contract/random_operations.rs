//! Any sequence of operations gives the same answers and contents on SQLite as in memory.

use dewy_saga::{Lease, journal::Append};
use dewy_test_kit::MemoryJournal;
use proptest::prelude::*;

use super::prelude::*;

#[derive(Clone, Debug)]
enum Op {
    Begin {
        n: u64,
        token: u8,
        digest: u8,
    },
    Append {
        n: usize,
        events: u8,
        claims: u8,
        projections: u8,
        lease: u8,
        free: bool,
        heard: u8,
    },
    Repeat {
        n: usize,
    },
    Stale {
        n: usize,
    },
    Take {
        limit: usize,
    },
    HandOver {
        n: usize,
    },
    Renew {
        n: usize,
    },
    Wake {
        n: u64,
    },
    Mark {
        n: usize,
    },
    Signal {
        n: u64,
        key: u8,
    },
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => (1..8_u64, 0..4_u8, 0..2_u8).prop_map(|(n, token, digest)| Op::Begin { n, token, digest }),
        6 => (0..8_usize, 0..3_u8, 0..8_u8, 0..4_u8, 0..4_u8, any::<bool>(), 0..6_u8)
            .prop_map(|(n, events, claims, projections, lease, free, heard)| {
                Op::Append { n, events, claims, projections, lease, free, heard }
            }),
        1 => (0..8_usize).prop_map(|n| Op::Repeat { n }),
        1 => (0..8_usize).prop_map(|n| Op::Stale { n }),
        2 => (0..4_usize).prop_map(|limit| Op::Take { limit }),
        1 => (0..8_usize).prop_map(|n| Op::HandOver { n }),
        1 => (0..8_usize).prop_map(|n| Op::Renew { n }),
        1 => (1..8_u64).prop_map(|n| Op::Wake { n }),
        1 => (0..8_usize).prop_map(|n| Op::Mark { n }),
        2 => (1..8_u64, 0..3_u8).prop_map(|(n, key)| Op::Signal { n, key }),
    ]
}

/// The workers' state: the same for both stores, as long as the stores agree.
#[derive(Default)]
struct Workers {
    runs: Vec<Run>,
    /// Last append of each worker, to be repeated.
    last: Vec<Option<(Lease, Append)>>,
    /// Leases that were overtaken.
    old: Vec<Run>,
}

impl Workers {
    fn put(&mut self, run: Run) {
        match self.runs.iter().position(|r| r.lease.id == run.lease.id) {
            Some(n) => self.old.push(std::mem::replace(&mut self.runs[n], run)),
            None => {
                self.runs.push(run);
                self.last.push(None);
            }
        }
    }
}

fn begun(answer: &Result<BeginResult, StoreError>) -> String {
    match answer {
        Ok(BeginResult::Existing(r)) => format!("existing {:?}", plain((**r).clone())),
        other => format!("{other:?}"),
    }
}

/// Without the wake time: a store with a clock of its own may move it.
fn plain(mut record: ExecutionRecord) -> ExecutionRecord {
    record.wake_at = record.wake_at.map(|_| Timestamp::UNIX_EPOCH);
    for row in &mut record.rows {
        row.at = Timestamp::from_microsecond(row.at.as_microsecond()).unwrap();
    }
    record
}

fn append(run: &Run, op: &Op) -> Option<(Append, Run)> {
    let Op::Append {
        events,
        claims,
        projections: key,
        lease,
        free,
        heard,
        ..
    } = *op
    else {
        return None;
    };
    use dewy_saga::State as S;
    let events: Vec<Event> = match (events, run.state) {
        (0, _) => vec![],
        (_, S::Queued) => vec![read()],
        (1, S::Running) => vec![intended("pay"), intended("pay")],
        (_, S::Running) => vec![decided()],
        (1, S::Compensating) => vec![ended(End::Compensated)],
        (_, state) if state.has_ended() => vec![Event::Watched { look: 1 }],
        _ => vec![],
    };
    let (mut append, after) = run.plan(events);
    let resources = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    append.claims = match claims {
        0 => ClaimChange::Take {
            resources: resources(&["a"]),
            mark: run.mark,
        },
        1 => ClaimChange::Take {
            resources: resources(&["b", "a"]),
            mark: run.mark,
        },
        2 => ClaimChange::Take {
            resources: resources(&["c", "b"]),
            mark: run.mark,
        },
        3 | 4 => ClaimChange::Release,
        _ => ClaimChange::None,
    };
    append.projections = match key {
        0 => vec![projections("k1", 1)],
        1 => vec![projections("k2", 2), projections("k1", 3)],
        _ => vec![],
    };
    (append.lease, append.wake_at) = match lease {
        0 => (
            LeaseChange::Release,
            Some(append.at - Duration::from_secs(60)),
        ),
        1 => (LeaseChange::For(LONG), None),
        _ => (LeaseChange::Keep, None),
    };
    append.free_token = free && lease == 0;
    append.handled = match heard {
        0 => vec!["0".to_owned(), "2".to_owned()],
        1 => vec!["1".to_owned()],
        _ => vec![],
    };
    append.labels = vec![("last".to_owned(), format!("{key}"))];
    Some((append, after))
}

/// Performs the step on one store and describes the answer; `change` updates the workers' state,
/// once.
async fn step(
    journal: &dyn Journal,
    op: &Op,
    w: &Workers,
) -> (String, Vec<Run>, Option<(usize, Lease, Append)>) {
    let pick = |n: usize| (!w.runs.is_empty()).then(|| n % w.runs.len());
    let words = |text: String| (text, Vec::new(), None);
    match op {
        Op::Begin { n, token, digest } => {
            let mut new = stable(new(id(*n), "w1"), *n);
            new.token = (*token > 0).then(|| format!("t{token}"));
            new.input_digest = format!("d{digest}");
            let (hash, row) = (new.audit.hash.clone(), new.first.digest.clone());
            let answer = journal.begin(new).await;
            let run = match &answer {
                Ok(BeginResult::New { lease, mark })
                    if !w.runs.iter().any(|r| r.lease.id == lease.id) =>
                {
                    vec![Run {
                        lease: lease.clone(),
                        mark: *mark,
                        seq: 1,
                        digest: row,
                        hash,
                        state: State::Queued,
                    }]
                }
                _ => vec![],
            };
            (begun(&answer), run, None)
        }
        Op::Append { n, .. } => {
            let Some(n) = pick(*n) else {
                return words(String::new());
            };
            let Some((append, after)) = PLANNED.with_borrow(Clone::clone) else {
                return words(String::new());
            };
            let answer = journal.append(&w.runs[n].lease, append.clone()).await;
            let after = if answer == Ok(AppendResult::Ok) {
                vec![after]
            } else {
                vec![]
            };
            (
                format!("{answer:?}"),
                after,
                Some((n, w.runs[n].lease.clone(), append)),
            )
        }
        Op::Repeat { n } => {
            let Some((lease, append)) = pick(*n).and_then(|n| w.last[n].clone()) else {
                return words(String::new());
            };
            // Claims may have changed hands since; the rows decide.
            if append.rows.is_empty() {
                return words(String::new());
            }
            words(format!("{:?}", journal.append(&lease, append).await))
        }
        Op::Stale { n } => {
            if w.old.is_empty() {
                return words(String::new());
            }
            let old = &w.old[*n % w.old.len()];
            let (append, _) = old.plan(vec![]);
            let (renewed, handed) = (
                journal.renew(&old.lease, LONG, at()).await,
                journal.hand_over(&old.lease, at()).await,
            );
            words(format!(
                "{:?} {renewed:?} {handed:?}",
                journal.append(&old.lease, append).await
            ))
        }
        Op::Take { limit } => {
            let taken = journal
                .take("w2", &DueFilter::any(*limit), LONG, at())
                .await
                .unwrap();
            let runs = taken
                .iter()
                .map(|(l, r)| Run::resume(l.clone(), r))
                .collect();
            let mut ids: Vec<_> = taken
                .into_iter()
                .map(|(l, r)| (l.id, l.fence, plain(r)))
                .collect();
            ids.sort_by_key(|t| t.0);
            (format!("{ids:?}"), runs, None)
        }
        Op::HandOver { n } => match pick(*n) {
            Some(n) => words(format!(
                "{:?}",
                journal.hand_over(&w.runs[n].lease, at()).await
            )),
            None => words(String::new()),
        },
        Op::Renew { n } => match pick(*n) {
            Some(n) => words(format!(
                "{:?}",
                journal.renew(&w.runs[n].lease, LONG, at()).await
            )),
            None => words(String::new()),
        },
        Op::Signal { n, key } => {
            let signal = Signal {
                key: key.to_string(),
                action: SignalAction::RetryNow,
                by: "staff".to_owned(),
                why: String::new(),
            };
            words(format!("{:?}", journal.signal(id(*n), &signal, at()).await))
        }
        Op::Wake { n } => words(format!("{:?}", journal.wake(id(*n), Duration::ZERO).await)),
        Op::Mark { n } => {
            let mark = journal.claim_mark().await.unwrap();
            let run = pick(*n).map(|n| Run {
                mark,
                ..w.runs[n].clone()
            });
            (format!("{mark}"), run.into_iter().collect(), None)
        }
    }
}

thread_local! {
    /// The append for both stores: it contains the time, so it is built once.
    static PLANNED: std::cell::RefCell<Option<(Append, Run)>> = const { std::cell::RefCell::new(None) };
}

/// A repeated `begin` must be the same call, to the microsecond.
fn stable(mut new: NewExecution, n: u64) -> NewExecution {
    let when = Timestamp::from_second(1_700_000_000 + i64::try_from(n).unwrap()).unwrap();
    (new.at, new.first.at) = (when, when);
    new.first.digest = dewy_saga::hash_chain::digest(new.id, "", 1, when, &new.first.event);
    new.audit =
        dewy_saga::hash_chain::audit(new.id, "", &new.first, &new.caller, None, State::Queued);
    new
}

async fn compare(ops: Vec<Op>) {
    let memory = MemoryJournal::new(Arc::new(WallClock));
    let store = Store::open("sqlite::memory:", Arc::new(WallClock))
        .await
        .unwrap();
    store.migrate().await.unwrap();
    let mut w = Workers::default();
    for op in ops {
        if let Op::Append { n, .. } = &op
            && !w.runs.is_empty()
        {
            PLANNED.set(append(&w.runs[*n % w.runs.len()], &op));
        }
        let (expected, ..) = step(&memory, &op, &w).await;
        let (real, runs, tried) = step(&store, &op, &w).await;
        assert_eq!(real, expected, "{op:?}");
        if let Some((n, lease, append)) = tried {
            if let Some(after) = runs.into_iter().next() {
                (w.runs[n], w.last[n]) = (after, Some((lease, append)));
            }
        } else if matches!(op, Op::Mark { .. }) {
            for run in runs {
                if let Some(old) = w.runs.iter_mut().find(|r| r.lease.id == run.lease.id) {
                    old.mark = run.mark;
                }
            }
        } else {
            runs.into_iter().for_each(|run| w.put(run));
        }
    }
    let mut stored = Vec::new();
    for record in memory.snapshot() {
        stored.push(plain(store.load(record.id).await.unwrap().unwrap()));
    }
    assert_eq!(
        stored,
        memory.snapshot().into_iter().map(plain).collect::<Vec<_>>()
    );
    assert_eq!(store.counts().await, memory.counts().await);
    for resource in ["a", "b", "c"] {
        assert_eq!(
            store.claim_holder(resource).await,
            memory.claim_holder(resource).await
        );
    }
    let of = |j: Vec<dewy_saga::journal::ProjectionRow>| {
        j.into_iter()
            .map(|b| (b.key, b.execution, b.body))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of(store.projections("compensation", None, 99).await.unwrap()),
        of(memory.projections("compensation", None, 99).await.unwrap())
    );
    for key in ["k1", "k2", "k3"] {
        let one = |row: Option<dewy_saga::journal::ProjectionRow>| of(row.into_iter().collect());
        assert_eq!(
            one(store.projection_row("compensation", key).await.unwrap()),
            one(memory.projection_row("compensation", key).await.unwrap())
        );
    }
    assert_eq!(store.verify_all().await.unwrap().faults, []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sqlite_answers_as_memory_does(ops in proptest::collection::vec(op(), 1..60)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(compare(ops));
    }
}
