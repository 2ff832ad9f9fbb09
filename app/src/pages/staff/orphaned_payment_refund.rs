//! Refunds an orphaned payment: form, review, confirmation.

use dewy_domain::{
    payment_intent_id::PaymentIntentId,
    tool::ToolCall,
    tool_catalog::{CompensateCheckoutFailure, SearchExecutions},
};

use super::{
    board::QuickAction, compensations, execution_record::money_at_stake,
    require_front_desk::require_front_desk, staff_reads::read_tool,
};
use crate::{
    kept_reviews::{self, REVIEW},
    pages::prelude::*,
};

const FORM: &str = "refund";
const PAGE: &str = "/staff/refund";
const FIELDS: [&str; 4] = [
    "payment_intent_id",
    "guest_email",
    "booking_number",
    "reason",
];

const NOT_REFUNDED: &str = "Nothing was refunded";

pub async fn refund_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let authenticator = &*request.ctx.authenticator;
    let review = request.query_param(REVIEW);
    let reviewed = kept_reviews::find(authenticator, FORM, review).await;
    let content = if request.query_param("step") == Some("confirm") {
        let Some(draft) = reviewed else {
            kept_reviews::say_gone(authenticator, FORM).await;
            return Err(PageError::Redirect(PAGE.to_owned()));
        };
        let input = json!({ "payment_intent_id": draft.value("payment_intent_id"), "limit": 1 });
        let known =
            read_tool::<SearchExecutions>(&request.ctx, &user, input, &request.here).await?;
        let first = known.ok().and_then(|list| list.rows.into_iter().next());
        let view = match &first {
            Some(item) => {
                request
                    .ctx
                    .execution(&user.caller, &item.execution_id)
                    .await
            }
            None => None,
        };
        read_back(&draft, view.as_ref(), review.unwrap_or_default())
    } else {
        let failed = FormDraft::take(authenticator, FORM).await;
        let draft = match reviewed {
            Some(reviewed) if failed.title.is_empty() => reviewed,
            _ => failed,
        };
        fill(prefilled(draft, &request))
    };
    Ok(PageLayout::new("Refund a payment")
        .who(&user)
        .staff(content))
}

/// Prefills values from the linking page; entered values take precedence.
fn prefilled(draft: FormDraft, request: &PageRequest) -> FormDraft {
    if draft.fields.values().any(|value| !value.is_empty()) {
        return draft;
    }
    FIELDS
        .into_iter()
        .filter_map(|name| Some((name, request.query_param(name)?.to_owned())))
        .fold(draft, |draft, (name, value)| draft.field(name, value))
}

fn fill(draft: FormDraft) -> AnyView {
    view! {
        <div class="narrow">
            <ErrorSummary draft=draft.clone() />
            <h1>"Refund a payment"</h1>
            <p class="lead">
                "For a payment whose check-out was not completed. The remaining amount is refunded, and what the check-out had changed is reverted unless someone else has changed it since."
            </p>
            <form method="post" action="/form/refund_check">
                <Field name="payment_intent_id" label="Stripe payment" hint="Begins with pi_" value=draft.value("payment_intent_id") problem=draft.problem("payment_intent_id") />
                <Field name="guest_email" known=Known::Guests label="Guest’s email" kind="email" optional=true hint="Checked against the payment, so that no one else’s is refunded." value=draft.value("guest_email") problem=draft.problem("guest_email") />
                <Field name="booking_number" known=Known::Bookings label="Booking, for a guest without an email" optional=true value=draft.value("booking_number") problem=draft.problem("booking_number") />
                <Field name="reason" label="Reason" kind="lines" value=draft.value("reason") problem=draft.problem("reason") />
                <p class="actions">
                    <button>"Review"</button>
                    <a href="/staff/compensations">"Back to the compensations"</a>
                </p>
            </form>
        </div>
    }
    .into_any()
}

