//! Audit log of calls, filtered.

use dewy_domain::{
    ports::{AuditLogError, CallList, CallQuery, CallView},
    stay_overview::STAY_OVERVIEW,
    tool_catalog,
};

use super::filters::{Filters, truncation_notice};
use crate::{field_suggestions::provide_colleagues, pages::prelude::*};

const PAGE: &str = "/staff/audit";
const FILTERS: [&str; 7] = [
    "from",
    "to",
    "who",
    "tool",
    "interface",
    "outcome",
    "execution",
];
/// Number of calls on the page; the CSV file has more.
const LIMIT: usize = 100;
/// Outcomes in the filter; the URL may contain any error code.
const OUTCOMES: [(&str, &str); 4] = [
    ("OK", "Done"),
    ("PENDING", "Not finished"),
    ("REFUSED", "Any error"),
    ("GONE", "The caller hung up"),
];

/// Table of calls; every filter is in the URL.
pub async fn audit_page(request: PageRequest) -> PageResult {
    let user = admit_manager(&request).await?;
    provide_colleagues(&request.ctx).await;
    let query = query(&request);
    let reader = &request.ctx.audit_reader;
    let (list, draft) = match reader.calls(&user.caller, &query, LIMIT).await {
        Ok(list) => (list, FormDraft::default()),
        Err(AuditLogError::Problems(problems)) => {
            let draft = FormDraft {
                problems,
                ..FormDraft::failed("That could not be looked up")
            };
            (CallList::default(), draft)
        }
        Err(error) => {
            return Err(audit_error(503, "Something went wrong", &error.to_string()));
        }
    };
    let readable = draft.title.is_empty();
    let filters = Filters::of(&request, PAGE, &FILTERS);
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        {filters.heading("Audit", (), readable)}
        {fields(filters, &draft)}
        {readable.then(|| table(list.calls, filters))}
        {truncation_notice(list.cut, format!("These are the newest {LIMIT}. Narrow them with the filters, or download the file."))}
    };
    Ok(PageLayout::new("Audit").who(&user).staff(content))
}

fn audit_error(status: u16, title: &str, message: &str) -> PageError {
    let ways_out = vec![("/staff/account".to_owned(), "Go to your account".to_owned())];
    PageError::Error(ErrorPage {
        status,
        title: title.to_owned(),
        message: message.to_owned(),
        links: ways_out,
    })
}

async fn admit_manager(request: &PageRequest) -> Result<SignedIn, PageError> {
    let user = request.signed_in(Persona::Staff).await?;
    if user.caller.role == Some(Role::Manager) {
        return Ok(user);
    }
    Err(audit_error(
        403,
        "This page is for managers",
        "Only managers can see the audit log. Ask one of them.",
    ))
}

fn query(request: &PageRequest) -> CallQuery {
    let asked = |name| request.query_param(name).map(str::to_owned);
    CallQuery {
        from: asked("from"),
        to: asked("to"),
        user: asked("who"),
        tool: asked("tool"),
        interface: asked("interface"),
        outcome: asked("outcome"),
        execution: asked("execution"),
    }
}

/// Calls that no tool of the catalog is for: each email that is handed to the mail server, and each
/// view of a guest's home page.
const OTHERS: [(&str, &str); 2] = [
    ("send_email", "Email the guest"),
    (STAY_OVERVIEW, "Show the guest's home page"),
];

fn fields(filters: Filters<'_>, draft: &FormDraft) -> AnyView {
    let tools = tool_catalog::all()
        .iter()
        .map(|tool| (tool.name, tool.title))
        .chain(OTHERS)
        .collect();
    let value = |name| filters.value(name);
    let fields = view! {
        {filters.days(draft)}
        <Field name="who" known=Known::Colleagues label="Email of the caller or guest" optional=true value=value("who") problem=draft.problem("who") />
        <Select name="tool" label="Tool" any=true options=tools value=value("tool") />
        <Select name="interface" label="Through" any=true options=labels::INTERFACES.to_vec() value=value("interface") />
        <Select name="outcome" label="Outcome" any=true options=OUTCOMES.to_vec() value=value("outcome") />
        <Field name="execution" label="Execution" optional=true value=value("execution") problem=draft.problem("execution") />
    };
    filters.form("", fields)
}

fn table(calls: Vec<CallView>, filters: Filters<'_>) -> AnyView {
    if calls.is_empty() {
        let text = if filters.given().is_empty() {
            "Nothing has been called yet."
        } else {
            "No calls match these filters."
        };
        return view! { <p class="empty">{text}</p> }.into_any();
    }
    view! {
        <ListTable heads=&["When", "Tool", "Outcome", "Caller", "About", "Through", "Execution"]>
            {calls.into_iter().map(row).collect_view()}
        </ListTable>
    }
    .into_any()
}

fn row(call: CallView) -> impl IntoView {
    let outcome = match OUTCOMES.iter().find(|(name, _)| *name == call.outcome) {
        Some((_, word)) => view! { {*word} }.into_any(),
        None => view! { <code>{call.outcome}</code> " " {call.status} }.into_any(),
    };
    let other = || OTHERS.iter().find(|(name, _)| *name == call.tool);
    let title = tool_catalog::named(&call.tool).map(|tool| tool.title);
    let title = title.or_else(|| other().map(|(_, title)| *title));
    let execution = call.execution_id.map(|id| {
        let href = format!("/staff/executions/{id}");
        view! { <a href=href><code>{id}</code></a> }
    });
    let small =
        |text: Option<String>| text.map(|text| view! { <small><code>{text}</code></small> });
    view! {
        <tr>
            <td data-label="When"><Timestamp at=call.at /> {small(call.request_id)}</td>
            <th scope="row" data-label="Tool">{title.unwrap_or("Unknown tool")} <small><code>{call.tool}</code></small></th>
            <td data-label="Outcome">{outcome}</td>
            <td data-label="Caller">{labels::asked_by(&call.caller)} {small(call.credential)}</td>
            <td data-label="About">{call.on_behalf_of}</td>
            <td data-label="Through">{labels::interface(&call.interface).to_owned()}</td>
            <td data-label="Execution">{execution}</td>
        </tr>
    }
}
