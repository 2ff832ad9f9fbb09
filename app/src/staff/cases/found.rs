//! Cases as `search_cases_on_behalf_of_staff` answers them.

use dewy_domain::ports::SignedIn;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    form_draft::FormDraft,
    page::{Stop, Trouble},
    page_context::PageContext,
    staff::reads::ask,
};

/// As many as the tool gives at once.
const MOST: u32 = 200;

/// A list of them.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Cases {
    /// Newest first.
    pub cases: Vec<CaseRow>,
    /// There are more.
    #[serde(default)]
    pub cut: bool,
    /// How to see fewer.
    #[serde(default)]
    pub how_to_narrow: String,
}

/// One case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseRow {
    /// `00001001`.
    pub case_number: String,
    /// In a line.
    #[serde(default)]
    pub subject: String,
    /// In full.
    #[serde(default)]
    pub description: String,
    /// `Housekeeping`.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// `New`, `In Progress`, `Closed`, or one of the org's own.
    pub case_status: String,
    /// `Urgent`.
    #[serde(default)]
    pub priority: String,
    /// About which room.
    #[serde(default)]
    pub room_number: Option<String>,
    /// Of which stay.
    #[serde(default)]
    pub booking_number: Option<String>,
    /// Of which guest.
    #[serde(default)]
    pub guest_name: Option<String>,
    /// Their email.
    #[serde(default)]
    pub guest_email: Option<String>,
    /// Who has taken it.
    #[serde(default)]
    pub assignee: Option<String>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// What was said about it, newest first.
    #[serde(default)]
    pub comments: Vec<Comment>,
}

/// Something said about a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comment {
    /// The words.
    pub body: String,
    /// When.
    pub at: Timestamp,
}

impl CaseRow {
    /// The statuses it may go to from here, with the words of the button.
    pub fn next(&self) -> &'static [(&'static str, &'static str)] {
        match self.case_status.as_str() {
            "New" => &[("In Progress", "Take it up")],
            "In Progress" => &[("Closed", "Done")],
            "Closed" => &[("In Progress", "Open again")],
            _ => &[("In Progress", "Take it up"), ("Closed", "Done")],
        }
    }

    /// Whether it is over.
    pub fn closed(&self) -> bool {
        self.case_status == "Closed"
    }

    /// The pressing ones first.
    pub fn rank(&self) -> (u8, Timestamp) {
        let priority = match self.priority.as_str() {
            "Urgent" => 0,
            "High" => 1,
            "Medium" => 2,
            _ => 3,
        };
        (priority, self.created_at)
    }
}

/// The cases that fit, as far as the tool gives them.
pub async fn cases(
    ctx: &PageContext,
    who: &SignedIn,
    mut input: Value,
    here: &str,
) -> Result<Result<Cases, FormDraft>, Stop> {
    input["limit"] = json!(MOST);
    ask(ctx, who, "search_cases_on_behalf_of_staff", input, here).await
}

/// The case of that number, however old it is.
pub async fn find(
    ctx: &PageContext,
    who: &SignedIn,
    number: &str,
    here: &str,
) -> Result<CaseRow, Stop> {
    // What is no number at all is not asked for: nothing could have it
    if number.is_empty() || number.len() > 10 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Stop::NotFound);
    }
    let found = ask::<Cases>(
        ctx,
        who,
        "search_cases_on_behalf_of_staff",
        json!({ "case_number": number }),
        here,
    )
    .await?;
    let found = found.map_err(|draft| {
        Stop::Trouble(Trouble {
            status: 502,
            title: draft.title,
            message: draft.message,
            ways_out: Vec::new(),
        })
    })?;
    found.cases.into_iter().next().ok_or(Stop::NotFound)
}
