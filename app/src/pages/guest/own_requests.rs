//! Requests of a guest, and their status.

use dewy_domain::{
    emergency, hotel_profile::phone_link, ports::SignedIn, room_number::RoomNumber,
    tool_output::OwnCase, vocabulary::CaseStatus,
};
use jiff::Timestamp;
use leptos::prelude::*;
use serde::Deserialize;
use serde_json::json;

use super::request_form::department_label;
use crate::{
    components::{Ago, StatusBadge},
    hotel_profile::hotel,
    labels::DOT,
    language::{rich, t},
    page_context::PageContext,
    page_url,
    pages::read_tools::{ReadFailure, list},
};

/// Maximum number of requests shown.
const MAX_RESULTS: u32 = 30;

/// Request as listed by `search_cases_on_behalf_of_guest`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OwnRequest {
    /// `00001027`.
    pub case_number: String,
    /// Subject.
    #[serde(default)]
    pub subject: String,
    /// Description.
    #[serde(default)]
    pub description: String,
    /// `Housekeeping`, …
    #[serde(default, rename = "type")]
    pub kind: String,
    /// Status.
    #[serde(default)]
    pub case_status: CaseStatus,
    /// Room number.
    pub room_number: Option<RoomNumber>,
    /// Time of the request.
    pub created_at: Option<Timestamp>,
}

impl From<OwnCase> for OwnRequest {
    fn from(case: OwnCase) -> Self {
        Self {
            case_number: case.case_number,
            subject: case.subject,
            description: case.description,
            kind: case.kind.as_str().to_owned(),
            case_status: case.case_status,
            room_number: case.room_number,
            created_at: Some(case.created_at),
        }
    }
}

/// Open requests.
///
/// # Errors
/// The tool's error.
pub async fn open_requests(
    ctx: &PageContext,
    user: &SignedIn,
) -> Result<Vec<OwnRequest>, ReadFailure> {
    let input = json!({ "status_filter": "Open", "limit": MAX_RESULTS });
    list(ctx, user, "search_cases_on_behalf_of_guest", input, "cases").await
}

/// All requests, latest first.
///
/// # Errors
/// The tool's error.
pub async fn all_requests(
    ctx: &PageContext,
    user: &SignedIn,
) -> Result<Vec<OwnRequest>, ReadFailure> {
    let input = json!({ "status_filter": "All", "limit": MAX_RESULTS });
    list(ctx, user, "search_cases_on_behalf_of_guest", input, "cases").await
}

impl OwnRequest {
    /// Whether it is done.
    pub fn done(&self) -> bool {
        self.case_status == CaseStatus::Closed
    }

    /// State and label of the pill.
    pub fn status_badge(&self) -> (&'static str, &'static str) {
        match self.case_status {
            CaseStatus::Closed => ("completed", t!("request-done")),
            CaseStatus::New => ("received", t!("request-received")),
            _ => ("running", t!("request-on-its-way")),
        }
    }

    /// Title; of an emergency, what the guest has written.
    pub fn title(&self) -> String {
        Some(self.subject.trim())
            .filter(|subject| !subject.is_empty())
            .map(|subject| emergency::reported_message(subject).unwrap_or(subject))
            .unwrap_or(&self.kind)
            .to_owned()
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
        let fresh = self
            .created_at
            .is_some_and(|at| now.as_second() - at.as_second() <= seconds);
        !self.done() && fresh && self.kind == kind && plain(&self.description) == plain(description)
    }

    /// List entry.
    pub fn list_item(&self) -> AnyView {
        let (state, word) = self.status_badge();
        let room = self
            .room_number
            .as_ref()
            .map(|room| format!("{DOT}{}", t!("request-room", number = room.as_str())));
        let ago = self
            .created_at
            .map(|at| view! { {DOT} {rich("request-asked", vec![("ago", view! { <Ago at=at /> }.into_any())], &[])} });
        view! {
            <li id=format!("case-{}", page_url::segment(&self.case_number))>
                <div>
                    <p class="title">{self.title()}</p>
                    <p class="aside">{department_label(&self.kind)} {room} {ago} {DOT} <span class="whole">{t!("number", number = self.case_number.as_str())}</span></p>
                </div>
                <StatusBadge state=state word=word />
            </li>
        }
        .into_any()
    }
}

/// Whom to call and where to write, for a guest whose emergency is not over.
pub fn emergency_panel(requests: &[OwnRequest]) -> Option<AnyView> {
    let open = |request: &OwnRequest| {
        !request.done() && emergency::reported_message(&request.description).is_some()
    };
    requests.iter().find(|request| open(request))?;
    let call = hotel().emergency_number.clone().map(|number| {
        let link = phone_link(&number);
        view! { <a class="button danger" href=link>{t!("talk-call-number", number = number)}</a> }
    });
    let panel = view! {
        <div class="in-danger">
            <p><strong>{t!("danger-reported")}</strong></p>
            {call}
            <a class="button danger" href="/guest/concierge">{t!("danger-chat")}</a>
        </div>
    };
    Some(panel.into_any())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_request_within_minutes_is_a_duplicate() {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        let request: OwnRequest = serde_json::from_value(json!({
            "case_number": "00001027", "subject": "Two towels", "description": "Two  towels,\nplease.", "type": "Housekeeping",
            "case_status": "New", "room_number": "302", "created_at": "2026-11-20T11:55:00Z"
        }))
        .unwrap();
        assert!(request.is_duplicate("Housekeeping", "two towels, please. ", now, 600));
        assert!(!request.is_duplicate("Concierge", "two towels, please.", now, 600));
        assert!(!request.is_duplicate("Housekeeping", "three towels, please.", now, 600));
        assert!(!request.is_duplicate("Housekeeping", "two towels, please.", now, 60));
        let done = OwnRequest {
            case_status: CaseStatus::Closed,
            ..request.clone()
        };
        assert!(!done.is_duplicate("Housekeeping", "two towels, please.", now, 600));
        assert_eq!(
            (request.status_badge().1, done.status_badge().1),
            ("Received", "Done")
        );
    }
}
