//! Prerequisites: finds the case and checks whether the transition is allowed.

use dewy_domain::{
    case::{Case, CaseChange, CaseQuery, OpenCaseRequest, signed_comment},
    error_code::ErrorCode,
    guest::GuestQuery,
    guest_identity::GuestIdentity,
    tool_answer::{Problem, ToolError},
    tool_catalog::ManageCases,
    upstream_request::Fault,
    vocabulary::{CaseOrigin, CasePriority, CaseStatus},
};
use dewy_saga::{Context, PrerequisitesResult};
use serde_json::json;

use super::{Facts, assignees, grant_late_checkout::granted};
use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    not_ready::{NotReady, label, ready},
    room_lookup::room_named,
    started_by::StartedBy,
    tool_answer::unchanged,
};

/// Reads case, room and guest concurrently, and decides.
pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: ManageCases,
) -> Result<PrerequisitesResult, NotReady> {
    let mut problems = problems(&input);
    if let (Some(assignee), Some(staff)) = (&input.assignee, &parts.staff)
        && staff.is_staff(&assignee.as_str().into()).await == Some(false)
    {
        problems.push(Problem::new(
            "assignee",
            "assignee must be the email of a staff member: nobody here signs in with this one.",
        ));
    }
    if !problems.is_empty() {
        return Err(ToolError::problems(&problems).into());
    }
    let crm = parts.crm.as_ref();
    let case = async {
        let Some(number) = &input.case_number else {
            return Ok(None);
        };
        let cases = crm.cases(&CaseQuery::numbered(number)).await.answered()?;
        Ok(cases.into_iter().next())
    };
    let person = async {
        let query = match (&input.guest_email, &input.booking_number) {
            (Some(email), _) => GuestQuery::Email(GuestIdentity::whoever_has(email.clone())),
            (None, Some(number)) => GuestQuery::Booking(vec![number.clone()]),
            (None, None) => return Ok(None),
        };
        Ok(crm.guests(&query, 1).await.answered()?.into_iter().next())
    };
    let (case, place, person): (Result<_, Fault>, _, Result<_, Fault>) =
        futures::join!(case, room_named(crm, input.room_number.as_ref()), person);
    let (case, place, person) = (case?, place?.map(|place| place.room), person?);
    for (field, given, found, code) in [
        (
            "case_number",
            input.case_number.as_deref(),
            case.is_some(),
            ErrorCode::CaseNotFound,
        ),
        (
            "room_number",
            input.room_number.as_deref(),
            place.is_some(),
            ErrorCode::RoomNotFound,
        ),
        (
            "guest_email",
            input.guest_email.as_deref(),
            person.is_some(),
            ErrorCode::GuestNotFound,
        ),
        (
            "booking_number",
            input.booking_number.as_deref(),
            person.is_some(),
            ErrorCode::BookingNotFound,
        ),
    ] {
        if given.is_some() && !found {
            return Err(ToolError::with(code, json!({ field: given })).into());
        }
    }
    let (input, fee) = match (input.late_checkout_fee, &case) {
        (Some(agreed), Some(case)) => granted(parts, &cx, input, case, agreed).await?,
        _ => (input, None),
    };
    if let (Some(case), Some(shown)) = (&case, &input.shown) {
        let numbers = [case.number.as_str()].into_iter();
        let assignee = assignees(parts.key_value_store.as_ref(), numbers).await;
        let assignee = assignee.into_iter().flatten().next();
        let now = [
            ("status", case.status.as_str()),
            ("priority", case.priority.as_str()),
            ("assignee", assignee.as_deref().unwrap_or_default()),
        ];
        let details =
            json!({ "case_number": case.number, "case_status": case.status, "assignee": assignee });
        unchanged(Some(shown), &now, details)?;
    }
    let (room_id, contact_id) = (
        place.as_ref().map(|room| room.id.clone()),
        person.map(|guest| guest.id),
    );
    let mut labels = Vec::new();
    labels.extend(place.map(|room| label("room_number", room.number)));
    let assignee = input.assignee.as_deref().map(str::to_lowercase);
    let facts = match case {
        Some(there) => {
            let change = change(&cx, input, &there, room_id, contact_id)?;
            labels.extend((there.room_number.as_ref()).map(|number| label("room_number", number)));
            labels.dedup_by(|a, b| a.0 == b.0);
            Facts {
                there: Some(there),
                change,
                order: None,
                assignee,
                fee,
            }
        }
        None => Facts {
            there: None,
            change: None,
            order: Some(open_case_request(&cx, input, room_id, contact_id)),
            assignee,
            fee: None,
        },
    };
    let case = facts.there.iter().map(|case| format!("case:{}", case.id));
    // As a charge: a check-out must not miss the line
    let stay = facts.fee.iter().map(|fee| &fee.stay.booking);
    labels.extend(
        stay.clone()
            .map(|stay| label("booking_number", &stay.number)),
    );
    let claims = case.chain(stay.map(|stay| format!("booking:{}", stay.id)));
    let claims = claims.collect();
    ready(&facts, claims, labels)
}

