//! Open proposal on its own pay page: the same question, where a new payment card may be entered.
//! The dock's pages allow no other host.

use dewy_domain::{
    card_id::CardId,
    concierge::{ProposalState, ProposalView},
};

use crate::{
    new_card_field::{CardEntry, CardOption, card_choice},
    pages::prelude::*,
};

/// `/guest/pay?card=crd_…`. The answer goes to the conversation, and the page redirects back to it.
pub async fn pay_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let id = request.query_param("card").ok_or(PageError::NotFound)?;
    let (conversation, proposal) = request
        .ctx
        .concierge
        .proposal(&user.caller, id)
        .await
        .map_err(|code| match code {
            ErrorCode::ProposalNotOpen => PageError::NotFound,
            code => ErrorPage::of(code, Persona::Guest, &request.here).into(),
        })?;
    let back = format!("/guest/concierge/{conversation}");
    let typing = proposal
        .new_card
        .and_then(|money| CardEntry::of(money.cents, money.currency));
    match typing {
        Some(typing) if proposal.state == ProposalState::Proposed && !proposal.nonce.is_empty() => {
            let content = card_form(&proposal, typing, back);
            Ok(PageLayout::new(title(&proposal))
                .who(&user)
                .without_dock()
                .guest(content))
        }
        // Closed, or no card to enter: the conversation shows its state
        _ => Err(PageError::Redirect(back)),
    }
}

fn title(proposal: &ProposalView) -> &'static str {
    if proposal.choices.is_empty() {
        t!("talk-pay")
    } else {
        t!("talk-pay-other")
    }
}

fn card_form(proposal: &ProposalView, typing: CardEntry, back: String) -> AnyView {
    let facts = proposal
        .facts
        .iter()
        .map(|fact| view! { <li>{told(fact)}</li> })
        .collect_view();
    let saved = proposal
        .choices
        .iter()
        .filter(|choice| choice.value.parse::<CardId>().is_ok());
    let offers: Vec<CardOption> = saved
        .map(|choice| CardOption {
            id: choice.value.clone(),
            name: told(&choice.label),
            tag: named("test-card", &choice.note),
        })
        .collect();
    // Without scripts no payment card can be entered, so there is no button
    let waits = offers.is_empty();
    // Nothing is preselected: a guest who comes here wants another card
    let cards = card_choice(("choice", t!("pay-with")), offers, Some(typing), "", None);
    let until = hour(&HotelClock::here(), proposal.expires_at);
    view! {
        <h1>{title(proposal)}</h1>
        <p class="lead">{told(&proposal.question)}</p>
        <ul class="ask-facts">{facts}</ul>
        <form method="post" action="/form/concierge_decide">
            {hidden([("card", proposal.id.clone()), ("nonce", proposal.nonce.clone()), ("answer", "yes".to_owned()), ("live", "".to_owned())])}
            {cards}
            <p class="actions">
                <button hidden=waits>{told(&proposal.yes)}</button>
                <a href=back>{t!("talk-back-to")}</a>
            </p>
            <p class="aside">{t!("talk-until", time = until)}</p>
        </form>
    }
    .into_any()
}
