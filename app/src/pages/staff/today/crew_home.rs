//! Home page of housekeeping and maintenance: rooms and cases, each completed with one tap.

use dewy_domain::{tool_output::CaseListItem, vocabulary::CasePriority};

use super::crew_rooms::rooms;
use crate::pages::{
    prelude::*,
    staff::{
        board::{
            Notice, case_subject, notice, read_snapshot, return_url, subscribe, truncation_notice,
        },
        cases::{self, Queue, case_rank, step_button},
        rooms::FORM,
    },
};

pub async fn page(
    request: &PageRequest,
    user: &SignedIn,
    role: Role,
) -> Result<AnyView, PageError> {
    let snapshot = read_snapshot(request, user).await?;
    let (room_told, case_told) = (
        Notice::take(request, FORM).await,
        Notice::take(request, cases::FORM).await,
    );
    let queue = if role == Role::Maintenance {
        Queue::Maintenance
    } else {
        Queue::Housekeeping
    };
    let found = cases::cases(
        &request.ctx,
        user,
        json!({ "status_filter": "Open" }),
        &return_url(request),
    )
    .await?;
    let mut mine: Vec<CaseListItem> = found.unwrap_or_default().rows;
    let own = Some(user.caller.email.as_str());
    mine.retain(|case| {
        queue.has(case) && (case.assignee.is_none() || case.assignee.as_deref() == own)
    });
    mine.sort_by_key(case_rank);
    let content = view! {
        <div class="crew">
            {notice(room_told)}
            {notice(case_told)}
            <h1>"Today"</h1>
            <p class="lead">{day(&snapshot.today.to_string())}</p>
            <div data-region="rooms" data-rows="">{rooms(role, &snapshot, request)}</div>
            <div data-region="cases" data-rows="">{work(mine, user, request)}</div>
            {truncation_notice(&snapshot)}
            <p class="actions">
                <a class="button quiet" href="/staff/rooms">"All rooms, and report a defect"</a>
                <a class="button quiet" href="/staff/cases">"All cases"</a>
            </p>
        </div>
    };
    Ok(PageLayout::new("Today")
        .who(user)
        .follows(subscribe(&snapshot))
        .staff(content))
}

fn work(cases: Vec<CaseListItem>, user: &SignedIn, request: &PageRequest) -> AnyView {
    let count = cases.len();
    let items = cases
        .into_iter()
        .map(|case| {
            let room = case.room_number.clone().map(|room| format!("Room {room}, "));
            let button = step_button(&case, user, page_url::TODAY, &request.ctx.token_generator, true);
            let version = format!("{} {} {:?}", case.case_status, case.priority, case.assignee);
            let pressing = matches!(case.priority, CasePriority::Urgent | CasePriority::High | CasePriority::Other(_)).then(|| {
                view! { <StatusBadge state=cases::priority_state(&case.priority) word=case.priority.to_string() /> }
            });
            view! {
                <li data-key=case.case_number.clone() data-version=version>
                    <div>
                        <a class="subject" href=page_url::case(&case.case_number)>{case_subject(&case.subject)}</a>
                        <span class="when">{room} {case.case_status.to_string()} ", " <Ago at=case.created_at /></span>
                        {pressing}
                    </div>
                    {button}
                </li>
            }
        });
    view! {
        <section aria-labelledby="work-cases">
            <h2 id="work-cases">"Your cases " <span class="n">{count}</span></h2>
            {rows("work", items, "Nothing is assigned to you. New requests appear here.")}
        </section>
    }
    .into_any()
}
