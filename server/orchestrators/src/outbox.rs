//! The outbox: a message owed to a guest is written as a projection in the same transaction as its
//! cause. A worker starts one execution per row and then deletes the row.
//! ```text
//! check-in ends ─┐
//! check-out ends ─┼─► row (text, exe_…:check_out) ─► send_text execution (token = the row's key) ─► row dropped
//! refund stands ─┘
//! ```

use dewy_saga::{Context, End, journal::Projection};
use serde_json::json;

/// Kind of the rows.
pub(crate) const KIND: &str = "text";

/// The text an execution owes after this end.
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
    // The reference identifies the message at the carrier, and a guest can quote it.
    let id = cx.id.to_string();
    let short = id.get(id.len().saturating_sub(6)..).unwrap_or_default();
    Some(Projection {
        kind: KIND.to_owned(),
        key: format!("{id}:{what}"),
        body: json!({ "guest_email": email, "body": format!("{words} Ref {short}."), "what": what, "of": id }),
    })
}
