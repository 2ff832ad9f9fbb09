//! Text messages whose outcome at the carrier is not known yet.

use dewy_saga::{Event, Outcome, journal::ExecutionRecord};
use jiff::{SignedDuration, Timestamp};

use crate::tool_names::TEXT;

/// Maximum error of a process's clock.
pub const CLOCK_JUMP: SignedDuration = SignedDuration::from_secs(300);

/// Maximum time an answer may take.
const ON_THE_WAY: SignedDuration = SignedDuration::from_secs(5);
/// How long a message with an unknown outcome is searched for at the carrier before it is sent
/// again: ten minutes, plus the time for everything to come to rest, plus the error of the clock
/// that recorded it.
const SEARCH_TIME: SignedDuration = SignedDuration::from_secs(600 + 150 + CLOCK_JUMP.as_secs());

/// Whether a text is being searched for at the carrier, within the allowed time.
pub fn is_being_searched(record: &ExecutionRecord, at: Timestamp) -> bool {
    unanswered_since(record).is_some_and(|sent| at.duration_since(sent) < SEARCH_TIME)
}

/// Whether a text was sent so recently that its response is still expected. Clock error in either
/// direction is tolerated.
pub fn on_the_way(record: &ExecutionRecord, at: Timestamp) -> bool {
    unanswered_since(record).is_some_and(|sent| at.duration_since(sent).abs() < ON_THE_WAY)
}

/// Time since which a text that isn't at rest waits for the carrier's answer.
fn unanswered_since(record: &ExecutionRecord) -> Option<Timestamp> {
    let mut sent = None;
    for row in &record.rows {
        match &row.event {
            Event::Intended { step, .. } if step == "send" => sent = Some(row.at),
            Event::Settled { step, outcome, .. }
                if step == "send" && !matches!(outcome, Outcome::Unknown(_)) =>
            {
                sent = None;
            }
            _ => {}
        }
    }
    sent.filter(|_| record.saga == TEXT && !record.state.has_ended())
}
