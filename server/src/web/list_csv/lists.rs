//! Lists available as files, and the columns of those that tools return.

use dewy_domain::{
    execution_view::{CompensationItem, ExecutionListItem},
    tool_output::{CaseListItem, GuestListItem, GuestStayItem},
};

use super::table::Column::{self, Money, Text};

/// List available as a file.
#[derive(Clone, Copy, Debug)]
pub enum List {
    Executions,
    /// Compensation records.
    Compensations,
    Guests,
    /// Cases; the page applies some of their filters itself.
    Cases,
    Payments,
}

/// All lists, with their paths.
pub const LISTS: [(&str, List); 5] = [
    ("/staff/executions.csv", List::Executions),
    ("/staff/compensations.csv", List::Compensations),
    ("/staff/guests.csv", List::Guests),
    ("/staff/cases.csv", List::Cases),
    ("/staff/payments.csv", List::Payments),
];

pub const EXECUTIONS: &[Column<ExecutionListItem>] = &[
    Text("execution_id", |it| Some(it.execution_id.clone())),
    Text("title", |it| Some(it.title.clone())),
    Text("state", |it| Some(it.state.to_string())),
    Text("reason", |it| it.reason.clone().map(Into::into)),
    Text("guest_email", |it| it.guest_email.clone().map(Into::into)),
    Text("booking_number", |it| {
        it.booking_number.clone().map(Into::into)
    }),
    Text("room_number", |it| it.room_number.clone().map(Into::into)),
    Text("created_at", |it| Some(it.created_at.to_string())),
    Text("updated_at", |it| Some(it.updated_at.to_string())),
];

pub const COMPENSATIONS: &[Column<CompensationItem>] = &[
    Text("payment_intent_id", |it| {
        Some(it.payment_intent_id.to_string())
    }),
    Text("execution_id", |it| Some(it.execution_id.clone())),
    Text("status", |it| Some(it.status.to_string())),
    Text("reason", |it| it.reason.clone().map(Into::into)),
    Text("guest_email", |it| it.guest_email.clone().map(Into::into)),
    Text("booking_number", |it| {
        it.booking_number.clone().map(Into::into)
    }),
    Text("room_number", |it| it.room_number.clone().map(Into::into)),
    Money("captured", |it| Some((it.captured, it.currency))),
    Money("refunded", |it| Some((it.refunded, it.currency))),
    Text("currency", |it| Some(it.currency.code().to_owned())),
    Text("refund_id", |it| it.refund_id.clone()),
    Text("refund_status", |it| it.refund_status.clone()),
    Text("charged_at", |it| it.charged_at.map(|at| at.to_string())),
    Text("failed_at", |it| it.failed_at.map(|at| at.to_string())),
    Text("refunded_at", |it| it.refunded_at.map(|at| at.to_string())),
    Text("owner", |it| it.owner.clone()),
    Text("requested_by", |it| Some(it.triggers.join("; "))),
    Text("cause", |it| Some(it.cause.clone())),
    Text("updated_at", |it| Some(it.updated_at.to_string())),
];

/// Guests with their current and future stays in one cell.
pub const GUESTS: &[Column<GuestListItem>] = &[
    Text("guest_email", |it| it.guest_email.clone().map(Into::into)),
    Text("first_name", |it| Some(it.first_name.clone())),
    Text("last_name", |it| Some(it.last_name.clone())),
    Text("phone", |it| it.phone.clone()),
    Text("loyalty_number", |it| it.loyalty_number.clone()),
    Text("stays", |it| {
        Some(it.stays.iter().map(stay).collect::<Vec<_>>().join("; "))
    }),
];

/// Cases for the front desk; for housekeeping and maintenance without the last columns, those of
/// the guest, as on their page.
pub const CASES: &[Column<CaseListItem>] = &[
    Text("case_number", |it| Some(it.case_number.clone())),
    Text("priority", |it| Some(it.priority.to_string())),
    Text("type", |it| Some(it.kind.to_string())),
    Text("case_status", |it| Some(it.case_status.to_string())),
    Text("subject", |it| Some(it.subject.clone())),
    Text("description", |it| Some(it.description.clone())),
    Text("room_number", |it| it.room_number.clone().map(Into::into)),
    Text("assignee", |it| it.assignee.clone()),
    Text("created_at", |it| Some(it.created_at.to_string())),
    Text("booking_number", |it| {
        it.booking_number.clone().map(Into::into)
    }),
    Text("guest_name", |it| it.guest_name.clone()),
    Text("guest_email", |it| it.guest_email.clone().map(Into::into)),
];

/// Number of columns about the guest of a case.
pub const GUEST_COLUMNS: usize = 3;

/// A stay in a cell: number, room and status.
fn stay(stay: &GuestStayItem) -> String {
    format!(
        "{} {} {}",
        stay.booking_number, stay.room_number, stay.booking_status
    )
}
