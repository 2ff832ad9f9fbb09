//! Receipt of a check-out or a refund; printable, at a stable URL.

use dewy_domain::{
    caller::Persona,
    money::{Cents, Currency},
    ports::SignedIn,
    view::ExecutionView,
};
use leptos::prelude::*;
use serde_json::{Value, json};

use super::{
    folio::{Folio, days},
    own_bill::own_bill,
    read::read,
    refund_dates::expected,
};
use crate::{
    hotel_time::HotelClock,
    labels,
    language::{rich, t},
    layout::PageLayout,
    page::{PageError, PageRequest, page},
    page_context::PageContext,
};

/// Receipt page.
#[component]
pub fn ReceiptPage() -> impl IntoView {
    let clock = HotelClock::here();
    page(move |visit: PageRequest| async move {
        let who = visit
            .ctx
            .require_persona(Persona::Guest, &visit.here)
            .await?;
        let execution = visit
            .ctx
            .watch
            .execution(&who.caller, &visit.id)
            .await
            .ok_or(PageError::NotFound)?;
        let data = execution
            .answer
            .as_ref()
            .and_then(|answer| answer.get("data"));
        let content = match data.filter(|_| execution.state == "completed" && paid_for(&execution))
        {
            Some(data) => {
                let folio = folio(&visit.ctx, &who, text(data, "booking_number")).await;
                let paper = paid(&who, &execution, data, folio.as_ref(), &clock);
                around(paper, data, &execution)
            }
            None => match given_back(&who, &execution, &clock) {
                Some(paper) => around(paper, &Value::Null, &execution),
                None => {
                    return Err(PageError::Redirect(format!(
                        "/guest/execution/{}",
                        visit.id
                    )));
                }
            },
        };
        Ok(PageLayout::new(t!("receipt")).who(&who).guest(content))
    })
}

fn paid_for(execution: &ExecutionView) -> bool {
    execution.tool == "process_guest_checkout"
}

fn text<'a>(data: &'a Value, name: &str) -> &'a str {
    data.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Lines of the bill; a receipt without them is better than none.
async fn folio(ctx: &PageContext, who: &SignedIn, booking: &str) -> Option<Folio> {
    if booking.is_empty() {
        return None;
    }
    let data = read(ctx, who, "get_folio", json!({ "booking_number": booking }))
        .await
        .ok()?;
    serde_json::from_value(data).ok()
}

/// `R-0042-7F3A2C`: booking number and the end of the reference, short enough to read over the
/// phone.
fn number(execution: &ExecutionView) -> String {
    let booking = execution
        .booking_number
        .as_deref()
        .unwrap_or_default()
        .trim_start_matches("BK-");
    let id = &execution.execution_id;
    let end = id
        .get(id.len().saturating_sub(6)..)
        .unwrap_or(id)
        .to_uppercase();
    ["R", booking, &end]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join("-")
}

