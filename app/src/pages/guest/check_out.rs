//! Check-out form: the amount, the payment card, and the confirmation.

use std::cmp::Ordering;

use dewy_domain::{tool_catalog::ProcessGuestCheckout, tool_output::Folio};

use super::{
    check_out_progress,
    guest_bill::own_bill,
    read_folio::{FolioLookup, read_folio},
    shared_bill_notice::shared_bill,
};
use crate::pages::card_name::{CARD, held, offered_cards, saved_card, usual_card};
use crate::{
    language,
    new_card_field::{CardEntry, CardOption, card_choice},
    pages::prelude::*,
};

const FORM: &str = "check-out";

/// Field of a form without a choice of cards: the one that holds the balance pays.
const RESERVED: &str = "reserved";

/// Page on which a guest agrees to an amount.
pub async fn check_out_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let FolioLookup::One(folio) = read_folio(
        &request.ctx,
        &user,
        request.query_param("booking"),
        &request.here,
    )
    .await?
    else {
        return Err(PageError::Redirect("/guest/folio".to_owned()));
    };
    if folio.booking_status != BookingStatus::CheckedIn {
        // Not checked in; the bill shows the state
        return Err(PageError::Redirect(page_url::with_booking(
            "/guest/folio",
            &folio.booking_number,
        )));
    }
    // A check-out in progress is shown, and not started again
    if let Some(going) =
        check_out_progress::check_out_in_progress(&request.ctx, &user, &folio.booking_number).await
    {
        return Err(PageError::Redirect(format!(
            "/guest/execution/{}",
            going.execution_id
        )));
    }
    let draft = FormDraft::take(&*request.ctx.authenticator, FORM).await;
    let token = token_of(&draft, &request.ctx);
    let shared = !folio.shares_bill_with.is_empty();
    let content = if shared {
        shared_bill(&folio, &user, token)
    } else if let Some(balance) = folio.balance {
        confirm(&folio, balance, draft, token, request.ctx.demo())
    } else {
        let rest = ask_desk(String::new(), &folio);
        view! {
            <h1>{t!("check-out")}</h1>
            {own_bill(&folio, true)}
            {rest}
        }
        .into_any()
    };
    let card = |balance| CardEntry::of(balance, folio.currency);
    let typed = !shared && folio.holds.is_empty() && folio.balance.and_then(card).is_some();
    let layout = PageLayout::new(t!("check-out")).who(&user);
    // On pages that allow Stripe's script, the concierge's proposals are left out
    let layout = if typed { layout.without_dock() } else { layout };
    Ok(layout.guest(content))
}

/// Why nothing can be paid here, and the way to the front desk.
fn ask_desk(why: String, folio: &Folio) -> AnyView {
    let back = page_url::with_booking("/guest/folio", &folio.booking_number);
    view! {
        <p class="notice">{why} " " {t!("check-out-desk")}</p>
        <p class="actions">
            <a class="button" href="/guest/requests?ask=question#ask">{t!("ask-front-desk")}</a>
            <a href=back>{t!("check-out-back")}</a>
        </p>
    }
    .into_any()
}

