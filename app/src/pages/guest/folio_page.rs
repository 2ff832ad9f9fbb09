//! Folio page.

use dewy_domain::{
    execution_view::GuestActivity,
    stay::LineKind,
    tool_output::{Folio, FolioLine},
    vocabulary::LineStatus,
};

use super::{
    check_out_progress,
    guest_bill::{amount, counts, has_taxes, kind, own_bill, rate},
    read_folio::{FolioLookup, StayChoice, read_folio},
};
use crate::pages::card_name::{card_name, held};
use crate::{components::choices, labels::booking_status, pages::prelude::*};

/// Stay and folio; with several stays, a choice.
pub async fn folio_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let asked = read_folio(
        &request.ctx,
        &user,
        request.query_param("booking"),
        &request.here,
    )
    .await?;
    // What is to be known after a sign-in
    let flash = Flash::take(&*request.ctx.authenticator).await;
    let layout = |title| PageLayout::new(title).who(&user).flash(flash);
    Ok(match asked {
        FolioLookup::One(folio) => {
            let going = check_out_progress::check_out_in_progress(
                &request.ctx,
                &user,
                &folio.booking_number,
            )
            .await;
            layout(t!("your-bill")).guest(stay(&folio, going.as_ref()))
        }
        FolioLookup::Several(choices) => layout(t!("folio-stays")).guest(choose(choices)),
        FolioLookup::None => layout(t!("home-title")).guest(no_stay()),
    })
}

fn stay(folio: &Folio, going: Option<&GuestActivity>) -> AnyView {
    let number = folio.booking_number.clone();
    let inside = folio.booking_status == BookingStatus::CheckedIn;
    let check_out = page_url::with_booking("/guest/check-out", &number);
    let cards = folio
        .saved_cards
        .iter()
        .map(|card| view! { <li>{card_name(card)}</li> })
        .collect_view();
    let card_list = if folio.cards_unknown {
        view! { <p>{t!("folio-cards-unknown")}</p> }.into_any()
    } else if folio.saved_cards.is_empty() {
        view! { <p>{t!("folio-no-card")}</p> }.into_any()
    } else {
        view! { <ul class="cards">{cards}</ul> }.into_any()
    };
    let back = if inside {
        ("/guest", t!("back-to-stay"))
    } else {
        ("/guest/bookings", t!("folio-back-to-bookings"))
    };
    view! {
        <h1>{t!("room-number", number = folio.room_number.as_str())}</h1>
        <p class="lead">{date_range(folio.check_in_date, folio.check_out_date)}</p>
        <p class="aside">{t!("booking-number", number = number.as_str())} {labels::DOT} {booking_status(folio.booking_status.as_str())}</p>
        <section class="card" aria-labelledby="bill">
            <h2 id="bill">{t!("your-bill")}</h2>
            {own_bill(folio, true)}
            {(!has_taxes(folio)).then(|| view! { <p class="aside">{t!("folio-before-tax")}</p> })}
            {reserved(folio)}
        </section>
        {inside.then(|| view! {
            <section aria-labelledby="cards">
                <h2 id="cards">{t!("folio-cards")}</h2>
                {card_list}
            </section>
        })}
        {going.map(check_out_progress::progress_panel)}
        <p class="actions">
            {(inside && going.is_none()).then(|| view! { <a class="button" href=check_out>{t!("check-out")}</a> })}
            <a href=back.0>{back.1}</a>
        </p>
    }
    .into_any()
}

/// What the guest's card reserves for the stay.
fn reserved(folio: &Folio) -> Option<AnyView> {
    let (sum, card) = held(folio)?;
    let sum = labels::money(sum, folio.currency);
    Some(view! { <p>{t!("outcome-in-reserved", sum = sum, card = card)}</p> }.into_any())
}

/// Folio as a table; `act` may add an action to a line.
pub fn bill(folio: &Folio, act: impl Fn(&FolioLine) -> Option<AnyView>) -> AnyView {
    let label = match folio.balance {
        Some(Cents(..0)) => "Overpaid by",
        _ => "Balance",
    };
    let (_, balance) = labels::folio_balance(folio);
    let incomplete = folio.incomplete.clone().map(|problem| {
        view! { <p class="notice">{problem} " The balance is not known until Salesforce has it, so nothing can be charged."</p> }
    });
    let rows = folio
        .lines
        .iter()
        .map(|one| line(one, folio, act(one)))
        .collect_view();
    view! {
        {incomplete}
        <table class="bill">
            <thead>
                <tr>
                    <th scope="col">"What"</th>
                    <th scope="col">"When"</th>
                    <th scope="col" class="amount">"Amount"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
            <tfoot>
                <tr>
                    <th scope="row" colspan="2">{label}</th>
                    <td class="amount">{balance}</td>
                </tr>
            </tfoot>
        </table>
    }
    .into_any()
}

fn line(line: &FolioLine, folio: &Folio, beside: Option<AnyView>) -> impl IntoView + use<> {
    let words = line.description.clone();
    let words = words.filter(|words| line.kind == LineKind::Charge && !words.trim().is_empty());
    let what = words.unwrap_or_else(|| kind(line));
    let rate = line
        .amount
        .filter(|_| line.kind == LineKind::Room)
        .and_then(|amount| rate(amount, folio))
        .map(|rate| view! { ", " {rate} });
    let number = Some(line.number.clone())
        .filter(|number| !number.is_empty())
        .map(|number| view! { " " <small>{number}</small> });
    // Listed, but not part of the sum
    let counts = counts(line);
    let note = match &line.status {
        LineStatus::Other(word) => Some(word.clone()).filter(|word| !word.is_empty()),
        known => (!counts).then(|| known.as_str().to_lowercase()),
    };
    let note = note.map(|status| view! { " " <small>{format!("({status})")}</small> });
    let amount = amount(line, folio.currency);
    let amount = if counts {
        view! { <span>{amount}</span> }.into_any()
    } else {
        view! { <s>{amount}</s> }.into_any()
    };
    view! {
        <tr data-kind=line.kind.name()>
            <th scope="row">{what} {rate} {number} {note} {beside}</th>
            <td class="whole">{line.date.map(|date| locale().short_day(date))}</td>
            <td class="amount">{amount}</td>
        </tr>
    }
}

fn choose(stays: Vec<StayChoice>) -> AnyView {
    let items = stays.into_iter().map(|stay| stay.choice("/guest/folio"));
    view! {
        <h1>{t!("folio-several")}</h1>
        <p class="lead">{t!("folio-which")}</p>
        {choices(items)}
    }
    .into_any()
}

fn no_stay() -> AnyView {
    view! {
        <h1>{t!("folio-no-stay")}</h1>
        <p class="lead">{t!("folio-no-stay-text")}</p>
        <p class="actions">
            <a class="button" href="/guest">{t!("go-to-stay")}</a>
            <a href="/guest/bookings">{t!("see-bookings")}</a>
        </p>
    }
    .into_any()
}
