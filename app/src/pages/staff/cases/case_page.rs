//! Case page: facts, comments, and next actions.

use dewy_domain::tool_output::CaseListItem;

use super::{
    FORM, PAGE,
    case_list::{has_left_badge, priority_state},
    find,
    grant_late_checkout::grant_buttons,
    step_button,
};
use crate::{
    field_suggestions::provide_colleagues,
    pages::{
        prelude::*,
        staff::board::{
            Notice, case_subject, notice, read_snapshot, return_url, subscribe, take_kept,
        },
    },
};

pub async fn case_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let snapshot = read_snapshot(&request, &user).await?;
    provide_colleagues(&request.ctx).await;
    let case = find(&request.ctx, &user, &request.id, &return_url(&request)).await?;
    let draft = take_kept(&request, FORM).await;
    let flash_notice = Notice::take(&request, FORM).await;
    let title = case_subject(&case.subject);
    let grant = grant_buttons(&case, &snapshot, &user, &request.ctx.token_generator);
    let content = shown(&request, &user, case, draft, flash_notice, grant);
    Ok(PageLayout::new(&title)
        .who(&user)
        .follows(subscribe(&snapshot))
        .staff(content))
}

fn shown(
    request: &PageRequest,
    user: &SignedIn,
    case: CaseListItem,
    draft: FormDraft,
    flash_notice: Notice,
    grant: Option<AnyView>,
) -> AnyView {
    let back = page_url::case(&case.case_number);
    view! {
        <p class="crumbs"><a href=PAGE>"Cases"</a></p>
        <ErrorSummary draft=draft.clone() />
        {notice(flash_notice)}
        <div class="two-sides">
            <div data-region="case">
                <h1>{case_subject(&case.subject)}</h1>
                <div class="standing">
                    <StatusBadge state=if case.is_closed() { "completed" } else { "due" } word=case.case_status.to_string() />
                    <StatusBadge state=priority_state(&case.priority) word=case.priority.to_string() />
                    {has_left_badge(&case)}
                    <p class="aside">"Opened " <Ago at=case.created_at /> " ago"</p>
                </div>
                <p class="told">{case.description.clone()}</p>
                {facts(&case, user.caller.is_front_desk())}
                {grant}
                <div class="taps">{step_button(&case, user, &back, &request.ctx.token_generator, false)}</div>
                {comments(&case)}
            </div>
            {form(request, user, &case, &draft)}
        </div>
    }
    .into_any()
}

fn facts(case: &CaseListItem, names: bool) -> AnyView {
    let room = match case.room_number.clone() {
        Some(room) => {
            view! { <a href=page_url::room(&room)>"Room " {room.to_string()}</a> }.into_any()
        }
        None => "None".into_any(),
    };
    let stay = case.booking_number.clone().filter(|_| names).map(|number| {
        view! { <div><dt>"Stay"</dt> <dd><a href=page_url::stay(&number)>{number.to_string()}</a></dd></div> }
    });
    let guest = case.guest_name.clone().filter(|_| names).map(|name| {
        let name = match &case.guest_email {
            Some(email) => view! { <a href=page_url::guest(email)>{name}</a> }.into_any(),
            None => name.into_any(),
        };
        view! { <div><dt>"Guest"</dt> <dd>{name}</dd></div> }
    });
    view! {
        <dl class="facts">
            <div><dt>"Case"</dt> <dd>{case.case_number.clone()}</dd></div>
            <div><dt>"Type"</dt> <dd>{case.kind.to_string()}</dd></div>
            <div><dt>"Room"</dt> <dd>{room}</dd></div>
            {stay}
            {guest}
            <div><dt>"Assignee"</dt> <dd>{case.assignee.clone().unwrap_or_else(|| "Nobody yet".to_owned())}</dd></div>
        </dl>
    }
    .into_any()
}

fn comments(case: &CaseListItem) -> AnyView {
    let items = case.comments.iter().map(|comment| {
        let author = Some(comment.author.clone()).filter(|author| !author.is_empty());
        let author = author.map(|author| view! { <strong>{author}</strong> " · " });
        view! { <li><p class="told">{comment.body.clone()}</p> <p class="aside">{author} <Timestamp at=comment.at /></p></li> }
    });
    let list = if case.comments.is_empty() {
        view! { <p class="empty">"No comments yet."</p> }.into_any()
    } else {
        view! { <ol class="comments">{items.collect_view()}</ol> }.into_any()
    };
    view! {
        <section aria-labelledby="comments">
            <h2 id="comments">"What was said"</h2>
            {list}
        </section>
    }
    .into_any()
}

fn form(request: &PageRequest, user: &SignedIn, case: &CaseListItem, draft: &FormDraft) -> AnyView {
    let assignee = case.assignee.clone().unwrap_or_default();
    let chosen = draft.value_or("priority", case.priority.as_str());
    let taken = draft.value_or("assignee", &assignee);
    let mine = (user.caller.email != assignee).then(|| format!("You are {}.", user.caller.email));
    view! {
        <section class="card" aria-labelledby="change">
            <h2 id="change">"Say or change something"</h2>
            <form method="post" action="/form/case_change">
                <Field name="comment" label="Comment" kind="lines" optional=true value=draft.value("comment") problem=draft.problem("comment") />
                <Select name="priority" label="Priority" options=labels::priorities() value=chosen />
                <div class="field">
                    <label for="assignee">"Assignee"</label>
                    <p class="hint" id="assignee-hint">"Somebody’s email at the hotel. " {mine}</p>
                    <input id="assignee" name="assignee" type="text" inputmode="email" autocapitalize="none" value=taken autocomplete="off" list=Known::Colleagues.id() aria-describedby="assignee-hint" />
                    {Known::Colleagues.list()}
                </div>
                <input type="hidden" name="case_number" value=case.case_number.clone() />
                <input type="hidden" name="seen_priority" value=case.priority.to_string() />
                <input type="hidden" name="seen_assignee" value=assignee />
                <input type="hidden" name=TOKEN value=token_of(draft, &request.ctx) />
                <p class="actions"><button>"Save"</button></p>
            </form>
        </section>
    }
    .into_any()
}
