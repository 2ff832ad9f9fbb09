//! What a change of a case is about: subject, room and guest, and what it is now.

use dewy_domain::{
    caller::Caller,
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::{ManageCases, SearchCasesOnBehalfOfStaff},
    tool_output::CaseListItem,
};
use serde_json::json;

use super::Terms;
use crate::concierge_service::Inner;

impl Inner {
    /// Case with this number, if the caller may see it.
    pub(crate) async fn case(
        &self,
        caller: &Caller,
        number: &str,
    ) -> Result<Option<CaseListItem>, ToolAnswer> {
        let query = json!({ "case_number": number });
        let found = self
            .read::<SearchCasesOnBehalfOfStaff>(caller, query)
            .await?;
        Ok(found.rows.into_iter().next())
    }

    /// Terms of a change. A new case shows its own fields.
    pub(super) async fn changing_case(
        &self,
        caller: &Caller,
        wanted: &ManageCases,
    ) -> Result<Terms, ToolAnswer> {
        let Some(number) = wanted.case_number.as_deref() else {
            return Ok(Terms::default());
        };
        // The tool says that there is none
        let Some(case) = self.case(caller, number).await? else {
            return Ok(Terms::default());
        };
        if is_so_already(wanted, &case) {
            let message = format!("Case {number} is so already: nothing would change.");
            return Err(ToolError::problem("case_number", message).into());
        }
        let mut facts = Vec::new();
        if let Some(status) = wanted
            .status
            .as_ref()
            .filter(|status| **status != case.case_status)
        {
            let (status, before) = (status.as_str(), case.case_status.as_str());
            facts.push(format!("Status: {status}, instead of {before}.").into());
        }
        Ok(Terms {
            question: Some(format!("Change case {}?", described(&case)).into()),
            facts,
            ..Terms::default()
        })
    }
}

/// `00001005: “Late breakfast for 310”, room 310, Olivia Martin`.
pub(crate) fn described(case: &CaseListItem) -> String {
    let room = case.room_number.as_ref();
    let room = room.map_or_else(String::new, |room| format!(", room {room}"));
    let guest = case.guest_name.as_ref();
    let guest = guest.map_or_else(String::new, |name| format!(", {name}"));
    format!("{}: “{}”{room}{guest}", case.case_number, case.subject)
}

/// Whether every field that would be set has its value.
fn is_so_already(wanted: &ManageCases, case: &CaseListItem) -> bool {
    let same = [
        wanted
            .status
            .as_ref()
            .map(|status| *status == case.case_status),
        wanted
            .priority
            .as_ref()
            .map(|priority| *priority == case.priority),
        wanted.kind.as_ref().map(|kind| *kind == case.kind),
        wanted.subject.as_ref().map(|text| *text == case.subject),
        wanted
            .description
            .as_ref()
            .map(|text| *text == case.description),
        wanted
            .room_number
            .as_ref()
            .map(|room| case.room_number.as_ref() == Some(room)),
        wanted
            .guest_email
            .as_ref()
            .map(|email| case.guest_email.as_ref() == Some(email)),
        wanted
            .assignee
            .as_ref()
            .map(|email| case.assignee.as_ref() == Some(email)),
    ];
    wanted.comment.is_none() && same.into_iter().flatten().all(|same| same)
}