fn confirm(folio: &Folio, balance: Cents, draft: FormDraft, token: String, demo: bool) -> AnyView {
    let cents = balance.0;
    let amount = labels::money(balance, folio.currency);
    let back = page_url::with_booking("/guest/folio", &folio.booking_number);
    let offers = offered_cards(&folio.saved_cards, demo, &draft.value(CARD));
    let typing = CardEntry::of(balance, folio.currency).map(CardEntry::keepable);
    let chosen = Some(draft.value(CARD))
        .filter(|c| !c.is_empty())
        .or_else(|| usual_card(&folio.saved_cards))
        .unwrap_or_default();
    let for_front_desk = balance.needs_front_desk();
    let held = held(folio);
    let promise = match cents {
        0 if held.is_some() => {
            let (reserved, card) = held.clone().unwrap_or_default();
            let reserved = labels::money(reserved, folio.currency);
            let room = folio.room_number.as_str();
            view! { <p class="lead">{t!("check-out-held-nothing", reserved = reserved.as_str(), card = card.as_str(), room = room)}</p> }
                .into_any()
        }
        0 => {
            view! { <p class="lead">{t!("check-out-nothing", room = folio.room_number.as_str())}</p> }.into_any()
        }
        _ => {
            let sum = view! { <strong class="sum">{amount.clone()}</strong> }.into_any();
            let room = || ("room", language::Value::from(folio.room_number.as_str()));
            let words = match &held {
                Some((reserved, card)) => {
                    let message = match balance.cmp(reserved) {
                        Ordering::Less => "check-out-held",
                        Ordering::Equal => "check-out-held-all",
                        Ordering::Greater => "check-out-held-more",
                    };
                    let reserved = labels::money(*reserved, folio.currency);
                    let values = [
                        room(),
                        ("reserved", language::Value::from(reserved)),
                        ("card", language::Value::from(card.as_str())),
                    ];
                    rich(message, vec![("amount", sum)], &values)
                }
                None => rich("check-out-promise", vec![("amount", sum)], &[room()]),
            };
            view! { <p class="lead" id="amount">{words}</p> }.into_any()
        }
    };
    let button = if cents == 0 {
        t!("check-out").to_owned()
    } else {
        t!("check-out-pay", amount = amount.as_str())
    };
    let card_needed = cents > 0 && held.is_none();
    let rest = if for_front_desk || (card_needed && offers.is_empty() && typing.is_none()) {
        let why = if cents < 0 {
            let sum = labels::money(Cents(-cents), folio.currency);
            t!("check-out-owes", sum = sum.as_str())
        } else if for_front_desk {
            t!("check-out-too-small").to_owned()
        } else {
            t!("no-card").to_owned()
        };
        ask_desk(why, folio)
    } else {
        // Without scripts no payment card can be entered, so there is no button
        let waits = card_needed && offers.is_empty();
        let problem = draft.problem(CARD);
        let reserved = held.as_ref().map_or(Cents(0), |(reserved, _)| *reserved);
        let cards = match &held {
            // What isn't reserved may be charged to another saved card
            Some((_, card)) if balance > reserved => {
                let others = offers_beside(folio, card);
                (others.len() > 1)
                    .then(|| card_choice((CARD, t!("pay-with")), others, None, "", problem))
            }
            Some(_) => None,
            None => card_needed
                .then(|| card_choice((CARD, t!("pay-with")), offers, typing, &chosen, problem)),
        };
        view! {
            <form method="post" action="/form/check_out">
                {cards}
                {hidden([("booking_number", folio.booking_number.to_string()), ("amount", cents.to_string()), (TOKEN, token)])}
                {held.is_some().then(|| hidden([(RESERVED, "true".to_owned())]))}
                <p class="small">{if held.is_some() { t!("check-out-held-last") } else { t!("check-out-automatic") }}</p>
                <p class="actions">
                    <button hidden=waits>{button}</button>
                    <a href=back>{t!("check-out-back")}</a>
                </p>
            </form>
        }
        .into_any()
    };
    view! {
        <ErrorSummary draft=draft />
        <h1>{t!("check-out")}</h1>
        {(!for_front_desk).then_some(promise)}
        {check_out_progress::early(folio.check_out_date)}
        <p class="aside">{t!("booking-number", number = folio.booking_number.as_str())} {labels::DOT} {date_range(folio.check_in_date, folio.check_out_date)}</p>
        <details class="review" open>
            <summary>{t!("check-out-on-bill")}</summary>
            {own_bill(folio, true)}
        </details>
        {rest}
    }
    .into_any()
}

/// The card that holds a part of the balance, and the other saved cards.
fn offers_beside(folio: &Folio, held: &str) -> Vec<CardOption> {
    let reserved = CardOption {
        id: String::new(),
        name: held.to_owned(),
        tag: t!("status-reserved").to_owned(),
    };
    let saved = folio.saved_cards.iter().map(saved_card);
    let others = saved.filter(|card| card.name != held);
    std::iter::once(reserved).chain(others).collect()
}

/// Starts the check-out and leads to its page; errors before anything starts are shown on the form.
pub async fn check_out(form: FormSubmission) -> FormResult {
    let back = page_url::with_booking("/guest/check-out", form.raw("booking_number"));
    let user = form.sender(Persona::Guest, &back).await?;
    let draft = form.draft(&[CARD]);
    let chosen = !form.raw(CARD).is_empty() || form.raw(RESERVED) == "true";
    if !chosen && form.raw("amount") != "0" {
        let refused = FormDraft::invalid_field(CARD, t!("check-out-choose"));
        return form
            .invalid(refused.with_fields_of(draft), FORM, &back)
            .await;
    }
    let mut input = form.input(&["booking_number", CARD]);
    input["amount"] = form.number("amount");
    if form.raw("save_card") == "true" {
        input["save_card"] = json!(true);
    }
    ToolForm::new::<ProcessGuestCheckout>(FORM, back, t!("check-out-not-yet"))
        .input(input)
        .draft(draft)
        .send(&form, &user)
        .await
}
