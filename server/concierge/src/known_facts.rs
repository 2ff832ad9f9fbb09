//! Facts about what somebody complains of or reports, for an answer without a proposal: how the last
//! attempt ended, from the journal, and how the booking stands, with its folio.

use dewy_domain::{
    caller::{Caller, Persona},
    tool::Tool,
    tool_catalog::SearchExecutions,
    tool_output::ListResult,
};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::{concierge_service::Inner, proposal_terms::BookedStay, stay_reference::StayReference};

/// Number of a guest's latest activities among which their last attempt is looked for.
const MAX_ACTIVITIES: usize = 20;
/// How long an attempt is worth mentioning.
const RECENT: SignedDuration = SignedDuration::from_hours(48);

impl Inner {
    /// What is known about the matter of this input, as sentences; nothing that the caller may not
    /// read.
    pub(crate) async fn known_facts(
        &self,
        caller: &Caller,
        tool: &Tool,
        input: &Value,
    ) -> Vec<String> {
        let stay = self.booked(caller, StayReference::of(input)).await;
        let stay = stay.ok().flatten();
        let last = match (caller.persona, &stay) {
            (Persona::Guest, _) => self.own_attempt(caller, tool).await,
            (Persona::Staff, Some(stay)) => self.attempt_for(caller, tool, stay).await,
            (Persona::Staff, None) => None,
        };
        let stands = stay.map(|stay| self.stands(caller, &stay));
        last.into_iter().chain(stands).collect()
    }

    /// `Your booking of room 302 is Checked In. Paid so far: $0.00. Open: $250.00.`
    fn stands(&self, caller: &Caller, stay: &BookedStay) -> String {
        let booking = match caller.persona {
            Persona::Guest => "Your booking".to_owned(),
            Persona::Staff => format!("Booking {}", stay.number),
        };
        format!(
            "{booking} of room {} is {}. Paid so far: {}. Open: {}.",
            stay.room,
            stay.status.as_str(),
            self.money(stay.paid),
            stay.balance
                .map_or_else(|| "not known".to_owned(), |open| self.money(open))
        )
    }

    /// How a guest's last attempt ended.
    async fn own_attempt(&self, caller: &Caller, tool: &Tool) -> Option<String> {
        let feed = &self.parts.execution_feed;
        let recent = feed.activities(caller, MAX_ACTIVITIES).await;
        let since = self.now() - RECENT;
        let mut recent = recent.into_iter();
        let last = recent.find(|one| one.tool == tool.name && one.created_at > since)?;
        let view = feed.execution(caller, &last.execution_id).await?;
        Some(view.summary.to_string())
    }

    /// How the last attempt about this stay ended, for staff.
    async fn attempt_for(&self, caller: &Caller, tool: &Tool, stay: &BookedStay) -> Option<String> {
        let query = json!({ "tool": tool.name, "booking_number": stay.number, "limit": 1 });
        let found = self.read::<SearchExecutions>(caller, query).await;
        let ListResult { rows, .. } = found.ok()?;
        let since = self.now() - RECENT;
        let last = rows.into_iter().find(|one| one.created_at > since)?;
        let feed = &self.parts.execution_feed;
        let view = feed.execution(caller, &last.execution_id).await?;
        Some(view.summary.to_string())
    }
}
