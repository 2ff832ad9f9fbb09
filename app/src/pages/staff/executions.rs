//! Executions, filtered.

use dewy_domain::{
    execution_view::ExecutionListItem,
    tool_catalog::{self, SearchExecutions},
};

use super::{
    filters::{as_file, filter_form, input, selected, truncation_notice},
    require_front_desk::require_front_desk,
    saved_views::views,
    staff_reads::{Executions, follow_lists, read_tool},
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
    let asked = input(&request, &FILTERS);
    let answer = read_tool::<SearchExecutions>(&request.ctx, &user, asked, &request.here).await?;
    let (list, draft) = match answer {
        Ok(list) => (list, FormDraft::default()),
        Err(draft) => (Executions::default(), draft),
    };
    let failed = !draft.title.is_empty();
    let views = views(&request, &user, PAGE, &FILTERS).await;
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <header class="beside">
            <h1>"Executions"</h1>
            {(!failed).then(|| as_file(&request, PAGE, &FILTERS))}
        </header>
        {shortcuts(&selected(&request, "state"), request.query_param("tool") == Some(TEXTS))}
        {filters(&request, &user, &draft)}
        {views}
        <div data-region="list" data-rows="">
            {(!failed).then(|| table(list.rows, &request))}
            {truncation_notice(list.cut, list.how_to_narrow)}
        </div>
    };
    Ok(PageLayout::new("Executions")
        .who(&user)
        .follows(follows)
        .staff(content))
}

fn shortcuts(now: &str, texts: bool) -> impl IntoView + use<> {
    let link = |href: String, text: &'static str, here: bool| {
        view! {
            <li>
                <a href=href aria-current=here.then_some("page")>
                    {text}
                </a>
            </li>
        }
    };
    let each = SHORTCUTS.map(|state| {
        link(
            format!("{PAGE}?state={state}"),
            labels::state(&state),
            now == state.as_str(),
        )
    });
    let all = now.is_empty() && !texts;
    view! {
        <nav aria-label="Filter by state">
            <ul class="filters">
                {link(PAGE.to_owned(), "All", all)} {each.into_iter().collect_view()}
                {link(format!("{PAGE}?tool={TEXTS}"), "Texts", texts)}
            </ul>
        </nav>
    }
}

fn filters(request: &PageRequest, user: &SignedIn, draft: &FormDraft) -> AnyView {
    let tools = tool_catalog::for_caller(&user.caller)
        .into_iter()
        .filter(|tool| tool.writes);
    let tools = tools.map(|tool| (tool.name, tool.title)).collect();
    // The state has shortcuts, so it alone doesn't open the form
    let set = FILTERS
        .iter()
        .filter(|name| **name != "state" && request.query_param(name).is_some())
        .count();
    let states = labels::STATES.iter();
    let states = states
        .map(|(state, label)| (state.as_str(), *label))
        .collect();
    let value = |name| selected(request, name);
    let fields = view! {
        <Select name="state" label="State" any=true options=states value=value("state") />
        <Select name="tool" label="What was asked for" any=true options=tools value=value("tool") />
        <Field name="guest_email" known=Known::Guests label="Guest’s email" optional=true value=value("guest_email") problem=draft.problem("guest_email") />
        <Field name="booking_number" known=Known::Bookings label="Booking" optional=true value=value("booking_number") problem=draft.problem("booking_number") />
        <Field name="room_number" known=Known::Rooms label="Room" optional=true value=value("room_number") problem=draft.problem("room_number") />
        <Field name="payment_intent_id" label="Stripe payment" optional=true value=value("payment_intent_id") problem=draft.problem("payment_intent_id") />
        <Field name="from" label="From day" kind="date" optional=true value=value("from") problem=draft.problem("from") />
        <Field name="to" label="To day" kind="date" optional=true value=value("to") problem=draft.problem("to") />
    };
    filter_form(PAGE, set, fields.into_any())
}

fn table(list: Vec<ExecutionListItem>, request: &PageRequest) -> AnyView {
    if list.is_empty() {
        let filtered = FILTERS
            .iter()
            .any(|name| request.query_param(name).is_some());
        let text = match request.query_param("state").map(ExecutionState::from) {
            Some(ExecutionState::NeedsAttention) => "Nothing needs attention.",
            _ if filtered => "No executions match these filters.",
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
