//! Money according to the journal, and Stripe's current state.

use dewy_domain::{
    execution_view::{MoneyCheck, StepView},
    tool_catalog::ResolveExecution,
    tool_output::{CheckOutResult, CompensationResult},
    vocabulary::AttentionReason,
};

use crate::{components::PaymentSummary, pages::prelude::*};

/// Amounts charged, refunded, and kept.
pub fn sum(view: &ExecutionView) -> AnyView {
    match view.money {
        Some(money) => view! { <PaymentSummary money=money /> }.into_any(),
        None => view! { <p class="empty">{without_sum(view)}</p> }.into_any(),
    }
}

/// Statement about the money where the record has no sum. It says that none has moved only if the
/// steps that would move it are known not to have run.
pub fn without_sum(view: &ExecutionView) -> String {
    if view.reason == Some(AttentionReason::RecordUnreadable) {
        return "What has moved can't be read from this record.".to_owned();
    }
    if let Some((refunded, currency)) = refunded(view) {
        return format!("{} was given back.", labels::money(refunded, currency));
    }
    if let Some((open, currency)) = left_open(view) {
        return format!("{}.", labels::balance_sentence(open, currency));
    }
    let mut steps = view.forward.iter().chain(&view.back);
    let moves_money = |step: &StepView| {
        matches!(
            step.name.as_str(),
            "pay" | "refund" | "capture" | "capture_rest" | "charge"
        )
    };
    if steps.any(|step| moves_money(step) && step.state.is_under_way()) {
        return "It isn't known yet whether money has moved.".to_owned();
    }
    match view.tool.as_str() {
        ResolveExecution::NAME => {
            "For the money, see the record of the execution that was decided.".to_owned()
        }
        _ => "No money has moved.".to_owned(),
    }
}

/// Balance with which a guest was checked out.
fn left_open(view: &ExecutionView) -> Option<(Cents, Currency)> {
    let result: CheckOutResult = view.body().result()?;
    result.left_open.zip(result.currency)
}

/// Refund stated in the answer: the payment was compensated by another execution before.
fn refunded(view: &ExecutionView) -> Option<(Cents, Currency)> {
    let result: CompensationResult = view.body().result()?;
    (result.refunded.0 > 0).then_some((result.refunded, result.currency))
}

/// Queries Stripe without delaying the page. The island, which fetches the page on every change,
/// learns only whether its data is outdated, and then fetches the whole page.
pub fn check(request: &PageRequest, user: &SignedIn, view: &ExecutionView) -> AnyView {
    let Some(money) = view.money else {
        return ().into_any();
    };
    let version = format!("{} {} {}", money.captured.0, money.refunded.0, view.at_rest);
    if request.live() {
        return view! { <div class="check" data-region="check" data-version=version data-late=""></div> }.into_any();
    }
    let (ctx, caller, id) = (
        request.ctx.clone(),
        user.caller.clone(),
        view.execution_id.clone(),
    );
    let money = async move { current_state(ctx.execution_feed.money(&caller, &id).await) };
    view! {
        <div class="check" data-region="check" data-version=version>
            <Suspense>{Suspend::new(money)}</Suspense>
        </div>
    }
    .into_any()
}

fn current_state(check: Option<MoneyCheck>) -> AnyView {
    let Some(check) = check else {
        return view! { <p class="verdict">"Stripe did not respond. Reload the page to try again."</p> }
            .into_any();
    };
    let text = |cents| labels::money(cents, check.theirs.currency);
    let refunds = check.refunds.iter().map(|(id, status, amount)| {
        view! { <li><code class="id">{id.clone()}</code> " " {status.clone()} " " <span class="num">{text(*amount)}</span></li> }
    });
    let refunds = (!check.refunds.is_empty())
        .then(|| view! { <ul class="refunds">{refunds.collect_view()}</ul> });
    let verdict = if check.agrees {
        view! { <p class="verdict" data-state="done"><Icon state="done" /> "Stripe says the same"</p> }
    } else {
        view! {
            <p class="verdict" data-state="unknown">
                <Icon state="unknown" />
                "Stripe says otherwise: taken " {text(check.theirs.captured)} ", given back " {text(check.theirs.refunded)}
                ", stays " {text(check.theirs.net())}
            </p>
        }
    };
    view! {
        {verdict}
        {refunds}
        <p class="aside">"Asked at " <Timestamp at=check.at brief=true /></p>
    }
    .into_any()
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::*;

    pub fn view(tool: &str, pay: &str, answer: Value) -> ExecutionView {
        let at = "2026-11-20T14:03:20Z";
        serde_json::from_value(json!({
            "execution_id": "exe_1", "tool": tool, "title": "x", "state": "completed", "summary": "", "at_rest": true,
            "seq": 1, "booking_number": null, "room_number": null, "guest_email": null, "asked_by": null,
            "forward": [{ "name": "pay", "title": "Pay", "state": pay, "attempts": 1, "note": "", "at": null, "key": null }],
            "back": [], "money": null, "next_action_url": null, "answer": answer, "reason": null, "differences": [],
            "next_try_at": null, "created_at": at, "updated_at": at, "timeline": [],
        }))
        .unwrap()
    }

    #[test]
    fn no_money_moved_is_shown_only_when_known() {
        let said = |tool, pay, answer| without_sum(&view(tool, pay, answer));
        assert_eq!(
            said("process_guest_checkout", "refused", Value::Null),
            "No money has moved."
        );
        assert_eq!(
            said("process_guest_checkout", "unknown", Value::Null),
            "It isn't known yet whether money has moved."
        );
        let refunded = json!({ "success": true, "data": {
            "payment_intent_id": "pi_1", "refunded": 25000, "currency": "usd", "status": "compensated", "compensated_by": "exe_2",
        } });
        assert_eq!(
            said("compensate_checkout_failure", "pending", refunded),
            "$250.00 was given back."
        );
        let mut damaged = view("process_guest_checkout", "pending", Value::Null);
        damaged.reason = Some(AttentionReason::RecordUnreadable);
        assert_eq!(
            without_sum(&damaged),
            "What has moved can't be read from this record."
        );
    }
}