fn read_back(
    draft: &FormDraft,
    view: Option<&dewy_domain::execution_view::ExecutionView>,
    token: &str,
) -> AnyView {
    let known = match view {
        Some(view) => {
            let href = format!("/staff/executions/{}", view.execution_id);
            view! {
                <p><a href=href>{view.title.clone()}</a> " " <StatusBadge state=view.state.clone() word=labels::state(&view.state) /></p>
                {money_at_stake(view).map(|stake| view! { <p class="stake">{stake}</p> })}
            }
            .into_any()
        }
        None => view! {
            <p>"Our journal has no record of this payment. Stripe has it, for a check-out of this guest."</p>
        }
        .into_any(),
    };
    let entered = [
        ("Stripe payment", draft.value("payment_intent_id")),
        ("Guest’s email", draft.value("guest_email")),
        ("Booking", draft.value("booking_number")),
        ("Reason", draft.value("reason")),
    ];
    let entered = entered.into_iter().filter(|(_, value)| !value.is_empty());
    let fields = FIELDS.map(|name| (name, draft.value(name)));
    let fields = fields.into_iter().chain([(TOKEN, token.to_owned())]);
    view! {
        <div class="narrow">
            <h1>"Refund this payment?"</h1>
            {facts("answers", entered)}
            <section class="card will" aria-labelledby="will">
                <h2 id="will">"What this does"</h2>
                {known}
                <p>"Everything that is left of the payment goes back to the guest’s card, within 5 to 10 business days. A refund cannot be taken back. Salesforce is only touched once Stripe has accepted it."</p>
            </section>
            <form method="post" action="/form/refund">
                {hidden(fields)}
                <p class="actions">
                    <button>"Refund this payment"</button>
                    <a href=page_url::with_query(PAGE, [(REVIEW, token)])>"Change something"</a>
                    <a href="/staff/compensations">"Cancel"</a>
                </p>
            </form>
        </div>
    }
    .into_any()
}

/// Stores the input and leads to the review, or shows the form again.
pub async fn refund_check(form: FormSubmission) -> FormResult {
    let user = form.sender(Persona::Staff, PAGE).await?;
    let email = form.get("guest_email").to_lowercase();
    let has_guest =
        email.contains('@') || email.is_empty() && !form.get("booking_number").is_empty();
    let draft = form
        .draft(&FIELDS)
        .field("guest_email", email)
        .check(
            "payment_intent_id",
            form.get("payment_intent_id")
                .parse::<PaymentIntentId>()
                .is_ok(),
            "Enter the payment’s id; it begins with pi_",
        )
        .check(
            "guest_email",
            has_guest,
            "Enter the guest’s email address, or the booking alone",
        )
        .check(
            "reason",
            !form.get("reason").is_empty(),
            "Say why, in a few words",
        );
    let name = form.ctx.token_generator.token();
    if draft.problems.is_empty() {
        // What the tool would refuse is refused before it is promised
        let call = ToolCall {
            tool: CompensateCheckoutFailure::NAME.to_owned(),
            input: form.input(&FIELDS),
            idempotency_token: Some(name.clone()),
            wait: None,
        };
        let confirmations = &form.ctx.confirmations;
        if let Err(error) = confirmations.confirmation_for(&user.caller, &call).await {
            let (code, details) = (error.code, &error.details);
            let refusal = ToolForm::refusal(NOT_REFUNDED, code, details, Persona::Staff, draft);
            return form.again(refusal, FORM, PAGE).await;
        }
    }
    kept_reviews::review(&form, FORM, PAGE, &name, draft).await
}

/// Refunds, and leads to the compensations, which list the payment.
pub async fn refund(form: FormSubmission) -> FormResult {
    let user = form.sender(Persona::Staff, PAGE).await?;
    QuickAction::<CompensateCheckoutFailure>::new(FORM, PAGE, NOT_REFUNDED)
        .input(form.input(&FIELDS))
        .draft(form.draft(&FIELDS))
        .then(compensations::PAGE)
        .meanwhile(compensations::PAGE)
        .send(&form, &user, |result| {
            let sum = labels::money(result.refunded, result.currency);
            let payment = &result.payment_intent_id;
            format!("{sum} of the payment {payment} was refunded.")
        })
        .await
}
