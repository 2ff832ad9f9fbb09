//! Audit log of calls, filtered: acts first, reads on request.

use std::collections::BTreeMap;

use dewy_domain::{
    ports::{AuditLogError, CallList, CallQuery, CallView},
    stay_overview::STAY_OVERVIEW,
    tool_catalog,
};

use super::filters::{Filters, truncation_notice};
use crate::{field_suggestions::provide_colleagues, pages::prelude::*};

const PAGE: &str = "/staff/audit";
const FILTERS: [&str; 8] = [
    "show",
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
    let names = guest_names(&request, &user).await;
    let readable = draft.title.is_empty();
    let filters = Filters::of(&request, PAGE, &FILTERS);
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        {filters.heading("Audit", (), readable)}
        {kinds(filters)}
        {fields(filters, &draft)}
        {readable.then(|| table(list.calls, filters, &names))}
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
        show: asked("show"),
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
    filters.form("show", fields)
}

/// Acts, money, or everything, by link; a tool or an execution is shown whatever its kind.
fn kinds(filters: Filters<'_>) -> AnyView {
    let named = !filters.value("tool").is_empty() || !filters.value("execution").is_empty();
    let now = filters.value("show");
    let given = filters.given();
    let link = |(show, words): (&'static str, &'static str)| {
        let others = given.iter().filter(|(name, _)| *name != "show").copied();
        Chip {
            href: page_url::with_query(PAGE, others.chain([("show", show)])),
            label: words.to_owned(),
            is_current: now == show,
            ..Chip::default()
        }
    };
    let all = [("", "Acts"), ("money", "Money only"), ("all", "With reads")];
    match named {
        true => ().into_any(),
        false => chips("What is listed", "filters", "page", all.map(link)),
    }
}

/// Names of the guests on the board, by email.
async fn guest_names(request: &PageRequest, user: &SignedIn) -> BTreeMap<String, String> {
    let known = request.ctx.board.known(&user.caller).await.snapshot;
    let bookings = known.iter().flat_map(|snapshot| &snapshot.bookings);
    let named = bookings.filter_map(|booking| {
        let email = booking.guest_email.as_ref()?.to_string();
        Some((email, booking.guest_name.clone()?))
    });
    named.collect()
}

/// Calls that only read, in a row and by one caller, are one row.
fn folded(calls: Vec<CallView>) -> Vec<Vec<CallView>> {
    let reads = |call: &CallView| {
        let tool = tool_catalog::named(&call.tool);
        call.outcome == "OK"
            && (call.tool == STAY_OVERVIEW || tool.is_some_and(|tool| !tool.writes))
    };
    let mut rows: Vec<Vec<CallView>> = Vec::new();
    for call in calls {
        match rows.last_mut() {
            Some(row)
                if reads(&call)
                    && row
                        .iter()
                        .all(|one| reads(one) && one.caller == call.caller) =>
            {
                row.push(call);
            }
            _ => rows.push(vec![call]),
        }
    }
    rows
}

fn table(calls: Vec<CallView>, filters: Filters<'_>, names: &BTreeMap<String, String>) -> AnyView {
    if calls.is_empty() {
        let text = if filters.given().is_empty() {
            "Nothing has been done yet."
        } else {
            "No calls match these filters."
        };
        return view! { <p class="empty">{text}</p> }.into_any();
    }
    let rows = folded(calls).into_iter();
    let rows = rows.map(|calls| rows_of(calls, names)).collect_view();
    view! {
        <ListTable heads=&["When", "Tool", "Outcome", "Caller", "Through", "Execution"]>
            {rows}
        </ListTable>
    }
    .into_any()
}

/// A call; several reads as one row that opens.
fn rows_of(mut calls: Vec<CallView>, names: &BTreeMap<String, String>) -> AnyView {
    if calls.len() == 1
        && let Some(call) = calls.pop()
    {
        return row(call, names).into_any();
    }
    let Some((newest, oldest)) = calls.first().zip(calls.last()) else {
        return ().into_any();
    };
    let (from, to) = (oldest.at, newest.at);
    let who = actor(&newest.caller, names);
    let count = calls.len();
    let reads = calls.into_iter().map(|call| {
        let about = call.on_behalf_of.map(|about| format!(" · {about}"));
        view! { <li class="read"><Timestamp at=call.at /> " " {title(&call.tool)} {about}</li> }
    });
    view! {
        <tr class="reads">
            <td data-label="When"><Timestamp at=to /> <small>"since " <Timestamp at=from /></small></td>
            <th scope="row" data-label="Tool">
                <details><summary>{format!("{count} reads")}</summary><ul>{reads.collect_view()}</ul></details>
            </th>
            <td data-label="Outcome">"Done"</td>
            <td data-label="Caller">{who}</td>
            <td data-label="Through"></td>
            <td data-label="Execution"></td>
        </tr>
    }
    .into_any()
}

/// The caller by name where the board knows it, with the address as a small line.
fn actor(caller: &str, names: &BTreeMap<String, String>) -> AnyView {
    let email = caller.strip_prefix("guest:");
    match email.and_then(|email| Some((email, names.get(email)?))) {
        Some((email, name)) => {
            view! { {name.clone()} ", the guest" <small>{email.to_owned()}</small> }.into_any()
        }
        None => labels::asked_by(caller).into_any(),
    }
}

fn title(tool: &str) -> &'static str {
    let other = || OTHERS.iter().find(|(name, _)| *name == tool);
    let title = tool_catalog::named(tool).map(|tool| tool.title);
    let title = title.or_else(|| other().map(|(_, title)| *title));
    title.unwrap_or("Unknown tool")
}

/// Most characters of an id that is shown whole.
const WHOLE_ID: usize = 12;

/// An id by its end, where ids differ; the whole on hover, in the CSV, and on its record.
fn id_end(id: &str) -> AnyView {
    let end = id.char_indices().rev().nth(WHOLE_ID - 1);
    match end.filter(|(at, _)| *at > 0) {
        Some((at, _)) => {
            let end = format!("…{}", id.get(at..).unwrap_or_default());
            view! { <code class="whole" title=id.to_owned()>{end}</code> }.into_any()
        }
        None => view! { <code class="whole">{id.to_owned()}</code> }.into_any(),
    }
}

fn row(call: CallView, names: &BTreeMap<String, String>) -> impl IntoView + use<> {
    let outcome = match OUTCOMES.iter().find(|(name, _)| *name == call.outcome) {
        Some((_, word)) => view! { {*word} }.into_any(),
        None => view! { <code>{call.outcome}</code> " " {call.status} }.into_any(),
    };
    let (who, about) = (actor(&call.caller, names), call.on_behalf_of);
    let about = about.map(|about| {
        let name = names.get(&about).cloned().unwrap_or(about);
        view! { <small>"for " {name}</small> }
    });
    let execution = call.execution_id.map(|id| {
        let href = format!("/staff/executions/{id}");
        view! { <a href=href>{id_end(&id)}</a> }
    });
    let small = |id: Option<String>| id.map(|id| view! { <small>{id_end(&id)}</small> });
    view! {
        <tr>
            <td data-label="When"><Timestamp at=call.at /> {small(call.request_id)}</td>
            <th scope="row" data-label="Tool">{title(&call.tool)} <small><code>{call.tool}</code></small></th>
            <td data-label="Outcome">{outcome}</td>
            <td data-label="Caller">{who} {about} {small(call.credential)}</td>
            <td data-label="Through">{labels::interface(&call.interface).to_owned()}</td>
            <td data-label="Execution">{execution}</td>
        </tr>
    }
}
