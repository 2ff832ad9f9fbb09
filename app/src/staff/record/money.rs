//! Money according to the journal, and Stripe's current state.

use dewy_domain::{
    ports::SignedIn,
    view::{ExecutionView, MoneyCheck},
};
use leptos::prelude::*;

use crate::{
    components::{Icon, Moment, MoneyLine},
    labels,
    page::Visit,
};

/// Amounts charged, refunded, and kept.
pub fn sum(view: &ExecutionView) -> AnyView {
    match view.money {
        Some(money) => view! { <MoneyLine money=money /> }.into_any(),
        None => view! { <p class="empty">"No money has moved."</p> }.into_any(),
    }
}

/// Queries Stripe without delaying the page. The island, which fetches the page on every change,
/// learns only whether its data is outdated, and then fetches the whole page.
pub fn check(visit: &Visit, who: &SignedIn, view: &ExecutionView) -> AnyView {
    let Some(money) = view.money else {
        return ().into_any();
    };
    let version = format!("{} {} {}", money.captured.0, money.refunded.0, view.at_rest);
    if visit.live() {
        return view! { <div class="check" data-region="check" data-version=version data-late=""></div> }.into_any();
    }
    let (ctx, caller, id) = (
        visit.ctx.clone(),
        who.caller.clone(),
        view.execution_id.clone(),
    );
    let told = async move { told(ctx.watch.money(&caller, &id).await) };
    view! {
        <div class="check" data-region="check" data-version=version>
            <Suspense>{Suspend::new(told)}</Suspense>
        </div>
    }
    .into_any()
}

fn told(check: Option<MoneyCheck>) -> AnyView {
    let Some(check) = check else {
        return view! { <p class="verdict">"Stripe did not answer just now. Reload the page to ask again."</p> }
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
        <p class="aside">"Asked at " <Moment at=check.at brief=true /></p>
    }
    .into_any()
}
