//! Replay of a recorded journal: the engine decides again at every row, with the recorded answers,
//! and must come to what is recorded.
//!
//! ```text
//! row n ─► its number and digest ─► state machine ─► next_move, handle_signal ─► row n+1 … ─► audit trail
//! ```
//! When the retries end depends on the settings of the hotel that recorded it, so a step that went on
//! and a step that was given up are both right.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::{
    definition::Definition,
    engine::ATTENTION_REASONS,
    event::{Direction, End, Event, RESOLVED_BY_HAND, Row},
    execution_id::ExecutionId,
    handle_signal::{SignalEffect, handle_signal},
    hash_chain::{self, AuditRow},
    next_move::{Budget, Move, next_move},
    progress::Progress,
    signal::Signal,
};

/// Where a journal differs from what the engine makes of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq} {what}")]
pub struct Difference {
    /// Sequence number of the journal row.
    pub seq: i64,
    /// Predicate of the event: `was changed`.
    pub what: String,
}

impl Difference {
    pub fn new(seq: i64, what: impl Into<String>) -> Self {
        Self {
            seq,
            what: what.into(),
        }
    }
}

/// Replays a journal. `find` knows the sagas by name and version; `is_withheld` says in which rows
/// something was taken out, so that their digests can't be computed.
///
/// # Errors
/// The first row that differs.
pub fn replay<'a>(
    id: ExecutionId,
    rows: &[Row],
    trail: &[AuditRow],
    is_withheld: impl Fn(i64) -> bool,
    find: impl Fn(&str, u32) -> Option<&'a Definition>,
) -> Result<Progress, Difference> {
    let known = |seq, saga: &str, version| {
        find(saga, version).ok_or_else(|| {
            let what = format!("is of version {version} of {saga}, which this release lacks");
            Difference::new(seq, what)
        })
    };
    let mut progress = Progress::new(id);
    let (mut definition, mut effect, mut before) = (None::<&Definition>, None, None);
    for (n, row) in (1..).zip(rows) {
        if row.seq != n {
            return Err(Difference::new(n, "is missing"));
        }
        let digest = hash_chain::digest(id, &progress.digest, row.seq, row.at, &row.event);
        if digest != row.digest && !is_withheld(n) {
            return Err(Difference::new(n, "was changed: it has another digest"));
        }
        // Whoever appends holds the lease already
        progress.fence = row.fence;
        match &row.event {
            Event::Queued { saga, version } => definition = Some(known(n, saga, *version)?),
            Event::VersionChosen { version } => {
                definition = match definition {
                    Some(of) => Some(known(n, of.name, *version)?),
                    None => None,
                };
            }
            event => {
                let Some(definition) = definition else {
                    return Err(Difference::new(n, "comes before the first one"));
                };
                let engine = Replayed {
                    definition,
                    progress: &progress,
                    before,
                    at: row.at,
                };
                effect = engine.decide(event, effect.take()).map_err(|decided| {
                    let what = format!("is not what the engine decides: {decided}");
                    Difference::new(n, what)
                })?;
            }
        }
        progress
            .replay_row(row)
            .map_err(|illegal| Difference::new(n, format!("is not allowed: {illegal}")))?;
        before = Some(&row.event);
    }
    hash_chain::verify_trail(id, rows, trail).map_err(|(seq, what)| Difference::new(seq, what))?;
    Ok(progress)
}

/// The engine before one row.
struct Replayed<'a> {
    definition: &'a Definition,
    progress: &'a Progress,
    /// Event before.
    before: Option<&'a Event>,
    at: Timestamp,
}

