//! Online check-in: which booking, further details, review. One thing per page; the answers stay in
//! the session.

use std::time::Duration;

use dewy_domain::{
    caller::Persona,
    ports::SignedIn,
    tool::ToolCall,
    tool_catalog::{CheckInGuest, SubmitGuestServiceRequest},
    tool_output::CheckInResult,
    vocabulary::{CasePriority, CaseType},
};
use leptos::prelude::*;

use super::{
    check_in_form_pages::{Answers, choose, closed, details, no_stay_to_check_in, review_page},
    guest_stay::{GuestStay, Phase},
};
use crate::{
    flash::Flash,
    form_draft::FormDraft,
    form_submission,
    language::t,
    layout::PageLayout,
    page_context::PageContext,
    page_url,
    pages::read_tools::stop,
    render_page::{PageError, PageRequest, page},
    tool_form::{ToolForm, form_input, token_of},
};

/// Session key of the form.
const FORM: &str = "check-in";

/// How long a form with special requests waits for the check-in, so that the requests reach the
/// assigned room.
const MAX_WAIT: Duration = Duration::from_secs(4);

/// Current step of the check-in.
#[component]
pub fn CheckInPage() -> impl IntoView {
    page(|request: PageRequest| async move {
        let user = request.signed_in(Persona::Guest).await?;
        let today = request.hotel_day()?;
        let stays = GuestStay::all(&request.ctx, &user)
            .await
            .map_err(|no| stop(no, &request.here))?;
        let open: Vec<_> = stays
            .iter()
            .filter(|stay| stay.phase(today) == Phase::Arriving)
            .collect();
        let content = match (request.query_param("booking"), open.as_slice()) {
            (Some(number), _) => {
                let found = stays
                    .iter()
                    .find(|stay| stay.booking_number == number)
                    .ok_or(PageError::NotFound)?;
                if found.phase(today) == Phase::Arriving {
                    step(&request, &user, found, open.len() > 1).await
                } else {
                    closed(found, today)
                }
            }
            (None, [one]) => step(&request, &user, one, false).await,
            (None, []) => no_stay_to_check_in(&stays, today),
            (None, several) => choose(several),
        };
        Ok(PageLayout::new(t!("check-in")).who(&user).guest(content))
    })
}

async fn step(request: &PageRequest, user: &SignedIn, stay: &GuestStay, chosen: bool) -> AnyView {
    let authenticator = &*request.ctx.authenticator;
    let draft = FormDraft::take(authenticator, FORM).await;
    let answers = Answers::find(authenticator, &stay.booking_number).await;
    if request.query_param("step") == Some("check") {
        let token = token_of(&draft, &request.ctx);
        return review_page(user, stay, &answers, draft, token);
    }
    details(stay, &answers, draft, chosen)
}

fn page_of(booking_number: &str, step: &str) -> String {
    let fields = [("booking", booking_number), ("step", step)];
    page_url::with_query("/guest/check-in", fields)
}

/// Stores the answers and redirects to the review page.
#[server(prefix = "/form", endpoint = "check_in_details")]
pub async fn check_in_details(
    #[server(default)] booking_number: String,
    #[server(default)] arrival: String,
    #[server(default)] wishes: String,
) -> Result<(), ServerFnError> {
    let back = page_of(&booking_number, "");
    let Some((ctx, _)) = form_submission::require_sender(Persona::Guest, &back).await? else {
        return Ok(());
    };
    let answers = Answers::new(booking_number.clone(), arrival, wishes);
    if let Some(draft) = answers.problem() {
        answers.put(&*ctx.authenticator).await;
        draft.put_on(&*ctx.authenticator, FORM, &back).await;
        return form_submission::redirect(&back);
    }
    answers.put(&*ctx.authenticator).await;
    form_submission::redirect(&page_of(&booking_number, "check"))
}

/// Starts the check-in and redirects to its page. Special requests follow as a guest request,
/// unless the check-in is refused.
#[server(prefix = "/form", endpoint = "check_in")]
pub async fn check_in(
    #[server(default)] booking_number: String,
    #[server(default)] arrival: String,
    #[server(default)] wishes: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let back = page_of(&booking_number, "check");
    let Some((ctx, user)) = form_submission::require_sender(Persona::Guest, &back).await? else {
        return Ok(());
    };
    // Those of the page that was confirmed; another tab may have changed the stored ones
    let answers = match arrival.is_empty() {
        true => Answers::find(&*ctx.authenticator, &booking_number).await,
        false => Answers::new(booking_number.clone(), arrival, wishes),
    };
    if let Some(draft) = answers.problem() {
        answers.put(&*ctx.authenticator).await;
        let details = page_of(&booking_number, "");
        draft.put_on(&*ctx.authenticator, FORM, &details).await;
        return form_submission::redirect(&details);
    }
    let wishes = answers.request();
    let form = ToolForm {
        tool: CheckInGuest::NAME,
        input: form_input([("booking_number", &*booking_number)]),
        form: FORM,
        back,
        failure_title: t!("check-in-failed"),
        draft: FormDraft::default(),
        token: idempotency_token.clone(),
    };
    let wait = if wishes.is_some() {
        MAX_WAIT
    } else {
        Duration::ZERO
    };
    let answer = form.start_and_wait(&ctx, &user, wait).await;
    match (answer.error(), wishes) {
        (Some(_), _) => answers.put(&*ctx.authenticator).await,
        (None, Some(wishes)) => {
            let room = answer
                .result::<CheckInResult>()
                .map(|result| result.room_number.into());
            submit_arrival_request(&ctx, &user, wishes, room, &idempotency_token).await
        }
        _ => {}
    }
    form.finish(answer, &ctx, &user).await
}

async fn submit_arrival_request(
    ctx: &PageContext,
    user: &SignedIn,
    wishes: String,
    room: Option<String>,
    token: &str,
) {
    let input = form_input([
        ("type", CaseType::Concierge.as_str()),
        ("priority", CasePriority::Medium.as_str()),
        ("description", &wishes),
        ("room_number", room.as_deref().unwrap_or_default()),
    ]);
    let call = ToolCall {
        idempotency_token: Some(format!("{token}-wishes")),
        wait: Some(Duration::ZERO),
        ..SubmitGuestServiceRequest::call_with(input)
    };
    let said = match ctx.dispatcher.dispatch(&user.caller, call).await.error() {
        Some(_) => Flash::new(t!("check-in-requests-lost")).link(
            "/guest/requests?ask=wish#ask",
            t!("check-in-requests-again"),
        ),
        None => {
            Flash::new(t!("check-in-requests-sent")).link("/guest/requests", t!("see-requests"))
        }
    };
    said.put(&*ctx.authenticator).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_has_its_own_url() {
        assert_eq!(page_of("", ""), "/guest/check-in");
        assert_eq!(
            page_of("BK-0042", "check"),
            "/guest/check-in?booking=BK-0042&step=check"
        );
    }
}
