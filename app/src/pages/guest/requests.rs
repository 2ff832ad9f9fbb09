//! Guest requests: the form, and the state of earlier ones.

use std::time::Duration;

use dewy_domain::{
    emergency,
    execution_view::GuestActivity,
    tool_answer::{FinalAnswer, ToolAnswer},
    tool_catalog::{self, SubmitGuestServiceRequest, returns},
    tool_output::CaseResult,
    vocabulary::CaseFilter,
};
use jiff::Timestamp;

use super::{
    event_stream::guest_event_stream,
    guest_stay::GuestStay,
    own_requests::{OwnRequest, own_requests},
    request_form::{KINDS, PRIORITIES, RequestFormValues, TEMPLATE, asked_fields, request_form},
};
use crate::{
    form_draft::{FORM_OWNER, form_owner},
    pages::{concierge::unsent_emergency, prelude::*, read_tools::stop},
};

const FORM: &str = "request";

const PAGE: &str = "/guest/requests";
/// The form that was refused.
const PROBLEM: &str = "/guest/requests#problem";

/// Seconds within which an identical request counts as a duplicate.
const DUPLICATE_SECONDS: i64 = 600;

/// How long the form waits to confirm the submission.
const MAX_WAIT: Duration = Duration::from_secs(4);

/// Number of executions searched for requests in transit.
const MAX_EXECUTIONS: usize = 20;

/// Form, open requests, and completed ones. Two CRM calls.
pub async fn requests_page(page_request: PageRequest) -> PageResult {
    let user = page_request.signed_in(Persona::Guest).await?;
    let follows = guest_event_stream(&page_request.ctx, &user).await;
    let feed = &page_request.ctx.execution_feed;
    let (requests, stays, activities, (flash, draft)) = futures::join!(
        own_requests(&page_request.ctx, &user, CaseFilter::All),
        GuestStay::all(&page_request.ctx, &user),
        feed.activities(&user.caller, MAX_EXECUTIONS),
        save_in_session(&page_request, &user)
    );
    let requests = requests.map_err(|no| stop(no, &page_request.here))?;
    let mut stays = stays.unwrap_or_default();
    stays.sort_by(|one, other| one.room_number.cmp(&other.room_number));
    let token = token_of(&draft, &page_request.ctx);
    let typed = RequestFormValues::of(&page_request, &draft);
    let (open, done): (Vec<_>, Vec<_>) = requests.into_iter().partition(|request| !request.done());
    let content = view! {
        <ErrorSummary draft=draft.clone() />
        <h1>{t!("requests-title")}</h1>
        <div data-region="open">{open_requests_panel(&open, &activities)}</div>
        {request_form(&typed, &stays, &draft, token, form_owner(&user.caller))}
        <div data-region="done">{closed_requests_panel(&done)}</div>
    };
    Ok(PageLayout::new(t!("requests-title"))
        .who(&user)
        .flash(flash)
        .follows(follows)
        .guest(content))
}

/// Message and draft left by the previous form; not for the island, which shows neither.
async fn save_in_session(
    page_request: &PageRequest,
    user: &SignedIn,
) -> (Option<Flash>, FormDraft) {
    if page_request.live() {
        return (None, FormDraft::default());
    }
    futures::join!(
        Flash::take(&*page_request.ctx.authenticator),
        FormDraft::take_own(&*page_request.ctx.authenticator, FORM, user)
    )
}

/// Open requests, those in transit first.
fn open_requests_panel(open: &[OwnRequest], activities: &[GuestActivity]) -> AnyView {
    let sent = activities
        .iter()
        .filter(|activity| returns::<CaseResult>(&activity.tool) && !activity.at_rest);
    let sent: Vec<_> = sent
        .map(|activity| {
            view! {
                <li>
                    <div>
                        <p class="title"><a href=format!("/guest/execution/{}", activity.execution_id)>{t!("requests-one")}</a></p>
                        <p class="aside">{t!("requests-sending")}</p>
                    </div>
                    <StatusBadge state=activity.state.clone() word=labels::state_for_guest(&activity.state) />
                </li>
            }
        })
        .collect();
    if open.is_empty() && sent.is_empty() {
        return view! {
            <p class="lead">{t!("requests-none")}</p>
        }
        .into_any();
    }
    let open = open.iter().map(OwnRequest::list_item).collect_view();
    let list = view! { <ul class="requests">{sent} {open}</ul> };
    section("open", t!("requests-open"), list)
}

fn closed_requests_panel(done: &[OwnRequest]) -> AnyView {
    if done.is_empty() {
        return ().into_any();
    }
    let list = done.iter().map(OwnRequest::list_item).collect_view();
    let list = view! { <ul class="requests">{list}</ul> };
    section("done", t!("requests-done"), list)
}

