//! Cases as returned by `search_cases_on_behalf_of_staff`.

use dewy_domain::{
    ports::SignedIn,
    vocabulary::{CasePriority, CaseStatus, CaseType},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    form_draft::FormDraft,
    page_context::PageContext,
    pages::staff::staff_reads::read_tool,
    render_page::{ErrorPage, PageError},
};

/// Limit of the tool.
const MAX_CASES: u32 = 200;

/// List of cases.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Cases {
    /// Newest first.
    pub cases: Vec<CaseRow>,
    /// Whether there are more.
    #[serde(default)]
    pub cut: bool,
    /// How to narrow the search.
    #[serde(default)]
    pub how_to_narrow: String,
}

/// Case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseRow {
    /// `00001001`.
    pub case_number: String,
    /// Subject.
    #[serde(default)]
    pub subject: String,
    /// Description.
    #[serde(default)]
    pub description: String,
    /// Type.
    #[serde(default, rename = "type")]
    pub kind: CaseType,
    /// Status.
    pub case_status: CaseStatus,
    /// Priority.
    #[serde(default)]
    pub priority: CasePriority,
    /// Room.
    #[serde(default)]
    pub room_number: Option<String>,
    /// Booking.
    #[serde(default)]
    pub booking_number: Option<String>,
    /// Guest.
    #[serde(default)]
    pub guest_name: Option<String>,
    /// Email of the guest.
    #[serde(default)]
    pub guest_email: Option<String>,
    /// Assignee.
    #[serde(default)]
    pub assignee: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Comments, newest first.
    #[serde(default)]
    pub comments: Vec<Comment>,
}

/// Comment on a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comment {
    /// Text.
    pub body: String,
    /// Time.
    pub at: Timestamp,
}

impl CaseRow {
    /// Next statuses, with the labels of their buttons.
    pub fn next(&self) -> &'static [(CaseStatus, &'static str)] {
        use CaseStatus::{Closed, InProgress, New};
        match self.case_status {
            New => &[(InProgress, "Start work")],
            InProgress => &[(Closed, "Done")],
            Closed => &[(InProgress, "Open again")],
            CaseStatus::Other(_) => &[(InProgress, "Start work"), (Closed, "Done")],
        }
    }

    /// Whether it is closed.
    pub fn closed(&self) -> bool {
        self.case_status == CaseStatus::Closed
    }

    /// Sort key: urgent cases first.
    pub fn rank(&self) -> (u8, Timestamp) {
        (priority_rank(&self.priority), self.created_at)
    }
}

/// Sort key of a priority: urgent first.
pub fn priority_rank(priority: &CasePriority) -> u8 {
    match priority {
        CasePriority::Urgent => 0,
        CasePriority::High => 1,
        CasePriority::Medium => 2,
        CasePriority::Low | CasePriority::Other(_) => 3,
    }
}

/// Matching cases, up to the limit of the tool.
pub async fn cases(
    ctx: &PageContext,
    user: &SignedIn,
    mut input: Value,
    here: &str,
) -> Result<Result<Cases, FormDraft>, PageError> {
    input["limit"] = json!(MAX_CASES);
    read_tool(ctx, user, "search_cases_on_behalf_of_staff", input, here).await
}

/// Case with that number, whatever its age.
pub async fn find(
    ctx: &PageContext,
    user: &SignedIn,
    number: &str,
    here: &str,
) -> Result<CaseRow, PageError> {
    // An invalid number can't exist
    if number.is_empty() || number.len() > 10 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PageError::NotFound);
    }
    let found = read_tool::<Cases>(
        ctx,
        user,
        "search_cases_on_behalf_of_staff",
        json!({ "case_number": number }),
        here,
    )
    .await?;
    let found = found.map_err(|draft| {
        PageError::Error(ErrorPage {
            status: 502,
            title: draft.title,
            message: draft.message,
            links: Vec::new(),
        })
    })?;
    found.cases.into_iter().next().ok_or(PageError::NotFound)
}
