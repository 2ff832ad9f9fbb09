//! Case list: urgent and old ones first, filters in the URL.

use std::collections::BTreeSet;

use dewy_domain::{tool_output::CaseListItem, vocabulary::CasePriority};

use super::{CaseFilter, FORM, PAGE, Queue, cases, step_button};
use crate::pages::{
    prelude::*,
    staff::{
        board::{Notice, case_subject, notice, read_snapshot, return_url, subscribe},
        bulk_action::{BulkAct, begin, choice},
        filters::{Filters, truncation_notice},
        saved_views::views,
    },
};

/// Open cases by default.
pub async fn cases_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    // The number before the list, so that a change in between is noticed
    let snapshot = read_snapshot(&request, &user).await?;
    let flash_notice = Notice::take(&request, FORM).await;
    let filter = CaseFilter::of(|name| request.query_param(name), &user);
    let found = cases(&request.ctx, &user, filter.input(), &return_url(&request)).await?;
    let (list, draft) = match found {
        Ok(list) => (list, None),
        Err(draft) => (super::case_rows::Cases::default(), Some(draft)),
    };
    let counts = Queue::ALL_QUEUES.map(|queue| {
        (
            queue,
            list.rows.iter().filter(|case| queue.has(case)).count(),
        )
    });
    let taken: BTreeSet<String> = list
        .rows
        .iter()
        .filter_map(|case| case.assignee.clone())
        .collect();
    let some = filter.narrow(list.rows);
    let filters = Filters::of(&request, PAGE, &CaseFilter::NAMES);
    let views = views(filters, &user).await;
    let readable = draft.is_none();
    let new = view! { <a class="button quiet" href="/staff/cases/new">"New case"</a> };
    let content = view! {
        {notice(flash_notice)}
        {draft.map(|draft| view! { <ErrorSummary draft=draft /> })}
        {filters.heading("Cases", new, readable)}
        <div data-region="queues">{queues(&request, counts, filter.queue)}</div>
        {fields(filters, taken)}
        {views}
        {begin(BulkAct::Assign)}
        <div data-region="cases" data-rows="">
            {table(some, &request, &user)}
            {truncation_notice(list.cut, list.how_to_narrow)}
        </div>
    };
    Ok(PageLayout::new("Cases")
        .who(&user)
        .follows(subscribe(&snapshot))
        .staff(content))
}

fn queues(request: &PageRequest, counts: [(Queue, usize); 4], now: Queue) -> AnyView {
    let others = Filters::of(request, PAGE, &CaseFilter::NAMES[1..]).given();
    let chip = |(queue, count): (Queue, usize)| {
        let queue_first = [("queue", queue.name())].into_iter();
        Chip {
            id: Some(format!("queue-{}", queue.name())),
            href: page_url::with_query(PAGE, queue_first.chain(others.iter().copied())),
            label: queue.word().to_owned(),
            count: Some(count),
            is_current: queue == now,
        }
    };
    chips("Queues", "filters", "page", counts.map(chip))
}

fn fields(filters: Filters<'_>, taken: BTreeSet<String>) -> AnyView {
    let chosen_one = filters.value("assignee");
    let people = [
        ("me".to_owned(), "Me".to_owned()),
        ("nobody".to_owned(), "Nobody yet".to_owned()),
    ]
    .into_iter()
    .chain(taken.into_iter().map(|email| (email.clone(), email)));
    let people = people
        .map(|(value, word)| {
            let selected = value == chosen_one;
            view! { <option value=value selected=selected>{word}</option> }
        })
        .collect_view();
    let queue = filters.request.query_param("queue");
    let queue = queue.map(|queue| hidden([("queue", queue.to_owned())]));
    let fields = view! {
        {queue}
        <Select name="status" label="Status" any=true options=vec![("New", "New"), ("In Progress", "In progress"), ("Closed", "Closed"), ("All", "Open and closed")] value=filters.value("status") />
        <Select name="priority" label="Priority" any=true options=labels::priorities().into_iter().rev().collect() value=filters.value("priority") />
        <Field name="room" known=Known::Rooms label="Room" optional=true value=filters.value("room") />
        <div class="field">
            <label for="assignee">"Assignee"</label>
            <select id="assignee" name="assignee">
                <option value="">"Anybody"</option>
                {people}
            </select>
        </div>
    };
    filters.form("queue", fields)
}

fn table(cases: Vec<CaseListItem>, request: &PageRequest, user: &SignedIn) -> AnyView {
    if cases.is_empty() {
        return view! { <p class="empty">"No matching cases. What guests ask for and what staff report is listed here until it is done."</p> }
            .into_any();
    }
    let back = return_url(request);
    let rows = cases
        .into_iter()
        .map(|case| row(case, &back, request, user))
        .collect_view();
    view! {
        <ListTable
            class="case-list"
            label="Cases"
            heads=&["Priority", "What", "Room", "Status", "Assignee", "Age", "Next"]
            num=&["Age"]
            act="Next"
        >
            {rows}
        </ListTable>
    }
    .into_any()
}

fn row(case: CaseListItem, back: &str, request: &PageRequest, user: &SignedIn) -> AnyView {
    let names = user.caller.is_front_desk();
    let href = page_url::case(&case.case_number);
    let version = format!("{} {} {:?}", case.case_status, case.priority, case.assignee);
    let about = match (&case.guest_name, names) {
        (Some(name), true) => format!("{} · {name}", case.kind),
        _ => case.kind.to_string(),
    };
    let left = has_left_badge(&case);
    let act = step_button(&case, user, back, &request.ctx.token_generator, false);
    let pick = (!case.is_closed()).then(|| {
        choice(
            &case.case_number,
            format!("Choose: {}", case_subject(&case.subject)),
        )
    });
    let room = case
        .room_number
        .map(|room| view! { <a href=page_url::room(&room)>{room.to_string()}</a> });
    view! {
        <tr data-key=case.case_number.clone() data-version=version>
            <td data-label="Priority">{pick} <StatusBadge state=priority_state(&case.priority) word=case.priority.to_string() /></td>
            <th scope="row" data-label="What">
                <a id=format!("open-{}", case.case_number) href=href>{case_subject(&case.subject)}</a>
                <small>{about}</small>
                {left}
            </th>
            <td data-label="Room">{room}</td>
            <td data-label="State">{case.case_status.to_string()}</td>
            <td data-label="Assignee">{case.assignee}</td>
            <td data-label="Age" class="num"><Ago at=case.created_at /></td>
            <td data-label="Next" class="act"><div class="acts-of-row">{act}</div></td>
        </tr>
    }
    .into_any()
}

/// Mark of an open case whose guest has checked out: what they asked for may not be needed any more.
pub fn has_left_badge(case: &CaseListItem) -> Option<AnyView> {
    let left = case.guest_has_left && !case.is_closed();
    left.then(|| view! { " " <StatusBadge state="over" word="Guest has left" /> }.into_any())
}

/// State of the pill for a priority: color only for urgent ones.
pub fn priority_state(priority: &CasePriority) -> &'static str {
    match priority {
        CasePriority::Urgent => "urgent",
        CasePriority::High | CasePriority::Other(_) => "high",
        CasePriority::Medium | CasePriority::Low => "ordinary",
    }
}
