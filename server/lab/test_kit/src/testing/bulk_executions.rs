//! Bulk executions, for measuring the cost of lists after years of use.

use dewy_saga::{
    Decision, End, Event, ExecutionId, Fault, Row, State, StoreError,
    hash_chain::{self, AuditRow},
    state_machine,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use uuid::Uuid;

use super::postgres_server::{TestingError, failed};

/// Executions per statement.
const BATCH_SIZE: usize = 2_000;
/// Time between two executions, the last one just now.
const EXECUTION_INTERVAL: SignedDuration = SignedDuration::from_secs(150);
/// Number of rooms and of guests.
const ROOMS: u32 = 44;
const GUESTS: u32 = 5_000;

/// Tables with their columns, and what fills these from each row's JSON list.
const TABLES: [(&str, &str); 6] = [
    (
        "execution (id, saga, version, caller, interface, token, input_digest, state, created_at, updated_at, fence, lease_until,
            seq, audit_seq)",
        "j.value ->> 0, j.value ->> 1, 1, j.value ->> 2, 'form', j.value ->> 0, 'seeded', j.value ->> 3,
            cast(j.value ->> 4 as bigint), cast(j.value ->> 5 as bigint), 1, 0, cast(j.value ->> 6 as bigint),
            cast(j.value ->> 7 as bigint)",
    ),
    (
        "execution_input (execution, input, answer)",
        "j.value ->> 0, j.value ->> 1, j.value ->> 2",
    ),
    (
        "label (execution, name, value)",
        "j.value ->> 0, j.value ->> 1, j.value ->> 2",
    ),
    (
        "journal (execution, seq, at, written_by, fence, event, digest)",
        "j.value ->> 0, cast(j.value ->> 1 as bigint), cast(j.value ->> 2 as bigint), 'seeded', 1, j.value ->> 3, j.value ->> 4",
    ),
    (
        "audit (execution, seq, at, actor, from_state, to_state, journal, hash)",
        "j.value ->> 0, cast(j.value ->> 1 as bigint), cast(j.value ->> 2 as bigint), j.value ->> 3, j.value ->> 4,
            j.value ->> 5, j.value ->> 6, j.value ->> 7",
    ),
    (
        "projection (kind, key, execution, body, updated_at)",
        "'compensation', j.value ->> 0, j.value ->> 1, j.value ->> 2, cast(j.value ->> 3 as bigint)",
    ),
];

/// Rows of one batch in each table.
#[derive(Debug, Default)]
struct Batch {
    executions: Vec<Value>,
    inputs: Vec<Value>,
    labels: Vec<Value>,
    journal: Vec<Value>,
    audit: Vec<Value>,
    projections: Vec<Value>,
}

/// Inserts this many ended executions, the newest as of `now`, most of them completed. Their
/// journals are short and complete: they verify. Call once, on an empty store.
///
/// # Errors
/// When the database refuses.
pub async fn seed_executions(url: &str, many: u32, now: Timestamp) -> Result<(), TestingError> {
    macro_rules! fill {
        ($connection:expr, $list:literal, $analyze:literal) => {{
            let mut connection = $connection.await.map_err(failed)?;
            for first in (0..many).step_by(BATCH_SIZE) {
                let batch = Batch::of(first, many, now).map_err(failed)?;
                for ((into, columns), rows) in TABLES.iter().zip(batch.tables()) {
                    let sql = format!("insert into {into} select {columns} from {} j", $list);
                    sqlx::query(AssertSqlSafe(sql))
                        .bind(json!(rows).to_string())
                        .execute(&mut connection)
                        .await
                        .map_err(failed)?;
                }
            }
            sqlx::query($analyze)
                .execute(&mut connection)
                .await
                .map_err(failed)?;
            connection.close().await.map_err(failed)
        }};
    }
    if url.starts_with("sqlite") {
        fill!(SqliteConnection::connect(url), "json_each($1)", "analyze")
    } else {
        // Otherwise the planner believes for a minute that the tables are empty.
        let connection = PgConnection::connect(url);
        fill!(
            connection,
            "json_array_elements($1::json)",
            "vacuum analyze"
        )
    }
}

impl Batch {
    /// The executions from this one on.
    fn of(first: u32, many: u32, now: Timestamp) -> Result<Self, StoreError> {
        let mut batch = Self::default();
        for n in (first..many).take(BATCH_SIZE) {
            let age = EXECUTION_INTERVAL * i32::try_from(many - n).unwrap_or(i32::MAX);
            batch.add(n, now - age)?;
        }
        Ok(batch)
    }

    /// Rows in the order of [`TABLES`].
    const fn tables(&self) -> [&Vec<Value>; 6] {
        let Self {
            executions,
            inputs,
            labels,
            journal,
            audit,
            projections,
        } = self;
        [executions, inputs, labels, journal, audit, projections]
    }

