//! Golden journals: executions written by earlier releases, in `tests/journals`. Every later
//! release must read them, decide again what they decided, and replay them to the state they ended
//! in. Files are added when a saga changes, and never rewritten.
//!
//! `DEWY_RECORD_JOURNALS=FOLDER cargo test --profile sim -p dewy-simulation` writes one file for
//! each new course of events in the simulated worlds (the saga, its version, its end, and every
//! event in order), the shortest journal of each. A file of the corpus contains such records, one
//! per line, compressed: `cat FOLDER/SAGA.* | gzip -9n > tests/journals/SAGA.jsonl.gz`.

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    sync::{LazyLock, Mutex},
};

use dewy_orchestrators::CHECK_OUT;
use dewy_saga::{
    Definition, Direction, Event, Progress, State, hash_chain,
    journal::ExecutionRecord,
    replay::{Difference, replay},
};
use flate2::read::GzDecoder;
use serde_json::Value;

use crate::saga_diagrams::definitions;

static FOLDER: LazyLock<Option<PathBuf>> =
    LazyLock::new(|| std::env::var_os("DEWY_RECORD_JOURNALS").map(PathBuf::from));

/// Length of the shortest journal written for each course.
static WRITTEN: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());

/// Saves the journals of a finished world, when recording is on.
pub fn record(records: &[ExecutionRecord]) {
    let Some(folder) = FOLDER.as_deref() else {
        return;
    };
    let whole = |record: &&ExecutionRecord| {
        hash_chain::verify(record.id, &record.rows, &record.audit).is_ok()
    };
    for record in records
        .iter()
        .filter(|record| record.state.has_ended() && record.damage.is_none())
        .filter(whole)
    {
        let course = course(record);
        let text = format!("{}\n", serde_json::to_string(record).unwrap());
        let mut written = WRITTEN.lock().unwrap();
        if written
            .get(&course)
            .is_some_and(|length| *length <= text.len())
        {
            continue;
        }
        let mut hasher = DefaultHasher::new();
        course.hash(&mut hasher);
        let name = format!(
            "{}.{:?}.{:016x}.json",
            record.saga,
            record.state,
            hasher.finish()
        );
        fs::write(folder.join(name), &text).unwrap();
        written.insert(course, text.len());
    }
}

/// Sequence of events, without what differs from run to run.
fn course(record: &ExecutionRecord) -> String {
    let mut course = format!("{} {} {:?}", record.saga, record.version, record.state);
    for row in &record.rows {
        let event = serde_json::to_value(&row.event).unwrap();
        for name in ["event", "step", "way", "guard", "end"] {
            course.push_str(&event[name].to_string());
        }
        course.push_str(&event["outcome"]["outcome"].to_string());
    }
    course
}

/// Lines of check-outs, and events, of earlier releases that this one would decide otherwise: it
/// words a fault anew, refunds before it puts the booking back, leaves what it can't run to a release
/// that can, and looks once more before it gives up what it took over.
const DECIDED_OTHERWISE: [(usize, i64); 9] = [
    (73, 11),
    (171, 12),
    (228, 7),
    (233, 571),
    (234, 554),
    (269, 571),
    (336, 2),
    (402, 571),
    (403, 571),
];

fn recorded() -> Vec<(String, Vec<Value>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/journals");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "gz"));
    files.sort();
    let name = |file: &Path| file.file_stem().unwrap().to_string_lossy().into_owned();
    let lines = |file: &Path| -> Vec<Value> {
        let text = BufReader::new(GzDecoder::new(fs::File::open(file).unwrap()));
        text.lines()
            .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
            .collect()
    };
    files.iter().map(|file| (name(file), lines(file))).collect()
}

fn replayed(definitions: &[Definition], record: &ExecutionRecord) -> Result<Progress, Difference> {
    let find = |saga: &str, version| {
        // Before version 2 captured holds, worlds of two releases ran version 1 under its number
        let steps = if saga == CHECK_OUT && version == record.version {
            1
        } else {
            version
        };
        let mut all = definitions.iter();
        all.find(|one| one.name == saga && one.version == steps)
    };
    replay(record.id, &record.rows, &record.audit, |_| false, find)
}

#[test]
fn recorded_journals_replay_to_the_state_they_ended_in() {
    let definitions = definitions();
    let mut decided_otherwise = Vec::new();
    let mut ends: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (file, lines) in recorded() {
        for (n, line) in lines.into_iter().enumerate() {
            let place = format!("{file}, line {}", n + 1);
            let record: ExecutionRecord =
                serde_json::from_value(line.clone()).unwrap_or_else(|e| panic!("{place}: {e}"));
            let progress = record
                .progress()
                .unwrap_or_else(|e| panic!("{place}: {e:?}"));
            assert_eq!(progress.state, Some(record.state), "{place}");
            hash_chain::verify(record.id, &record.rows, &record.audit)
                .unwrap_or_else(|e| panic!("{place}: {e}"));
            if let Err(difference) = replayed(&definitions, &record) {
                let what = &difference.what;
                assert!(
                    what.starts_with("is not what the engine decides"),
                    "{place}: {what}"
                );
                decided_otherwise.push((n + 1, difference.seq));
            }
            // This release would store exactly what is stored
            let rows = serde_json::to_value(&record.rows).unwrap();
            assert_eq!(
                rows, line["rows"],
                "{place}: written again, it is something else"
            );
            *ends
                .entry((record.saga, format!("{:?}", record.state)))
                .or_default() += 1;
        }
    }
    for ((saga, state), count) in &ends {
        println!("{saga:<32} {state:<16} {count:>4}");
    }
    assert_eq!(decided_otherwise, DECIDED_OTHERWISE);
    assert!(ends.values().sum::<usize>() >= 500, "the corpus has shrunk");
}

/// The chains are right again: only the engine's decisions tell.
#[test]
fn a_compensation_that_was_left_out_is_found() {
    let definitions = definitions();
    let records = recorded().into_iter().flat_map(|(_, lines)| lines);
    let mut records = records.map(|line| serde_json::from_value::<ExecutionRecord>(line).unwrap());
    let found =
        records.find(|record| record.saga == CHECK_OUT && record.state == State::Compensated);
    let mut record = found.unwrap();
    let (rows, id) = (std::mem::take(&mut record.rows), record.id);
    record.audit.clear();
    let mut progress = Progress::new(id);
    let refund = |event: &Event| match event {
        Event::Intended {
            step, direction, ..
        }
        | Event::Settled {
            step, direction, ..
        } => step == "pay" && *direction == Direction::Back,
        _ => false,
    };
    for row in rows.into_iter().filter(|row| !refund(&row.event)) {
        let pushed = progress.push(row.event, row.at, &row.by, row.fence);
        let (row, change) = pushed.unwrap();
        record.rows.push(row);
        record.audit.extend(change);
    }
    hash_chain::verify(id, &record.rows, &record.audit).unwrap();
    let decided = record.rows.iter();
    let decided = decided
        .clone()
        .position(|row| matches!(row.event, Event::Decided { .. }));
    let difference = replayed(&definitions, &record).unwrap_err();
    // Instead of the refund, the row after the decision has something else
    let after = i64::try_from(decided.unwrap()).unwrap() + 2;
    assert_eq!(difference.seq, after);
    let expected = "is not what the engine decides: Act(\"pay\", Back)";
    assert_eq!(difference.what, expected);
}