/// Submits a request: a template's own form to its tool; any other unless an identical one was just
/// submitted.
pub async fn submit_request(form: FormSubmission) -> FormResult {
    let (ctx, authenticator) = (&form.ctx, &*form.ctx.authenticator);
    let tool = tool_catalog::guest_form(form.raw(TEMPLATE));
    let asked: Vec<_> = tool.into_iter().flat_map(asked_fields).collect();
    let asked: Vec<_> = asked.iter().map(|field| field.name).collect();
    let draft = match tool {
        Some(_) => form.draft(&asked).field(TEMPLATE, form.raw(TEMPLATE)),
        None => form.draft(&["kind", "priority", "description", "room_number"]),
    };
    let user = match form.sender(Persona::Guest, PAGE).await {
        Ok(user) => user,
        Err(sign_in) => {
            draft
                .field(FORM_OWNER, form.raw(FORM_OWNER))
                .keep_across_sign_in(authenticator, FORM)
                .await;
            return Err(sign_in);
        }
    };
    if let Some(tool) = tool {
        return send(&form, &user, tool.name, form.input(&asked), draft).await;
    }
    let [kind, priority, description] =
        ["kind", "priority", "description"].map(|name| form.get(name));
    if emergency::find(description).is_some() {
        return report_emergency(&form, &user, draft, description).await;
    }
    if let Some(wrong) = problems(kind, priority, description) {
        return form
            .invalid(wrong.with_fields_of(draft), FORM, PROBLEM)
            .await;
    }
    // The duplicate check is a courtesy: when the list can't be read, the request is submitted
    // anyway
    let open = own_requests(ctx, &user, CaseFilter::Open)
        .await
        .unwrap_or_default();
    let same = hotel_time::now().and_then(|now| repeat_question(&open, kind, description, now));
    if let Some(there) = same {
        let case = page_url::guest_case(&there.0.case_number);
        Flash::new(t!("requests-twice", number = there.0.case_number.as_str()))
            .link(case.clone(), t!("requests-see-status"))
            .put(authenticator)
            .await;
        return Ok(case);
    }
    let input = form_input([
        ("type", kind),
        ("priority", priority),
        ("description", description),
        ("room_number", form.get("room_number")),
    ]);
    let tool = SubmitGuestServiceRequest::NAME;
    send(&form, &user, tool, input, draft).await
}

/// Calls the tool, and leads to the page that shows the request, or why there is none.
async fn send(
    form: &FormSubmission,
    user: &SignedIn,
    tool: &'static str,
    input: Value,
    draft: FormDraft,
) -> FormResult {
    let call = ToolForm::named(tool, FORM, PROBLEM, t!("requests-not-sent"))
        .input(input)
        .draft(draft);
    let answer = call.start_and_wait(form, user, MAX_WAIT).await;
    if let Some(FinalAnswer::Done { .. }) = answer.settled() {
        let sent = Flash::new(t!("requests-sent"));
        let sent = match answer.result::<CaseResult>() {
            Some(case) => sent.link(
                page_url::guest_case(&case.case_number),
                t!("requests-see-status"),
            ),
            None => sent,
        };
        sent.put(&*form.ctx.authenticator).await;
        return Ok(PAGE.to_owned());
    }
    refused(call, answer, form, user).await
}

/// An emergency is not a request: staff are notified at once, before any validation.
async fn report_emergency(
    form: &FormSubmission,
    user: &SignedIn,
    draft: FormDraft,
    text: &str,
) -> FormResult {
    let concierge = &form.ctx.concierge;
    let message = concierge.post_message(&user.caller, None, form.token(), text);
    match message.await {
        Ok(conversation) => Ok(format!("/guest/concierge/{conversation}")),
        Err(_) => {
            let draft = unsent_emergency().with_fields_of(draft);
            form.invalid(draft, FORM, PROBLEM).await
        }
    }
}

/// An error of an execution still concerns the input, so the form shows it.
async fn refused(
    call: ToolForm,
    answer: ToolAnswer,
    form: &FormSubmission,
    user: &SignedIn,
) -> FormResult {
    let mut answer = answer;
    if let ToolAnswer::Settled {
        settled: FinalAnswer::Failed { .. },
        execution_id,
        ..
    } = &mut answer
    {
        *execution_id = None;
    }
    call.finish(answer, form, user).await
}

fn repeat_question<'a>(
    open: &'a [OwnRequest],
    kind: &str,
    description: &str,
    now: Timestamp,
) -> Option<&'a OwnRequest> {
    open.iter()
        .find(|request| request.is_duplicate(kind, description, now, DUPLICATE_SECONDS))
}

fn problems(kind: &str, priority: &str, description: &str) -> Option<FormDraft> {
    let known = |list: &[(&str, &str)], value: &str| list.iter().any(|(name, _)| *name == value);
    let mut draft = FormDraft::default();
    if dewy_domain::blank_text::is_blank(description) {
        draft = draft.and_invalid_field("description", t!("requests-what"));
    }
    if description.chars().count() > 500 {
        draft = draft.and_invalid_field("description", t!("requests-short"));
    }
    if !known(&KINDS, kind) {
        draft = draft.and_invalid_field("kind", t!("requests-who"));
    }
    if !known(&PRIORITIES, priority) {
        draft = draft.and_invalid_field("priority", t!("requests-soon"));
    }
    (!draft.problems.is_empty()).then_some(draft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_invalid_fields_are_reported_together() {
        assert_eq!(
            problems("", "", "").map(|draft| draft.problems.len()),
            Some(3)
        );
        assert_eq!(problems("Housekeeping", "Medium", "Towels"), None);
    }
}
