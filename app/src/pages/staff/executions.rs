//! Executions, filtered.

use dewy_domain::{
    execution_view::ExecutionListItem,
    tool_catalog::{self, SearchExecutions},
};

use super::{
    filters::{Filters, truncation_notice},
    require_front_desk::require_front_desk,
    saved_views::views,
    staff_reads::{follow_lists, read_or_default},
};
use crate::pages::prelude::*;

const PAGE: &str = "/staff/executions";
const FILTERS: [&str; 8] = [
    "state",
    "tool",
    "guest_email",
    "booking_number",
    "room_number",
    "payment_intent_id",
    "from",
    "to",
];
/// Text messages. Each belongs to another execution, so they are listed only on request.
pub(super) const TEXTS: &str = "send_text";
const SHORTCUTS: [ExecutionState; 6] = [
    ExecutionState::NeedsAttention,
    ExecutionState::Retrying,
    ExecutionState::Compensating,
    ExecutionState::Running,
    ExecutionState::Waiting,
    ExecutionState::Compensated,
];

/// Table of executions; every filter is in the URL.
pub async fn executions_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    // The number before the list, so that a change in between is noticed
    let follows = follow_lists(&request.ctx, &user).await;
    let filters = Filters::of(&request, PAGE, &FILTERS);
    let (list, draft) =
        read_or_default::<SearchExecutions>(&request, &user, filters.input()).await?;
    let readable = draft.title.is_empty();
    let views = views(filters, &user).await;
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        {filters.heading("Executions", (), readable)}
        {shortcuts(filters)}
        {fields(filters, &user, &draft)}
        {views}
        <div data-region="list" data-rows="">
            {readable.then(|| table(list.rows, filters))}
            {truncation_notice(list.cut, list.how_to_narrow)}
        </div>
    };
    Ok(PageLayout::new("Executions")
        .who(&user)
        .follows(follows)
        .staff(content))
}

fn shortcuts(filters: Filters<'_>) -> AnyView {
    let (state, tool) = (filters.value("state"), filters.value("tool"));
    let chip = |href: String, label: &str, is_current: bool| Chip {
        href,
        label: label.to_owned(),
        is_current,
        ..Chip::default()
    };
    let all = state.is_empty() && tool != TEXTS;
    let each = SHORTCUTS.iter().map(|one| {
        let href = format!("{PAGE}?state={one}");
        chip(href, labels::state(one), state == one.as_str())
    });
    let texts = chip(format!("{PAGE}?tool={TEXTS}"), "Texts", tool == TEXTS);
    let all = chip(PAGE.to_owned(), "All", all);
    let chips_of_states = [all].into_iter().chain(each).chain([texts]);
    chips("Filter by state", "filters", "page", chips_of_states)
}

fn fields(filters: Filters<'_>, user: &SignedIn, draft: &FormDraft) -> AnyView {
    let tools = tool_catalog::for_caller(&user.caller)
        .into_iter()
        .filter(|tool| tool.writes);
    let tools = tools.map(|tool| (tool.name, tool.title)).collect();
    let states = labels::STATES.iter();
    let states = states
        .map(|(state, label)| (state.as_str(), *label))
        .collect();
    let value = |name| filters.value(name);
    let fields = view! {
        <Select name="state" label="State" any=true options=states value=value("state") />
        <Select name="tool" label="What was asked for" any=true options=tools value=value("tool") />
        <Field name="guest_email" known=Known::Guests label="Guest’s email" optional=true value=value("guest_email") problem=draft.problem("guest_email") />
        <Field name="booking_number" known=Known::Bookings label="Booking" optional=true value=value("booking_number") problem=draft.problem("booking_number") />
        <Field name="room_number" known=Known::Rooms label="Room" optional=true value=value("room_number") problem=draft.problem("room_number") />
        <Field name="payment_intent_id" label="Stripe payment" optional=true value=value("payment_intent_id") problem=draft.problem("payment_intent_id") />
        {filters.days(draft)}
    };
    // The state has shortcuts, so it alone doesn't open the form
    filters.form("state", fields)
}

fn table(list: Vec<ExecutionListItem>, filters: Filters<'_>) -> AnyView {
    if list.is_empty() {
        let text = match filters
            .request
            .query_param("state")
            .map(ExecutionState::from)
        {
            Some(ExecutionState::NeedsAttention) => "Nothing needs attention.",
            _ if !filters.given().is_empty() => "No executions match these filters.",
            _ => {
                "No executions yet. Check-ins and check-outs by guests, staff and other programs are listed here."
            }
        };
        return view! { <p class="empty">{text}</p> }.into_any();
    }
    view! {
        <ListTable heads=&["State", "What", "Guest", "Booking", "Room", "Age"]>
            {list.into_iter().map(row).collect_view()}
        </ListTable>
    }
    .into_any()
}

fn row(item: ExecutionListItem) -> impl IntoView {
    let href = format!("{PAGE}/{}", item.execution_id);
    let reason = item
        .reason
        .map(|reason| view! { <small>{labels::reason(&reason).to_owned()}</small> });
    let version = format!("{} {}", item.state, item.updated_at);
    view! {
        <tr data-state=item.state.to_string() data-key=item.execution_id.clone() data-version=version>
            <td data-label="State">
                <StatusBadge state=item.state.clone() word=labels::state(&item.state) />
            </td>
            <th scope="row" data-label="What">
                <a id=item.execution_id.clone() href=href>{item.title}</a>
                {reason}
            </th>
            <td data-label="Guest">{item.guest_email.map(String::from)}</td>
            <td data-label="Booking">{item.booking_number.map(String::from)}</td>
            <td data-label="Room">{item.room_number.map(String::from)}</td>
            <td data-label="Age" class="num">
                <Ago at=item.created_at />
            </td>
        </tr>
    }
}
