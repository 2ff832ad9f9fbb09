//! Golden journals: executions written by earlier releases, in `tests/journals`. Every later
//! release must read them and replay them to the state they ended in. Files are added when a saga
//! changes, and never rewritten.
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

use dewy_saga::{State, hash_chain, journal::ExecutionRecord};
use flate2::read::GzDecoder;
use serde_json::Value;

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

#[test]
fn recorded_journals_replay_to_the_state_they_ended_in() {
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
            let states: Vec<State> = record.audit.iter().map(|row| row.to).collect();
            assert_eq!(states.last(), Some(&record.state), "{place}");
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
    assert!(ends.values().sum::<usize>() >= 500, "the corpus has shrunk");
}