    fn add(&mut self, n: u32, at: Timestamp) -> Result<(), StoreError> {
        // Like real ones: time first.
        let ms = u128::try_from(at.as_millisecond()).unwrap_or_default();
        let id = ExecutionId(Uuid::from_u128(
            (ms << 80) | (7 << 76) | (2 << 62) | u128::from(n),
        ));
        let name = id.to_string();
        let saga = match n % 10 {
            0..4 => "process_guest_checkout",
            4..7 => "check_in_guest",
            _ if n % 500 == 9 => "resolve_execution",
            _ => "post_charge",
        };
        let (end, reason) = match n {
            _ if n % 2_000 == 7 => (End::NeedsAttention, Some("OPEN_BALANCE")),
            _ if n % 50 == 3 => (End::Compensated, None),
            _ if n % 20 == 5 => (End::Refused, None),
            _ => (End::Completed, None),
        };
        let guest = format!("guest{}@example.com", n % GUESTS);
        let caller = format!("guest:{guest}");
        let (rows, trail) = story(id, saga, &caller, at, end, reason)?;
        let (last, state) = (
            rows.last().map_or(at, |row| row.at),
            trail.last().map_or(State::Queued, |row| row.to),
        );
        let (room, booking) = ((100 + n % ROOMS).to_string(), format!("BK-{}", n / 4));
        self.executions.push(json!([
            name,
            saga,
            caller,
            state.name(),
            at.as_microsecond(),
            last.as_microsecond(),
            rows.len(),
            trail.last().map_or(1, |row| row.seq)
        ]));
        let input =
            json!({ "guest_email": guest, "amount": 25_000, "_by": { "key": caller, "role": "guest" } }).to_string();
        let answer = json!({ "status": "ok", "data": { "booking_number": booking, "room_number": room, "amount": 25_000 } });
        self.inputs.push(json!([name, input, answer.to_string()]));
        for (label, value) in [
            ("guest_email", &guest),
            ("booking_number", &booking),
            ("room_number", &room),
        ] {
            self.labels.push(json!([name, label, value]));
        }
        let payment = format!("pi_seeded{n:08}");
        if saga == "process_guest_checkout" {
            self.labels
                .push(json!([name, "payment_intent_id", payment]));
        }
        if let Some(reason) = reason {
            self.labels
                .push(json!([name, dewy_saga::journal::ATTENTION, reason]));
        }
        if end == End::Compensated {
            let body = json!({
                "execution_id": name, "payment_intent_id": payment, "booking_number": booking, "room_number": room,
                "captured": 25_000, "currency": "usd", "refund_id": format!("re_seeded{n:08}"), "refunded": 25_000,
                "cause": "guard_failed", "because": "move", "triggers": ["saga"], "status": "compensated", "reason": null,
            });
            self.projections.push(json!([
                payment,
                name,
                body.to_string(),
                last.as_microsecond()
            ]));
        }
        for row in rows {
            self.journal.push(json!([
                name,
                row.seq,
                row.at.as_microsecond(),
                serde_json::to_string(&row.event)
                    .map_err(|error| StoreError::Failed(error.to_string()))?,
                row.digest
            ]));
        }
        for row in trail {
            let from = row.from.map(State::name);
            self.audit.push(json!([
                name,
                row.seq,
                row.at.as_microsecond(),
                row.actor,
                from,
                row.to.name(),
                row.journal,
                row.hash
            ]));
        }
        Ok(())
    }
}

/// The shortest journal with this end.
fn story(
    id: ExecutionId,
    saga: &str,
    caller: &str,
    at: Timestamp,
    end: End,
    reason: Option<&str>,
) -> Result<(Vec<Row>, Vec<AuditRow>), StoreError> {
    let mut events = vec![
        Event::Queued {
            saga: saga.to_owned(),
            version: 1,
        },
        Event::Read {
            facts: json!({ "seeded": true }),
        },
    ];
    if end == End::Compensated {
        let fault = Fault::new("guard_failed", "the room had been changed");
        let decision = Decision {
            because: "move".to_owned(),
            fault,
            trigger: "saga".to_owned(),
        };
        events.push(Event::Decided { decision });
    }
    events.push(Event::Ended {
        end,
        reason: reason.map(str::to_owned),
    });
    let (mut rows, mut trail): (Vec<Row>, Vec<AuditRow>) = (Vec::new(), Vec::new());
    let mut before = None;
    for (seq, event) in (1_i64..).zip(events) {
        let at = at + SignedDuration::from_millis(300 * (seq - 1));
        let digest = hash_chain::digest(
            id,
            rows.last().map_or("", |row| &row.digest),
            seq,
            at,
            &event,
        );
        let to = state_machine::next(before, &event)
            .map_err(|error| StoreError::Failed(error.to_string()))?;
        let row = Row {
            seq,
            at,
            by: "seeded".to_owned(),
            fence: 1,
            digest,
            event,
        };
        if before != Some(to) {
            let actor = if seq == 1 { caller } else { "seeded" };
            trail.push(hash_chain::audit(
                id,
                trail.last().map_or("", |row| &row.hash),
                &row,
                actor,
                before,
                to,
            ));
        }
        before = Some(to);
        rows.push(row);
    }
    Ok((rows, trail))
}
