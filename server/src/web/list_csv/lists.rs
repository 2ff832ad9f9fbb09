//! Lists available as files, and their columns.

/// List available as a file.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// Its path.
    pub path: &'static str,
    /// Source of its rows.
    pub of: ListSource,
    /// Field of the answer that holds the rows.
    pub name: &'static str,
    /// Columns in order.
    pub columns: &'static [&'static str],
    /// Columns that are amounts.
    pub money: &'static [&'static str],
}

/// Source of a list.
#[derive(Clone, Copy, Debug)]
pub enum ListSource {
    /// Tool whose input uses the names of the page's filters.
    Tool(&'static str),
    /// Cases; the page applies some of their filters itself.
    Cases,
    /// Payment reconciliation.
    Payments,
}

/// All lists.
pub const LISTS: [List; 5] = [EXECUTIONS, COMPENSATIONS, GUESTS, CASES, PAYMENTS];

const EXECUTIONS: List = List {
    path: "/staff/executions.csv",
    of: ListSource::Tool("search_executions"),
    name: "executions",
    columns: &[
        "execution_id",
        "title",
        "state",
        "reason",
        "guest_email",
        "booking_number",
        "room_number",
        "created_at",
        "updated_at",
    ],
    money: &[],
};

/// Compensation records.
pub const COMPENSATIONS: List = List {
    path: "/staff/compensations.csv",
    of: ListSource::Tool("list_compensations"),
    name: "compensations",
    columns: &[
        "payment_intent_id",
        "execution_id",
        "status",
        "reason",
        "guest_email",
        "booking_number",
        "room_number",
        "captured",
        "refunded",
        "currency",
        "refund_id",
        "cause",
        "updated_at",
    ],
    money: &["captured", "refunded"],
};

/// Guests with their current and future stays in one cell.
pub const GUESTS: List = List {
    path: "/staff/guests.csv",
    of: ListSource::Tool("search_guests"),
    name: "guests",
    columns: &[
        "guest_email",
        "first_name",
        "last_name",
        "phone",
        "loyalty_number",
        "stays",
    ],
    money: &[],
};

/// Cases for the front desk.
pub const CASES: List = List {
    path: "/staff/cases.csv",
    of: ListSource::Cases,
    name: "cases",
    columns: &[
        "case_number",
        "priority",
        "type",
        "case_status",
        "subject",
        "description",
        "room_number",
        "assignee",
        "created_at",
        "booking_number",
        "guest_name",
        "guest_email",
    ],
    money: &[],
};

/// Cases for housekeeping and maintenance: without guests, as on their page.
pub const CREW_CASES: List = List {
    columns: &[
        "case_number",
        "priority",
        "type",
        "case_status",
        "subject",
        "description",
        "room_number",
        "assignee",
        "created_at",
    ],
    ..CASES
};

/// Payment reconciliation.
pub const PAYMENTS: List = List {
    path: "/staff/payments.csv",
    of: ListSource::Payments,
    name: "payments",
    columns: &[
        "payment_intent_id",
        "at",
        "guest_email",
        "booking_number",
        "stripe_status",
        "stripe_captured",
        "stripe_refunded",
        "salesforce_paid",
        "salesforce_refunded",
        "salesforce_numbers",
        "journal_execution_id",
        "journal_state",
        "journal_captured",
        "journal_refunded",
        "currency",
        "together",
    ],
    money: &[
        "stripe_captured",
        "stripe_refunded",
        "salesforce_paid",
        "salesforce_refunded",
        "journal_captured",
        "journal_refunded",
    ],
};
