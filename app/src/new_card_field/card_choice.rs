//! Choice of the payment card: a saved one, or a new one entered in Stripe's field.

use leptos::{nonce::use_nonce, prelude::*};

use super::{CardEntry, PAY_SCRIPT_PATH};
use crate::language::t;

/// Card that needs no input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardOption {
    /// Stripe's id.
    pub id: String,
    /// `Visa •••• 4242`.
    pub name: String,
    /// Note about the card; may be empty.
    pub tag: String,
}

/// Choice under this legend, as part of a form that posts `field`. `chosen` must be among the offers,
/// otherwise nothing is selected.
pub fn card_choice(
    (field, legend): (&'static str, &'static str),
    offers: Vec<CardOption>,
    typing: Option<CardEntry>,
    chosen: &str,
    problem: Option<String>,
) -> AnyView {
    let invalid = problem.is_some().then_some("true");
    let alone = offers.is_empty();
    // Nothing is selected yet: a browser without scripts requires a choice
    let required = typing.is_some() && chosen.is_empty();
    let items = offers
        .into_iter()
        .enumerate()
        .map(|(n, CardOption { id, name, tag })| {
            let checked = id == chosen;
            // The first option has the field's id, so that an error links to it
            let element = if n == 0 { field.to_owned() } else { format!("card-{n}") };
            let tag = (!tag.is_empty()).then(|| view! { " " <small class="tag">{tag}</small> });
            view! {
                <label class="choice">
                    <input type="radio" name=field id=element value=id checked=checked required=required aria-invalid=invalid />
                    <span>{name} {tag}</span>
                </label>
            }
        })
        .collect_view();
    let another = typing.map(|typing| another(field, alone, typing));
    view! {
        <fieldset id=alone.then_some(field) tabindex=alone.then_some("-1")>
            <legend>{if alone { t!("pay-yours") } else { legend }}</legend>
            {problem.map(|text| view! { <p class="field-problem">{text}</p> })}
            {items}
            {another}
        </fieldset>
    }
    .into_any()
}

/// Option to enter a card. Its script shows it, so that it can't be chosen where it doesn't work,
/// and fills in the card's id.
fn another(field: &'static str, alone: bool, typing: CardEntry) -> impl IntoView {
    let choice = if alone {
        view! { <input type="hidden" name=field value="" data-another="" /> }.into_any()
    } else {
        view! {
            <label class="choice" hidden>
                <input type="radio" name=field value="" data-another="" />
                <span>{t!("pay-another")}</span>
            </label>
        }
        .into_any()
    };
    let without = if alone {
        t!("no-card")
    } else {
        t!("pay-another-question")
    };
    let without = format!("{without} {}", t!("pay-no-script"));
    let keep = typing.keepable.then(|| {
        view! {
            <label class="choice">
                <input type="checkbox" name="save_card" value="true" />
                <span>{t!("pay-keep")} " " <small class="hint">{t!("pay-keep-text")}</small></span>
            </label>
        }
    });
    view! {
        {choice}
        <div
            class="new-card"
            hidden
            data-new-card=""
            data-key=typing.key
            data-amount=typing.cents.0.to_string()
            data-currency=typing.currency.code().to_owned()
            data-not-loaded=t!(if alone { "pay-not-loaded" } else { "pay-not-loaded-saved" })
            data-not-read=t!("pay-not-read")
            data-loading=t!("pay-loading")
            data-still-loading=t!("pay-still-loading")
            data-checking=t!("pay-checking")
            data-moment=t!("pay-moment")
        >
            <p class="hint">{t!("pay-straight")}</p>
            <p class="field-problem" role="alert" tabindex="-1" data-problem=""></p>
            <div data-place=""></div>
            {keep}
            <p class="hint" role="status" tabindex="-1" data-status=""></p>
            <button type="button" class="quiet" data-again="" hidden>{t!("pay-again")}</button>
        </div>
        <noscript>
            <p class="notice">{without}</p>
        </noscript>
        <script defer nonce=use_nonce() src=PAY_SCRIPT_PATH.as_str()></script>
    }
}
