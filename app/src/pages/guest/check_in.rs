//! Online check-in: which booking, further details, review. One thing per page; the answers stay in
//! the session.

use std::time::Duration;

use dewy_domain::{
    tool::ToolCall,
    tool_catalog::{CheckInGuest, GetFolio, SubmitGuestServiceRequest},
    tool_output::{CheckInResult, Folio},
    vocabulary::{CasePriority, CaseType},
};

use super::{
    check_in_form_pages::{
        AT_DESK, Answers, choose, closed, details, no_stay_to_check_in, review_page, takes_new_card,
    },
    guest_stay::{GuestStay, Phase},
};
use crate::pages::{card_name::CARD, prelude::*, read_tools::read};

const FORM: &str = "check-in";

/// How long a form with special requests waits for the check-in, so that the requests reach the
/// assigned room.
const MAX_WAIT: Duration = Duration::from_secs(4);

pub async fn check_in_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let today = request.hotel_day()?;
    let stays = GuestStay::of_page(&request, &user).await?;
    let open: Vec<_> = stays
        .iter()
        .filter(|stay| stay.phase(today) == Phase::Arriving)
        .collect();
    let (content, takes_card) = match (request.query_param("booking"), open.as_slice()) {
        (Some(number), _) => {
            let found = stays
                .iter()
                .find(|stay| stay.booking_number == number)
                .ok_or(PageError::NotFound)?;
            if found.phase(today) == Phase::Arriving {
                step(&request, &user, found, open.len() > 1).await
            } else {
                (closed(found, today), false)
            }
        }
        (None, [one]) => step(&request, &user, one, false).await,
        (None, []) => (no_stay_to_check_in(&stays, today), false),
        (None, several) => (choose(several), false),
    };
    let layout = PageLayout::new(t!("check-in")).who(&user);
    // On pages that take cards, the concierge's proposals are left out
    let layout = if takes_card {
        layout.without_dock()
    } else {
        layout
    };
    Ok(layout.guest(content))
}

/// The step that is asked for, and whether a card can be entered on it.
async fn step(
    request: &PageRequest,
    user: &SignedIn,
    stay: &GuestStay,
    chosen: bool,
) -> (AnyView, bool) {
    let authenticator = &*request.ctx.authenticator;
    let draft = FormDraft::take(authenticator, FORM).await;
    let answers = Answers::find(authenticator, &stay.booking_number).await;
    if request.query_param("step") == Some("check") {
        // Only a hotel that reserves something has to say how much
        let folio = match hotel().places_holds {
            true => folio(request, user, stay).await,
            false => None,
        };
        let folio = folio.as_ref();
        let page = review_page(user, stay, &answers, folio, draft, &request.ctx);
        return (page, takes_new_card(folio));
    }
    (details(stay, &answers, draft, chosen), false)
}

/// The folio; a page without it is better than none.
async fn folio(request: &PageRequest, user: &SignedIn, stay: &GuestStay) -> Option<Folio> {
    let input = json!({ "booking_number": stay.booking_number });
    read::<GetFolio>(&request.ctx, user, input).await.ok()
}

fn page_of(booking_number: &str, step: &str) -> String {
    let fields = [("booking", booking_number), ("step", step)];
    page_url::with_query("/guest/check-in", fields)
}

/// Stores the answers and leads to the review page.
pub async fn check_in_details(form: FormSubmission) -> FormResult {
    let number = form.raw("booking_number");
    let back = page_of(number, "");
    form.sender(Persona::Guest, &back).await?;
    let answers = Answers::of(&form);
    answers.put(&*form.ctx.authenticator).await;
    match answers.problem() {
        Some(draft) => form.again(draft, FORM, &back).await,
        None => Ok(page_of(number, "check")),
    }
}

/// Starts the check-in and leads to its page. Special requests follow as a guest request, unless the
/// check-in is refused.
pub async fn check_in(form: FormSubmission) -> FormResult {
    let (authenticator, number) = (&*form.ctx.authenticator, form.raw("booking_number"));
    let back = page_of(number, "check");
    let user = form.sender(Persona::Guest, &back).await?;
    // Those of the page that was confirmed; another tab may have changed the stored ones
    let answers = match form.raw("arrival").is_empty() {
        true => Answers::find(authenticator, number).await,
        false => Answers::of(&form),
    };
    if let Some(draft) = answers.problem() {
        answers.put(authenticator).await;
        return form.again(draft, FORM, &page_of(number, "")).await;
    }
    let wishes = answers.request();
    let mut input = form.input(&["booking_number", CARD]);
    if form.raw(CARD) == AT_DESK {
        input[CARD] = Value::Null;
    } else if !form.raw(CARD).is_empty() && form.raw("save_card") == "true" {
        input["save_card"] = json!(true);
    }
    let call = ToolForm::new::<CheckInGuest>(FORM, back, t!("check-in-failed"))
        .input(input)
        .draft(form.draft(&[CARD]));
    let wait = match wishes {
        Some(_) => MAX_WAIT,
        None => Duration::ZERO,
    };
    let answer = call.start_and_wait(&form, &user, wait).await;
    match (answer.error(), wishes) {
        (Some(_), _) => answers.put(authenticator).await,
        (None, Some(wishes)) => {
            let room = answer
                .result::<CheckInResult>()
                .map(|result| result.room_number.into());
            submit_arrival_request(&form.ctx, &user, wishes, room, form.token()).await
        }
        _ => {}
    }
    call.finish(answer, &form, &user).await
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
