//! Builders for execution journals in tests.

use dewy_saga::{
    Decision, Direction, End, Event, ExecutionId, Fault, Outcome, Progress, Request, Row,
    journal::ExecutionRecord,
};
use jiff::Timestamp;
use serde_json::{Value, json};

pub(super) const NOW: Timestamp = Timestamp::UNIX_EPOCH;

/// Execution of this tool with these events in its journal.
pub(super) fn record(n: u128, saga: &str, input: Value, events: Vec<Event>) -> ExecutionRecord {
    let id = ExecutionId(uuid::Uuid::from_u128(n));
    let (mut progress, mut rows, mut audit) = (Progress::new(id), Vec::new(), Vec::new());
    let queued = Event::Queued {
        saga: saga.to_owned(),
        version: 1,
    };
    for event in std::iter::once(queued).chain(events) {
        let (row, trail) = progress.push(event, NOW, "w", 1).unwrap();
        rows.push(row);
        audit.extend(trail);
    }
    ExecutionRecord {
        id,
        saga: saga.to_owned(),
        version: 1,
        caller: "staff:x".to_owned(),
        interface: "mcp".to_owned(),
        token: Some("t".to_owned()),
        input,
        state: progress.state.unwrap(),
        answer: None,
        wake_at: None,
        created_at: NOW,
        updated_at: NOW,
        fence: 1,
        lapses: 0,
        worker: None,
        labels: Vec::new(),
        rows,
        audit,
        signals: Vec::new(),
        damage: None,
    }
}

pub(super) fn read(facts: Value) -> Event {
    Event::Read { facts }
}

pub(super) fn ended(end: End) -> Event {
    Event::Ended { end, reason: None }
}

pub(super) fn needs(reason: &str) -> Event {
    Event::Ended {
        end: End::NeedsAttention,
        reason: Some(reason.to_owned()),
    }
}

pub(super) fn intended(step: &str) -> Event {
    let request = Request {
        key: None,
        deadline_ms: 1000,
        payload: json!({}),
    };
    Event::Intended {
        step: step.to_owned(),
        direction: Direction::Forward,
        attempt: 1,
        guard: false,
        request,
    }
}

pub(super) fn settled(step: &str, outcome: Outcome) -> Event {
    Event::Settled {
        step: step.to_owned(),
        direction: Direction::Forward,
        guard: false,
        looked: false,
        outcome,
    }
}

/// Step that had nothing to send.
pub(super) fn settled_at_once(step: &str) -> Event {
    Event::Skipped {
        step: step.to_owned(),
        direction: Direction::Forward,
        why: json!({}),
    }
}

pub(super) fn done(value: Value) -> Outcome {
    Outcome::Done(value)
}

pub(super) fn decided() -> Event {
    let fault = Fault::new("x", "x");
    Event::Decided {
        decision: Decision {
            because: "move".to_owned(),
            fault,
            trigger: "saga".to_owned(),
        },
    }
}

/// Row whose position doesn't matter.
pub(super) fn row(event: Event) -> Row {
    Row {
        seq: 99,
        at: NOW,
        by: "w".to_owned(),
        fence: 1,
        event,
        digest: String::new(),
    }
}

pub(super) fn reopened() -> Row {
    let decision = Decision {
        because: "pay".to_owned(),
        fault: Fault::new("late", "x"),
        trigger: "watch".to_owned(),
    };
    row(Event::Reopened {
        decision,
        found: None,
    })
}
