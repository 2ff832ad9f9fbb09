//! Searches for cases: a guest's own, or all for staff. One SOQL query each; assignments are stored
//! by the hotel.

use dewy_domain::{
    caller::Caller,
    case::{Case, CaseComment, CaseQuery},
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::{SearchCasesOnBehalfOfGuest, SearchCasesOnBehalfOfStaff},
    tool_output::{CaseListItem, CommentItem, OwnCase},
    vocabulary::{CaseFilter, CaseStatus},
};

use crate::{
    hotel::hotel_service::Hotel,
    reads::list_answer::{answer, list, unavailable},
    sagas::manage_cases::assignees,
};

pub(crate) async fn for_guest(
    hotel: &Hotel,
    caller: &Caller,
    input: SearchCasesOnBehalfOfGuest,
) -> ToolAnswer {
    let query = CaseQuery {
        guest: Some(caller.identity()),
        open: open(&input.status_filter),
        kind: input.case_type_filter,
        limit: input.limit + 1,
        ..CaseQuery::default()
    };
    let narrow = "There are more. Give case_type_filter or status_filter, or a higher limit.";
    answer(hotel.crm.cases(&query).await, |cases| {
        list(
            cases.into_iter().map(OwnCase::from).collect(),
            input.limit,
            narrow,
        )
    })
}

pub(crate) async fn for_staff(
    hotel: &Hotel,
    caller: &Caller,
    input: SearchCasesOnBehalfOfStaff,
) -> ToolAnswer {
    // Housekeeping and maintenance see rooms, not guests: neither in the results nor as filters.
    let knows_guests = caller.is_front_desk();
    if !knows_guests && input.guest_email.is_some() {
        let message =
            "Only the front desk can look for a guest's cases; leave guest_email out.".to_owned();
        return ToolError::problem("guest_email", message).into();
    }
    let numbered = input
        .case_number
        .map(|number| CaseQuery::numbered(&number))
        .unwrap_or_default();
    // A case requested by number is shown whether open or closed
    let usual = if numbered.number.is_some() {
        CaseFilter::All
    } else {
        CaseFilter::Open
    };
    let status = input.status_filter.unwrap_or(usual);
    let query = CaseQuery {
        guest: caller.guest_meant(input.guest_email),
        open: open(&status),
        status: match status {
            CaseFilter::New => Some(CaseStatus::New),
            CaseFilter::InProgress => Some(CaseStatus::InProgress),
            _ => None,
        },
        priority: input.priority_filter,
        kind: input.case_type_filter,
        room_number: input.room_number,
        limit: input.limit + 1,
        ..numbered
    };
    let cases = match hotel.crm.cases(&query).await.answered() {
        Ok(cases) => cases,
        Err(error) => return unavailable(&error),
    };
    let numbers = cases.iter().map(|case| case.number.as_str());
    let taken = assignees(hotel.key_value_store.as_ref(), numbers).await;
    let comment = |comment: CaseComment| {
        let (author, text) = comment.author_and_text();
        CommentItem {
            author: author.to_owned(),
            body: text.to_owned(),
            at: comment.at,
        }
    };
    let one = |(case, assignee): (Case, Option<String>)| CaseListItem {
        case_number: case.number,
        subject: case.subject,
        description: case.description,
        kind: case.kind,
        case_status: case.status,
        priority: case.priority,
        room_number: case.room_number,
        booking_number: case.booking_number.filter(|_| knows_guests),
        guest_name: case.guest_name.filter(|_| knows_guests),
        guest_email: case.guest_email.filter(|_| knows_guests),
        assignee,
        created_at: case.created_at,
        guest_has_left: case.stay_is_over,
        comments: case.comments.into_iter().map(comment).collect(),
    };
    let rows = cases.into_iter().zip(taken).map(one).collect();
    let narrow = "There are more. Give status_filter, priority_filter, case_type_filter, room_number or guest_email.";
    ToolAnswer::data(list(rows, input.limit, narrow))
}

fn open(status: &CaseFilter) -> Option<bool> {
    match status {
        CaseFilter::Open => Some(true),
        CaseFilter::Closed => Some(false),
        _ => None,
    }
}
