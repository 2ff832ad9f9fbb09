//! Audit log of calls, filtered.

use dewy_domain::{
    ports::{AuditLogError, CallList, CallQuery, CallView},
    stay_overview::STAY_OVERVIEW,
    tool_catalog,
};

use super::filters::{filter_form, selected, truncation_notice};
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
    let (list, draft) = match request
        .ctx
        .audit_reader
        .calls(&user.caller, &query, LIMIT)
        .await
    {
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
    let failed = !draft.title.is_empty();
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <header class="beside">
            <h1>"Audit"</h1>
            {(!failed).then(|| view! { <a class="button quiet" href=file(&request) download="audit.csv">"Download as CSV"</a> })}
        </header>
        {filters(&request, &draft)}
        {(!failed).then(|| table(list.calls, &request))}
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

/// URL of the CSV file with the same filters.
fn file(request: &PageRequest) -> String {
    let given: Vec<_> = FILTERS
        .iter()
        .filter_map(|name| Some((*name, request.query_param(name)?)))
        .collect();
    page_url::with_query(&format!("{PAGE}.csv"), given)
}

/// Calls that no tool of the catalog is for: each email that is handed to the mail server, and each
/// view of a guest's home page.
const OTHERS: [(&str, &str); 2] = [
    ("send_email", "Email the guest"),
    (STAY_OVERVIEW, "Show the guest's home page"),
];

fn filters(request: &PageRequest, draft: &FormDraft) -> AnyView {
    let tools = tool_catalog::all()
        .iter()
        .map(|tool| (tool.name, tool.title))
        .chain(OTHERS)
        .collect();
    let set = FILTERS
        .iter()
        .filter(|name| request.query_param(name).is_some())
        .count();
    let value = |name| selected(request, name);
    let fields = view! {
        <Field name="from" label="From day" kind="date" optional=true value=value("from") problem=draft.problem("from") />
        <Field name="to" label="To day" kind="date" optional=true value=value("to") problem=draft.problem("to") />
        <Field name="who" known=Known::Colleagues label="Email of the caller or guest" optional=true value=value("who") problem=draft.problem("who") />
        <Select name="tool" label="Tool" any=true options=tools value=value("tool") />
        <Select name="interface" label="Through" any=true options=labels::INTERFACES.to_vec() value=value("interface") />
        <Select name="outcome" label="Outcome" any=true options=OUTCOMES.to_vec() value=value("outcome") />
        <Field name="execution" label="Execution" optional=true value=value("execution") problem=draft.problem("execution") />
    };
    filter_form(PAGE, set, fields.into_any())
}

fn table(calls: Vec<CallView>, request: &PageRequest) -> AnyView {
    if calls.is_empty() {
        let filtered = FILTERS
            .iter()
            .any(|name| request.query_param(name).is_some());
        let text = if filtered {
            "No calls match these filters."
        } else {
            "Nothing has been called yet."
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
    let title = tool_catalog::all()
        .iter()
        .map(|tool| (tool.name, tool.title))
        .chain(OTHERS)
        .find_map(|(name, title)| (name == call.tool).then_some(title));
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
