//! Which lists can be had as files, and what stands in their columns.

/// A list that can be had as a file.
#[derive(Clone, Copy, Debug)]
pub struct List {
    /// Its address.
    pub path: &'static str,
    /// Where it comes from.
    pub of: Of,
    /// Under which name what was read has the rows.
    pub name: &'static str,
    /// In this order.
    pub columns: &'static [&'static str],
    /// Those of them that are amounts.
    pub money: &'static [&'static str],
}

/// Where a list comes from.
#[derive(Clone, Copy, Debug)]
pub enum Of {
    /// A tool whose input is named as the page's filters are.
    Tool(&'static str),
    /// Cases, some of whose filters are the page's own.
    Cases,
    /// Payments side by side.
    Payments,
}

/// All of them.
pub const LISTS: [List; 5] = [EXECUTIONS, COMPENSATIONS, GUESTS, CASES, PAYMENTS];

const EXECUTIONS: List = List {
    path: "/staff/executions.csv",
    of: Of::Tool("search_executions"),
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
    of: Of::Tool("list_compensations"),
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

/// Guests with their stays that are not over, all in one cell.
pub const GUESTS: List = List {
    path: "/staff/guests.csv",
    of: Of::Tool("search_guests"),
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

/// Cases for the desk.
pub const CASES: List = List {
    path: "/staff/cases.csv",
    of: Of::Cases,
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

/// Cases for who works in the rooms: without the guests, whom their page does not name either.
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

/// Payments side by side.
pub const PAYMENTS: List = List {
    path: "/staff/payments.csv",
    of: Of::Payments,
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
