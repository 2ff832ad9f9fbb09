//! Every text is read back as written, or refused. A refused text leaves nothing behind and affects
//! nothing else.

use dewy_domain::concierge::{Conversation, Entry, Responder};
use dewy_saga::journal::Projection;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};

use super::prelude::*;

every_sql_store!(every_text_round_trips_or_is_refused);

/// Number of texts made by chance, for each database.
const TEXTS: usize = 48;

/// A size that no key of an index takes, however well it packs.
const LONG: usize = 1 << 20;

/// Texts of any characters: controls, noncharacters, marks of direction, letters that compare equal
/// and are not the same, and what only looks like an escape.
fn texts() -> impl Strategy<Value = String> {
    let unkind = "\0\u{1}\u{7f}\u{85}\u{ad}\u{200f}\u{202e}\u{2028}\u{2066}\u{fdd0}\u{feff}\u{fffe}\u{ffff}\u{10ffff}'\"\\%_\r\n e\u{301}é👍";
    let unkind: Vec<char> = unkind.chars().collect();
    let letter = prop_oneof![prop::sample::select(unkind), any::<char>()];
    let mixed = prop::collection::vec(letter, 0..40).prop_map(String::from_iter);
    prop_oneof![any::<String>(), mixed]
}

fn chosen() -> Vec<String> {
    let mut all: Vec<String> = [
        "",
        "\0",
        "a\0b",
        "\\u0000",
        "\\ud800",
        "\u{feff}mark",
        " spaces ",
        "\r\n",
    ]
    .map(str::to_owned)
    .to_vec();
    all.push("x".repeat(LONG));
    all.push("\u{202e}👍'\\".repeat(LONG / 9));
    // Nothing in it repeats, so it does not pack.
    let letters = (0..u32::try_from(LONG / 3).unwrap()).map(|n| {
        let mixed = n.wrapping_mul(0x9E37_79B9) >> 12;
        char::from_u32(mixed).unwrap_or('x')
    });
    all.push(letters.filter(|letter| *letter != '\0').collect());
    all
}

async fn every_text_round_trips_or_is_refused(s: Subject) {
    let mut runner = TestRunner::deterministic();
    let made = texts();
    let mut all = chosen();
    all.extend((0..TEXTS).map(|_| made.new_tree(&mut runner).unwrap().current()));
    for (n, text) in all.iter().enumerate() {
        let n = n.to_string();
        in_what_begins(&s, text).await;
        in_what_is_appended(&s, text).await;
        in_signals(&s, text).await;
        in_settings_and_notes(&s, &n, text).await;
        in_conversations(&s, &n, text).await;
    }
    assert_eq!(s.store().verify_all().await.unwrap().faults, []);
}

/// What became of a write: true when it was kept. A text may be refused, if there is a reason; no
/// other error will do.
fn kept<T: std::fmt::Debug>(place: &str, text: &str, written: &Result<T, StoreError>) -> bool {
    let shown: String = text.chars().take(60).collect();
    match written {
        Ok(_) => true,
        Err(StoreError::Refused(_)) => {
            assert!(
                text.contains('\0') || text.len() > 1000,
                "{place}: {shown:?} was refused: {written:?}"
            );
            false
        }
        Err(error) => panic!("{place}: {shown:?}: {error}"),
    }
}

async fn in_what_begins(s: &Subject, text: &str) {
    type Put = fn(&mut NewExecution, &str);
    let places: [(&str, Put); 4] = [
        ("the caller", |new, text| new.caller = text.to_owned()),
        ("the token", |new, text| new.token = Some(text.to_owned())),
        ("a label", |new, text| new.labels[0].1 = text.to_owned()),
        ("the input", |new, text| {
            new.input = json!({ "a": text, text: [text] })
        }),
    ];
    for (place, write) in places {
        let mut begin = new(s.id(), "w1");
        write(&mut begin, text);
        let begun = s.journal.begin(begin.clone()).await;
        let found = s.journal.load(begin.id).await.unwrap();
        if !kept(place, text, &begun) {
            assert_eq!(found, None, "{place}");
            continue;
        }
        assert!(
            matches!(begun, Ok(BeginResult::New { .. })),
            "{place}: {begun:?}"
        );
        let found = found.unwrap();
        assert_eq!(
            (
                found.caller,
                found.token,
                found.labels,
                found.input,
                found.damage
            ),
            (
                begin.caller.clone(),
                begin.token.clone(),
                begin.labels.clone(),
                begin.input,
                None
            ),
            "{place}"
        );
        if let Some(token) = &begin.token {
            let found = s.journal.find_token(&begin.caller, token).await.unwrap();
            assert_eq!(found.map(|record| record.id), Some(begin.id));
        }
        let filter = ExecutionFilter {
            labels: begin.labels,
            limit: 1,
            ..ExecutionFilter::default()
        };
        let listed = s.journal.list(&filter).await.unwrap();
        assert_eq!(
            listed.first().map(|record| record.id),
            Some(begin.id),
            "{place}"
        );
    }
}