fn problems(input: &ManageCases) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut problem = |field: &str, message: &str| {
        problems.push(Problem::new(field, message));
    };
    if input.case_number.is_some() {
        let nothing = ManageCases {
            case_number: input.case_number.clone(),
            shown: input.shown.clone(),
            ..ManageCases::default()
        };
        if *input == nothing {
            problem(
                "case_number",
                "Nothing is to be changed: give status, comment, assignee or another field.",
            );
        }
        return problems;
    }
    if input.late_checkout_fee.is_some() {
        problem("late_checkout_fee", "Only with case_number.");
    }
    if input.kind.is_none() {
        problem("type", "type is missing: a new case needs one.");
    }
    if input.subject.as_deref().is_none_or(str::is_empty) {
        problem(
            "subject",
            "subject is missing: a new case needs one line that says what it is.",
        );
    }
    if input.comment.is_some() {
        problem(
            "comment",
            "Only with case_number; what a new case is about belongs into description.",
        );
    }
    if input
        .status
        .as_ref()
        .is_some_and(|status| *status != CaseStatus::New)
    {
        problem("status", "A new case is New; leave status out.");
    }
    problems
}

/// Whether a case may change from one status to the other; keeping the status is always allowed.
fn is_allowed_change(from: &CaseStatus, to: &CaseStatus) -> bool {
    use CaseStatus::{Closed, InProgress, New};
    match (from, to) {
        _ if from == to => true,
        (New | Closed, InProgress) | (InProgress, Closed) => true,
        (New | InProgress | Closed, _) => false,
        // A custom status of the org, such as Escalated: it can be taken up or closed.
        (_, to) => matches!(to, InProgress | Closed),
    }
}

fn change(
    cx: &Context<'_>,
    input: ManageCases,
    there: &Case,
    room_id: Option<String>,
    contact_id: Option<String>,
) -> Result<Option<CaseChange>, ToolError> {
    let by = StartedBy::of(cx);
    // A stay that is over closes what nobody has taken up
    let allowed = |to: &CaseStatus| by.clock || is_allowed_change(&there.status, to);
    if let Some(to) = input.status.as_ref().filter(|to| !allowed(to)) {
        let allowed: Vec<_> = [CaseStatus::New, CaseStatus::InProgress, CaseStatus::Closed]
            .into_iter()
            .filter(|to| is_allowed_change(&there.status, to))
            .collect();
        let details = json!({ "case_number": there.number, "case_status": there.status, "asked_for": to, "allowed": allowed });
        return Err(ToolError::with(ErrorCode::InvalidTransition, details));
    }
    let comment = input
        .comment
        .map(|text| match by.key.strip_prefix("staff:") {
            Some(author) => signed_comment(author, &text),
            None => text,
        });
    let change = CaseChange {
        status: input.status,
        priority: input.priority,
        kind: input.kind,
        subject: input.subject.map(Into::into),
        description: input.description,
        room_id,
        contact_id,
        comment,
    };
    Ok((change != CaseChange::default()).then_some(change))
}

fn open_case_request(
    cx: &Context<'_>,
    input: ManageCases,
    room_id: Option<String>,
    contact_id: Option<String>,
) -> OpenCaseRequest {
    let subject = input.subject.map(String::from).unwrap_or_default();
    OpenCaseRequest {
        execution_id: cx.id.to_string(),
        description: input.description.unwrap_or_else(|| subject.clone()),
        subject,
        kind: input.kind.unwrap_or_else(|| "".into()),
        priority: input.priority.unwrap_or(CasePriority::Medium),
        origin: CaseOrigin::Internal,
        contact_id,
        booking_id: None,
        room_id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_moves_one_status_at_a_time() {
        for (from, to, may) in [
            (CaseStatus::New, CaseStatus::InProgress, true),
            (CaseStatus::New, CaseStatus::Closed, false),
            (CaseStatus::InProgress, CaseStatus::Closed, true),
            (CaseStatus::InProgress, CaseStatus::New, false),
            (CaseStatus::Closed, CaseStatus::InProgress, true),
            (CaseStatus::Closed, CaseStatus::New, false),
            (CaseStatus::Closed, CaseStatus::Closed, true),
            ("Escalated".into(), CaseStatus::InProgress, true),
            ("Escalated".into(), CaseStatus::New, false),
        ] {
            assert_eq!(is_allowed_change(&from, &to), may, "{from} to {to}");
        }
    }
}
