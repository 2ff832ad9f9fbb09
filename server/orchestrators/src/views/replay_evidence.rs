//! Replay of evidence: the engine decides again with the recorded answers, and comes to the same end
//! and the same sums.

use dewy_domain::evidence::{Evidence, EvidenceRequest, EvidenceRow, EvidenceStateChange};
use dewy_saga::{
    Event, ExecutionId, Row, State,
    hash_chain::AuditRow,
    replay::{Difference, replay},
};
use jiff::Timestamp;
use serde_json::json;

use crate::{
    hotel::hotel_service::Hotel,
    sagas,
    views::{evidence, execution_view::timeline},
};

impl Hotel {
    /// Replays the journal in `evidence` to its end, and compares what else it says with it.
    ///
    /// # Errors
    /// The first event that differs.
    pub fn replay(&self, evidence: &Evidence) -> Result<(), Difference> {
        let last = evidence.journal.last().map_or(0, |row| row.seq);
        let differs = |what: String| Difference::new(last, what);
        let id: ExecutionId = (evidence.execution_id.parse())
            .map_err(|_| differs("belongs to no execution: its ID is not one".to_owned()))?;
        let rows = evidence.journal.iter().map(row);
        let rows: Vec<Row> = rows.collect::<Result<_, _>>()?;
        let audit = evidence.audit.iter().map(state_change);
        let audit: Vec<AuditRow> = audit.collect::<Result<_, _>>()?;
        let is_withheld = |seq| {
            let mut rows = evidence.journal.iter();
            rows.any(|row| row.seq == seq && row.withheld)
        };
        let find = |saga: &str, version| {
            let found = self.engine.saga_version(saga, version);
            found.map(|saga| saga.definition())
        };
        let progress = replay(id, &rows, &audit, is_withheld, find)?;
        let state = progress.state.map_or("nothing", State::name);
        if state != evidence.state.as_str() {
            let told = evidence.state.as_str();
            return Err(differs(format!(
                "ends in {state}, and the file says {told}"
            )));
        }
        let saga = rows.iter().find_map(|row| match &row.event {
            Event::Queued { saga, .. } => Some(saga.as_str()),
            _ => None,
        });
        let money = sagas::presentation(saga.unwrap_or_default()).money(&progress);
        let (sums, told) = (money.map(evidence::sums), evidence.sums);
        if sums != told {
            let [sums, told] = [sums, told].map(|sums| json!(sums));
            return Err(differs(format!(
                "makes the sums {sums}, and the file says {told}"
            )));
        }
        let made = evidence::requests(&rows, &timeline::of(None, &rows));
        compare_requests(&made, &evidence.requests).map_or(Ok(()), Err)
    }
}

/// The first request, or answer, that is not the journal's.
fn compare_requests(made: &[EvidenceRequest], told: &[EvidenceRequest]) -> Option<Difference> {
    for (n, made) in made.iter().enumerate() {
        let Some(told) = told.get(n) else {
            return Some(Difference::new(made.seq, "is missing among the requests"));
        };
        let without = |answers, request: &EvidenceRequest| EvidenceRequest {
            answers,
            title: String::new(),
            ..request.clone()
        };
        if without(Vec::new(), made) != without(Vec::new(), told) {
            return Some(Difference::new(made.seq, "is another request in the file"));
        }
        if made.answers != told.answers {
            let mut pairs = made.answers.iter().enumerate();
            let answer = pairs.find(|(n, answer)| told.answers.get(*n) != Some(*answer));
            let seq = answer.map_or(made.seq, |(_, answer)| answer.seq);
            return Some(Difference::new(seq, "is another answer in the file"));
        }
    }
    let more = told.get(made.len())?;
    Some(Difference::new(more.seq, "sent no such request"))
}

fn row(row: &EvidenceRow) -> Result<Row, Difference> {
    let unreadable = |why: String| Difference::new(row.seq, format!("can't be read: {why}"));
    Ok(Row {
        seq: row.seq,
        at: time(row.seq, row.at_us)?,
        by: row.by.clone(),
        fence: row.fence,
        event: serde_json::from_str(&row.event).map_err(|error| unreadable(error.to_string()))?,
        digest: row.digest.clone(),
    })
}

fn state_change(change: &EvidenceStateChange) -> Result<AuditRow, Difference> {
    let state = |name: &str| {
        let known = State::ALL.into_iter().find(|state| state.name() == name);
        known.ok_or_else(|| Difference::new(change.seq, format!("can't lead to {name}")))
    };
    Ok(AuditRow {
        seq: change.seq,
        at: time(change.seq, change.at_us)?,
        actor: change.actor.clone(),
        from: change.from.as_deref().map(state).transpose()?,
        to: state(&change.to)?,
        journal: change.journal.clone(),
        hash: change.hash.clone(),
    })
}

fn time(seq: i64, microseconds: i64) -> Result<Timestamp, Difference> {
    Timestamp::from_microsecond(microseconds)
        .map_err(|error| Difference::new(seq, format!("has no time: {error}")))
}