fn facts(facts: Vec<(&'static str, String)>) -> impl IntoView {
    let facts = facts.into_iter().filter(|(_, value)| !value.is_empty());
    let facts = facts
        .map(|(name, value)| view! { <div><dt>{name}</dt> <dd>{value}</dd></div> })
        .collect_view();
    view! { <dl class="facts">{facts}</dl> }
}

/// Ids for questions to the bank or the front desk, on request.
fn references(ids: Vec<(&'static str, String)>) -> AnyView {
    view! {
        <details class="review">
            <summary>{t!("receipt-references")}</summary>
            {facts(ids)}
        </details>
    }
    .into_any()
}

fn paper(title: &'static str, execution: &ExecutionView, content: AnyView) -> AnyView {
    view! {
        <article class="receipt">
            <header>
                <h1>{title}</h1>
                <p class="aside">{rich("number", vec![("number", view! { <span class="whole">{number(execution)}</span> }.into_any())], &[])}</p>
            </header>
            {content}
            <p class="small">{crate::layout::hotel().line()} ". " {t!("receipt-thanks")}</p>
        </article>
    }
    .into_any()
}

fn paid(
    who: &SignedIn,
    execution: &ExecutionView,
    data: &Value,
    folio: Option<&Folio>,
    clock: &HotelClock,
) -> AnyView {
    let cents = data
        .get("amount")
        .and_then(Value::as_i64)
        .unwrap_or_default();
    let currency = text(data, "currency").parse().unwrap_or(Currency::USD);
    let stay = folio
        .map(|folio| days(&folio.check_in_date, &folio.check_out_date))
        .unwrap_or_default();
    let list = facts(vec![
        (t!("guest"), who.caller.email.clone()),
        (t!("stay"), stay),
        (t!("booking"), text(data, "booking_number").to_owned()),
        (t!("room"), text(data, "room_number").to_owned()),
        (
            t!("receipt-checked-out"),
            clock.moment(execution.updated_at),
        ),
    ]);
    let references = references(vec![
        (
            t!("bill-kind-payment"),
            text(data, "payment_intent_id").to_owned(),
        ),
        (t!("bill-kind-charge"), text(data, "charge_id").to_owned()),
        (t!("reference"), execution.execution_id.clone()),
    ]);
    let content = view! {
        <p class="paid">
            <span>{t!("bill-paid")}</span>
            <strong>{labels::money(Cents(cents), currency)}</strong>
        </p>
        {folio.map(|folio| own_bill(folio, false))}
        {list}
        {references}
    };
    paper(t!("receipt"), execution, content.into_any())
}

/// Charge that was refunded, without any other result.
fn given_back(who: &SignedIn, execution: &ExecutionView, clock: &HotelClock) -> Option<AnyView> {
    let money = execution
        .money
        .filter(|money| execution.at_rest && money.refunded > Cents(0))?;
    let at = execution
        .back
        .iter()
        .find(|step| step.name == "pay")
        .and_then(|step| step.at);
    let at = at.unwrap_or(execution.updated_at);
    let line = |word: &'static str, cents: Cents| {
        view! {
            <tr>
                <th scope="row">{word}</th>
                <td class="amount">{labels::money(cents, money.currency)}</td>
            </tr>
        }
    };
    let list = facts(vec![
        (t!("guest"), who.caller.email.clone()),
        (
            t!("booking"),
            execution.booking_number.clone().unwrap_or_default(),
        ),
        (
            t!("room"),
            execution.room_number.clone().unwrap_or_default(),
        ),
        (t!("receipt-charged"), clock.moment(execution.created_at)),
        (t!("bill-refunded"), clock.moment(at)),
    ]);
    let references = references(vec![(t!("reference"), execution.execution_id.clone())]);
    let content = view! {
        <p class="paid">
            <span>{t!("bill-refunded")}</span>
            <strong>{labels::money(money.refunded, money.currency)}</strong>
        </p>
        <table class="bill own">
            <caption class="unseen">{t!("receipt-both")}</caption>
            <tbody>
                {line(t!("bill-kind-payment"), money.captured)}
                {line(t!("bill-refund"), Cents(-money.refunded.0))}
            </tbody>
            <tfoot>{line(t!("net-charge"), money.net())}</tfoot>
        </table>
        <p class="line-note">{expected(&clock.day(at).to_string())}</p>
        {list}
        {references}
    };
    Some(paper(
        t!("receipt-refund-title"),
        execution,
        content.into_any(),
    ))
}

fn around(paper: AnyView, data: &Value, execution: &ExecutionView) -> AnyView {
    let stripe = Some(text(data, "receipt_url").to_owned());
    let stripe = stripe.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    let back = format!("/guest/execution/{}", execution.execution_id);
    view! {
        {paper}
        <p class="small no-print">{t!("receipt-print")}</p>
        <p class="actions no-print">
            {stripe.map(|url| view! { <a href=url rel="noreferrer">{t!("receipt-card")}</a> })}
            <a href=back>{t!("receipt-back")}</a>
        </p>
    }
    .into_any()
}
