//! Requests of a guest, and their status.

use dewy_domain::{
    case::HAND_OVER_SUBJECT,
    emergency,
    tool_catalog::{RequestLateCheckout, SearchCasesOnBehalfOfGuest},
    tool_output::OwnCase,
    vocabulary::{CaseFilter, CaseStatus},
};
use jiff::Timestamp;
use serde::Deserialize;

use super::request_form::department_label;
use crate::{
    labels::DOT,
    pages::{
        prelude::*,
        read_tools::{ReadFailure, readable_rows},
    },
};

/// Maximum number of requests shown.
const MAX_RESULTS: u32 = 30;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct OwnRequest(pub OwnCase);

/// Requests, latest first: those that are open, or all.
///
/// # Errors
/// The tool's error.
pub async fn own_requests(
    ctx: &PageContext,
    user: &SignedIn,
    filter: CaseFilter,
) -> Result<Vec<OwnRequest>, ReadFailure> {
    let input = json!({ "status_filter": filter, "limit": MAX_RESULTS });
    let cases = readable_rows::<SearchCasesOnBehalfOfGuest, _>(ctx, user, input).await?;
    Ok(cases.into_iter().map(OwnRequest).collect())
}

impl OwnRequest {
    /// Whether it is done, or ended with the stay.
    pub fn done(&self) -> bool {
        self.0.case_status == CaseStatus::Closed || self.0.lapsed
    }

    /// State and label of the pill.
    pub fn status_badge(&self) -> (&'static str, &str) {
        match &self.0.case_status {
            _ if self.0.lapsed => ("over", t!("request-lapsed")),
            CaseStatus::Closed => ("completed", t!("request-done")),
            CaseStatus::InProgress => ("running", t!("request-on-its-way")),
            CaseStatus::Other(word) if !word.is_empty() => ("received", word),
            CaseStatus::New | CaseStatus::Other(_) => ("received", t!("request-received")),
        }
    }

    /// Title; of an emergency, what the guest has written; of what we wrote, in their language.
    pub fn title(&self) -> String {
        if self.0.subject.starts_with(HAND_OVER_SUBJECT) {
            return t!("request-hand-over").to_owned();
        }
        Some(self.0.subject.trim())
            .filter(|subject| !subject.is_empty())
            .map(|subject| emergency::reported_message(subject).unwrap_or(subject))
            .map_or_else(
                || self.0.kind.to_string(),
                |subject| {
                    RequestLateCheckout::read_subject(subject)
                        .map_or_else(|| subject.to_owned(), |subject| told(&subject))
                },
            )
    }

    /// Whether it is identical to a request made within `seconds`.
    pub fn is_duplicate(
        &self,
        kind: &str,
        description: &str,
        now: Timestamp,
        seconds: i64,
    ) -> bool {
        let plain = |text: &str| {
            text.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .to_lowercase()
        };
        let case = &self.0;
        let fresh = now.as_second() - case.created_at.as_second() <= seconds;
        !self.done()
            && fresh
            && case.kind.as_str() == kind
            && plain(&case.description) == plain(description)
    }

    pub fn list_item(&self) -> AnyView {
        let (state, word) = self.status_badge();
        let case = &self.0;
        let room = case
            .room_number
            .as_ref()
            .map(|room| format!("{DOT}{}", t!("request-room", number = room.as_str())));
        let ago = view! { <Ago at=case.created_at /> }.into_any();
        let ago = rich("request-asked", vec![("ago", ago)], &[]);
        view! {
            <li id=format!("case-{}", page_url::segment(&case.case_number))>
                <div>
                    <p class="title">{self.title()}</p>
                    <p class="aside">{department_label(case.kind.as_str())} {room} {DOT} {ago} {DOT} <span class="whole">{t!("number", number = case.case_number.as_str())}</span></p>
                </div>
                <StatusBadge state=state word=word.to_owned() />
            </li>
        }
        .into_any()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_request_within_minutes_is_a_duplicate() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let request: OwnRequest = serde_json::from_value(json!({
            "case_number": "00001027", "subject": "Two towels", "description": "Two  towels,\nplease.", "type": "Housekeeping",
            "case_status": "New", "priority": "Medium", "room_number": "302", "created_at": "2026-11-20T11:55:00Z"
        }))
        .unwrap();
        assert!(request.is_duplicate("Housekeeping", "two towels, please. ", now, 600));
        assert!(!request.is_duplicate("Concierge", "two towels, please.", now, 600));
        assert!(!request.is_duplicate("Housekeeping", "three towels, please.", now, 600));
        assert!(!request.is_duplicate("Housekeeping", "two towels, please.", now, 60));
        let mut done = request.clone();
        done.0.case_status = CaseStatus::Closed;
        assert!(!done.is_duplicate("Housekeeping", "two towels, please.", now, 600));
        assert_eq!(
            (request.status_badge().1, done.status_badge().1),
            ("Received", "Done")
        );
        let mut lapsed = request.clone();
        lapsed.0.lapsed = true;
        assert_eq!(lapsed.status_badge().1, "Ended with your stay");
        assert!(lapsed.done() && !request.done());
    }
}
