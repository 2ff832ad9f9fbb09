//! I have arrived: who, when, and yes.

use dewy_domain::{caller::Persona, ports::SignedIn};
use leptos::{prelude::*, server_fn::ServerFn};
use serde_json::{Value, json};

use super::folio::day;
use crate::{
    clock::{self, HotelClock},
    components::ProblemPanel,
    form,
    gate::sign_in_url,
    kept::Kept,
    layout::Sheet,
    page::{Visit, page},
    tool_form::{TOKEN, ToolForm, token_of},
};

/// The form's name in the session.
const FORM: &str = "check-in";

/// The answers to look over, and the one button.
#[component]
pub fn CheckInPage() -> impl IntoView {
    let today = clock::now().map(|now| HotelClock::here().day(now).to_string()).unwrap_or_default();
    page(|visit: Visit| async move {
        let who = visit.gate.admit(Persona::Guest, &visit.here).await?;
        let kept = Kept::take(&*visit.gate.doorman, FORM).await;
        let token = token_of(&kept, &visit.gate);
        let content = answers(&who, visit.asked("booking"), &today, kept, token);
        Ok(Sheet::new("Check in").who(&who).guest(content))
    })
}

fn answers(who: &SignedIn, booking: Option<&str>, today: &str, kept: Kept, token: String) -> AnyView {
    let booking = booking.unwrap_or_default().to_owned();
    let which = if booking.is_empty() { "The one that begins now".to_owned() } else { booking.clone() };
    let name =
        (!who.first_name.is_empty()).then(|| view! { <div><dt>"Guest"</dt> <dd>{who.first_name.clone()}</dd></div> });
    view! {
        <ProblemPanel kept=kept />
        <h1>"Check in"</h1>
        <p class="lead">"Please look over what we have. If it is right, one button checks you in."</p>
        <dl class="answers">
            {name}
            <div>
                <dt>"Email address"</dt>
                <dd>{who.caller.email.clone()}</dd>
            </div>
            <div>
                <dt>"Arriving"</dt>
                <dd>"Today, " {day(today)}</dd>
            </div>
            <div>
                <dt>"Reservation"</dt>
                <dd>{which}</dd>
            </div>
        </dl>
        <form method="post" action=CheckIn::PATH>
            <input type="hidden" name="booking_number" value=booking />
            <input type="hidden" name=TOKEN value=token />
            <p class="small">"Nothing is charged now. If your room is not ready yet, we say so and your reservation stands."</p>
            <p class="actions stacked">
                <button class="wide">"Check in now"</button>
                <a href="/guest">"Not yet"</a>
            </p>
        </form>
    }
    .into_any()
}

/// Starts the check-in and goes to its page at once.
#[server(prefix = "/form", endpoint = "check_in")]
pub async fn check_in(
    #[server(default)] booking_number: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let gate = form::gate()?;
    let back = match serde_urlencoded::to_string([("booking", &booking_number)]) {
        Ok(query) if !booking_number.is_empty() => format!("/guest/check-in?{query}"),
        _ => "/guest/check-in".to_owned(),
    };
    let Ok(who) = gate.admit(Persona::Guest, &back).await else {
        return form::go(&sign_in_url(Persona::Guest, &back));
    };
    let form = ToolForm {
        tool: "check_in_guest",
        input: input(&booking_number),
        form: FORM,
        back,
        not_done: "You are not checked in yet",
        kept: Kept::default(),
        token: idempotency_token,
    };
    form.send(&gate, &who).await
}

fn input(booking_number: &str) -> Value {
    if booking_number.is_empty() { json!({}) } else { json!({ "booking_number": booking_number }) }
}