impl Replayed<'_> {
    /// Checks an event against the engine's decision; `effect`: of the signal in the row before.
    /// Returns the effect of this one.
    fn decide(
        &self,
        event: &Event,
        effect: Option<SignalEffect>,
    ) -> Result<Option<SignalEffect>, String> {
        if let Event::SignalHandled {
            key,
            action,
            by,
            accepted,
        } = event
        {
            let signal = Signal {
                key: key.clone(),
                action: *action,
                by: by.clone(),
                why: String::new(),
            };
            let effect = handle_signal(self.definition, self.progress, &signal);
            // One that can't be run refuses everything
            return match (effect, accepted) {
                (SignalEffect::Nothing, true) => Err("the signal has no effect".to_owned()),
                (effect, true) => Ok(Some(effect)),
                (_, false) => Ok(None),
            };
        }
        let due = match effect {
            Some(SignalEffect::Compensate(decision)) => Some(Event::Decided { decision }),
            Some(SignalEffect::Reopen(decision)) => Some(Event::Reopened {
                decision,
                found: None,
            }),
            Some(SignalEffect::Resume) => match event {
                Event::Resumed { .. } => return Ok(None),
                _ => return Err("it resumes".to_owned()),
            },
            Some(SignalEffect::Resolve) => match event {
                Event::Ended {
                    end: End::Completed | End::SettledByHand,
                    reason: Some(reason),
                } if reason == RESOLVED_BY_HAND => return Ok(None),
                _ => return Err("it ends as settled by hand".to_owned()),
            },
            Some(SignalEffect::Nothing | SignalEffect::Continue | SignalEffect::Recheck) | None => {
                None
            }
        };
        match due {
            Some(due) if due == *event => Ok(None),
            Some(due) => Err(format!("{due:?}")),
            None => {
                let moves = self.moves();
                let fits = moves.iter().any(|decided| self.fits(event, decided));
                match fits || self.is_given_up_by_engine(event) {
                    true => Ok(None),
                    false => Err(format!("{:?}", moves[0])),
                }
            }
        }
    }

    /// The moves that are possible now: with all the time and tries there are, and with none.
    fn moves(&self) -> [Move; 2] {
        let with = |tries, time, at| {
            let budget = Budget {
                forward_tries: tries,
                forward_window: time,
                back_window: time,
                ..Budget::default()
            };
            next_move(self.definition, self.progress, &[], &budget, at, true)
        };
        let later = self.at.saturating_add(SignedDuration::from_secs(1));
        [
            with(u32::MAX, Duration::MAX, self.at),
            with(0, Duration::ZERO, later.unwrap_or(self.at)),
        ]
    }

    fn fits(&self, event: &Event, decided: &Move) -> bool {
        let works_on = |step: &str, direction: Direction| {
            matches!(
                decided,
                Move::Act(of, way) | Move::SendAgain(of, way) | Move::Resolve(of, way)
                    if *of == step && *way == direction
            )
        };
        match event {
            Event::Read { .. } => *decided == Move::Read,
            Event::Intended {
                step,
                direction,
                attempt,
                guard,
                ..
            } => {
                let sent = self.progress.direction_progress(step, *direction);
                let sent = sent.map_or(0, |sent| sent.intents);
                works_on(step, *direction) && *attempt == sent + u32::from(!guard)
            }
            Event::Settled {
                step, direction, ..
            }
            | Event::Skipped {
                step, direction, ..
            } => works_on(step, *direction),
            Event::Decided { decision } => *decided == Move::Decide(decision.clone()),
            Event::Ended { end, reason } => self.fits_end(*end, reason.as_deref(), decided),
            Event::Watched { look } => *decided == Move::Recheck(*look),
            Event::Reopened { .. } => matches!(decided, Move::Recheck(_)),
            Event::Queued { .. }
            | Event::VersionChosen { .. }
            | Event::SignalHandled { .. }
            | Event::Resumed { .. } => false,
        }
    }

    fn fits_end(&self, end: End, reason: Option<&str>, decided: &Move) -> bool {
        match decided {
            // The prerequisites refuse it, or find that nothing is left to do
            Move::Read => end == End::Refused,
            _ if matches!(self.before, Some(Event::Read { facts }) if facts.is_null()) => {
                end == End::Completed
            }
            Move::End(of, why) => {
                // The saga may have a person check what is done; another may own the payment
                let checked = matches!(of, End::Completed | End::Compensated);
                (*of == end && why.as_deref() == reason)
                    || (checked && end == End::NeedsAttention && reason.is_some())
            }
            _ => false,
        }
    }

    /// Whether the engine gave it to a person: what it found again needs one, it can't be read, or
    /// it makes no progress.
    fn is_given_up_by_engine(&self, event: &Event) -> bool {
        let Event::Ended {
            end: End::NeedsAttention,
            reason: Some(reason),
        } = event
        else {
            return false;
        };
        matches!(self.before, Some(Event::Reopened { .. }))
            || ATTENTION_REASONS.contains(&reason.as_str())
    }
}