async fn in_what_is_appended(s: &Subject, text: &str) {
    let mut run = s.run("w1").await;
    let facts = json!({ "a": text, text: [text] });
    let (mut append, after) = run.plan(vec![Event::Read {
        facts: facts.clone(),
    }]);
    append.answer = Some(facts.clone());
    append.projections = vec![Projection {
        kind: "text".to_owned(),
        key: run.lease.id.to_string(),
        body: facts.clone(),
    }];
    let written = s.journal.append(&run.lease, append).await;
    if kept("the event", text, &written) {
        assert_eq!(written, Ok(AppendResult::Ok));
        run = after;
        let record = s.load(run.lease.id).await;
        assert_eq!(
            (&record.answer, &record.damage),
            (&Some(facts.clone()), &None)
        );
        assert_eq!(
            record.rows[1].event,
            Event::Read {
                facts: facts.clone()
            }
        );
        let key = run.lease.id.to_string();
        let row = s.journal.projection_row("text", &key).await.unwrap();
        assert_eq!(row.map(|row| row.body), Some(facts));
    }
    for place in ["a label", "a key", "a claim"] {
        let mark = s.journal.claim_mark().await.unwrap();
        let (mut append, _) = run.plan(vec![]);
        match place {
            "a label" => append.labels = vec![("room_number".to_owned(), text.to_owned())],
            "a key" => {
                append.projections = vec![Projection {
                    kind: "compensation".to_owned(),
                    key: text.to_owned(),
                    body: json!({}),
                }];
            }
            _ => {
                append.claims = ClaimChange::Take {
                    resources: vec![text.to_owned()],
                    mark,
                };
            }
        }
        let written = s.journal.append(&run.lease, append).await;
        if !kept(place, text, &written) {
            continue;
        }
        let record = s.load(run.lease.id).await;
        let label = record.labels.iter().find(|(name, _)| name == "room_number");
        match place {
            "a label" => assert_eq!(label.map(|(_, value)| value.as_str()), Some(text)),
            "a key" => {
                let row = s
                    .journal
                    .projection_row("compensation", text)
                    .await
                    .unwrap();
                assert_eq!(row.map(|row| row.key).as_deref(), Some(text));
            }
            _ => {
                let holder = s.journal.claim_holder(text).await.unwrap();
                assert_eq!(holder, Some(run.lease.id));
            }
        }
    }
}

async fn in_signals(s: &Subject, text: &str) {
    let run = s.run("w1").await;
    let plain = Signal {
        key: "k".to_owned(),
        action: SignalAction::Recheck,
        by: "webhook".to_owned(),
        why: "news".to_owned(),
    };
    let signals = [
        Signal {
            why: text.to_owned(),
            ..plain.clone()
        },
        Signal {
            key: "l".to_owned(),
            by: text.to_owned(),
            ..plain.clone()
        },
        Signal {
            key: format!("m{text}"),
            ..plain
        },
    ];
    for signal in signals {
        let said = s.journal.signal(run.lease.id, &signal, at()).await;
        let kept = kept("a signal", text, &said);
        let handled = s.journal.signals(run.lease.id).await.unwrap();
        assert_eq!(handled.contains(&signal), kept, "{:?}", handled.last());
    }
}

async fn in_settings_and_notes(s: &Subject, n: &str, text: &str) {
    let store = s.store();
    let put = store.put_setting(n, text).await;
    if kept("a setting", text, &put) {
        assert_eq!(store.get_setting(n).await, Ok(Some(text.to_owned())));
    }
    let note = store.add_stay_note(n, text, "t", at(), text).await;
    let notes = store.stay_notes(n).await.unwrap();
    let found: Vec<_> = notes.iter().map(|note| (&*note.by, &*note.body)).collect();
    let wanted = kept("a note", text, &note).then_some((text, text));
    assert_eq!(found, Vec::from_iter(wanted));
}

async fn in_conversations(s: &Subject, n: &str, text: &str) {
    let store = s.store();
    let title: String = text.chars().take(200).collect();
    let conversation = Conversation {
        id: n.to_owned(),
        owner: "guest:beth.gibbs@email.com".to_owned(),
        title: title.clone(),
        responder: Responder::Model,
        case_number: None,
        created_at: at(),
        changed_at: at(),
        turn: None,
        waiting_since: None,
        emergency: false,
    };
    let begun = store.begin_conversation(&conversation).await;
    let found = store.conversation(n).await.unwrap();
    if !kept("a conversation", &title, &begun) {
        assert_eq!(found, None);
        let plain = Conversation {
            title: "Towels".to_owned(),
            ..conversation
        };
        store.begin_conversation(&plain).await.unwrap();
    } else {
        assert_eq!(found.map(|found| found.title), Some(title));
    }
    let entry = Entry::Said {
        danger: None,
        text: text.to_owned(),
    };
    let said = store.add_entry(n, at(), Some("t"), &entry).await;
    let entries = store.entries(n).await.unwrap();
    let found: Vec<_> = entries.into_iter().map(|placed| placed.entry).collect();
    let wanted = kept("an entry", text, &said).then_some(entry);
    assert_eq!(found, Vec::from_iter(wanted));
}
