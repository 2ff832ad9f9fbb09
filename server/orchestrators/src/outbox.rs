//! The outbox: what has to be told to a guest is written beside the journal in the very transaction
//! that brings it about; a worker makes an execution of each row, once, and takes the row away.
//!
//! ```text
//! check-in ends ─┐
//! check-out ends ─┼─► row (text, exe_…:check_out) ─► send_text execution (token = the row's key) ─► row dropped
//! refund stands ─┘
//! ```

use dewy_saga::{Accepted, Context, End, StartRequest, journal::Projection};
use serde_json::json;

use crate::{hotel::Hotel, send_text};

/// The rows' kind.
const KIND: &str = "text";

/// How many rows are taken at once.
const BATCH: usize = 50;

/// The row of a text that an execution owes once it has come to rest this way.
pub(crate) fn after(
    cx: Context<'_>,
    end: End,
    what: &str,
    email: Option<&str>,
    words: Option<String>,
) -> Option<Projection> {
    let (ended, _, _) = cx.progress.ended.as_ref()?;
    if *ended != end {
        return None;
    }
    owed(cx, what, email, words)
}

/// The row of a text that an execution owes.
pub(crate) fn owed(
    cx: Context<'_>,
    what: &str,
    email: Option<&str>,
    words: Option<String>,
) -> Option<Projection> {
    let (email, words) = (email.filter(|e| !e.is_empty())?, words?);
    // The reference makes the message recognisable at the carrier, and a guest can quote it.
    let id = cx.id.to_string();
    let short = id.get(id.len().saturating_sub(6)..).unwrap_or_default();
    Some(Projection {
        kind: KIND.to_owned(),
        key: format!("{id}:{what}"),
        body: json!({ "guest_email": email, "body": format!("{words} Ref {short}."), "what": what, "of": id }),
    })
}

impl Hotel {
    /// Makes executions of the texts that are owed; returns how many rows it took.
    pub async fn post_texts(&self) -> usize {
        let journal = self.engine.journal();
        let rows = match journal.projections(KIND, None, BATCH).await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::warn!(%error, "the outbox could not be read");
                return 0;
            }
        };
        let mut posted = 0;
        for row in rows {
            let order = StartRequest {
                saga: send_text::SEND_TEXT.name,
                caller: "hotel:outbox".to_owned(),
                interface: "clock".to_owned(),
                token: Some(row.key.clone()),
                input_digest: row.key.clone(),
                input: row.body,
                labels: Vec::new(),
            };
            match self.engine.start(order).await {
                Accepted::Started(_) | Accepted::Known(_) | Accepted::Mismatch(_) => {}
                // Later: the row stays.
                Accepted::Overloaded | Accepted::Failed(_) => return posted,
            }
            if let Err(error) = journal.drop_beside(KIND, &row.key).await {
                tracing::warn!(%error, "a posted text stays in the outbox; it will not be sent twice");
            }
            posted += 1;
        }
        posted
    }
}
