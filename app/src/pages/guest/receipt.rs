//! Receipt of a check-out or a refund; printable, at a stable URL.

use dewy_domain::{
    ports::EmailStatus,
    tool_catalog::{GetFolio, returns},
    tool_output::{CheckOutResult, Folio},
};
use leptos::nonce::use_nonce;

use super::{
    guest_bill::{has_taxes, own_bill},
    refund_dates::expected,
};
use crate::pages::card_name::card_of;
use crate::pages::{prelude::*, read_tools::read};

/// Shows the button that prints, which is of no use without scripts.
const PRINT: &str =
    "document.querySelectorAll('[data-print]').forEach(b=>{b.hidden=false;b.onclick=()=>print()})";

pub async fn receipt_page(request: PageRequest) -> PageResult {
    let clock = HotelClock::here();
    let user = request.signed_in(Persona::Guest).await?;
    let content = match paid(&request.ctx, &user, &request.id).await {
        Some(receipt) => {
            let email = email_status(&request.ctx, &user, &request.id).await;
            shown(&user, &receipt, email, &clock)
        }
        None => {
            let execution = request
                .ctx
                .execution(&user.caller, &request.id)
                .await
                .ok_or(PageError::NotFound)?;
            let paper = given_back(&user, &execution, &clock)
                .ok_or_else(|| PageError::Redirect(format!("/guest/execution/{}", request.id)))?;
            page_around_receipt(paper, None, None, &execution)
        }
    };
    let flash = Flash::take(&*request.ctx.authenticator).await;
    Ok(PageLayout::new(t!("receipt"))
        .who(&user)
        .flash(flash)
        .guest(content))
}

/// What became of the email with the receipt, with a button while none was sent; nothing without a
/// mail server.
async fn email_status(ctx: &PageContext, user: &SignedIn, execution: &str) -> Option<AnyView> {
    let address = masked(&user.caller.email);
    let email = address.as_str();
    let (words, ask) = match ctx
        .execution_feed
        .email_status(&user.caller, execution)
        .await
    {
        EmailStatus::Off => return None,
        EmailStatus::Unsent => (None, true),
        EmailStatus::OnItsWay => (Some(t!("receipt-emailed", email = email)), false),
        EmailStatus::Sent => (Some(t!("receipt-email-sent", email = email)), false),
        EmailStatus::Refused => (Some(t!("receipt-email-refused", email = email)), true),
    };
    let words = words.map(|words| view! { <p class="small no-print" role="status">{words}</p> });
    let button = ask.then(|| {
        view! {
            <form method="post" action="/form/email_receipt" class="other no-print">
                <input type="hidden" name="execution_id" value=execution.to_owned() />
                <button class="quiet">{t!("receipt-email")}</button>
            </form>
        }
    });
    Some(view! { {words} {button} }.into_any())
}

/// `b…@example.com`.
pub(super) fn masked(email: &str) -> String {
    match (email.chars().next(), email.split_once('@')) {
        (Some(first), Some((_, domain))) => format!("{first}…@{domain}"),
        _ => "…".to_owned(),
    }
}

/// A check-out that was paid for.
pub(super) struct Receipt {
    execution: ExecutionView,
    result: CheckOutResult,
    /// Lines of the bill; a receipt without them is better than none.
    pub folio: Option<Folio>,
}

/// This check-out, if it is finished, and the guest's own.
pub(super) async fn paid(ctx: &PageContext, user: &SignedIn, id: &str) -> Option<Receipt> {
    let execution = ctx.execution(&user.caller, id).await?;
    let mut receipt = Receipt::of(execution)?;
    receipt.folio = folio(ctx, user, receipt.booking()).await;
    Some(receipt)
}

impl Receipt {
    /// Receipt without its lines, if this is a finished check-out.
    pub fn of(execution: ExecutionView) -> Option<Self> {
        let paid_for = returns::<CheckOutResult>(&execution.tool)
            && execution.state == ExecutionState::Completed;
        let result = execution.body().result()?;
        paid_for.then_some(Self {
            execution,
            result,
            folio: None,
        })
    }

    pub fn booking(&self) -> &str {
        self.result.booking_number.as_deref().unwrap_or_default()
    }

    pub fn number(&self) -> String {
        number(&self.execution)
    }

    pub fn amount(&self) -> String {
        let currency = self.result.currency.unwrap_or(Currency::USD);
        labels::money(self.result.amount, currency)
    }

    /// What of a reservation was not charged: `$150.00 of the $400.00 reserved`.
    fn released(&self) -> String {
        let result = &self.result;
        let currency = result.currency.unwrap_or(Currency::USD);
        let money = |sum| labels::money(sum, currency);
        let both = result.released.filter(|sum| sum.0 > 0).zip(result.reserved);
        both.map_or_else(String::new, |(released, reserved)| {
            t!(
                "receipt-released-of",
                released = money(released),
                reserved = money(reserved)
            )
        })
    }

    /// Guest, stay, and payment.
    pub fn facts(&self, user: &SignedIn, clock: &HotelClock) -> Vec<(&'static str, String)> {
        let folio = self.folio.as_ref();
        let stay = folio.map(stay).unwrap_or_default();
        let brand = self.result.card_brand.as_deref().unwrap_or_default();
        let last4 = self.result.card_last4.as_deref();
        let card = last4.map_or_else(String::new, |last4| card_of(brand, last4));
        let facts = vec![
            (t!("guest"), guest(user)),
            (t!("stay"), stay),
            (t!("booking"), self.booking().to_owned()),
            (t!("room"), text_of(self.result.room_number.as_deref())),
            (
                t!("status-checked-out"),
                moment(clock, self.execution.updated_at),
            ),
            (t!("receipt-paid-with"), card),
            (t!("receipt-released"), self.released()),
            (
                t!("receipt-tax-number"),
                hotel().tax_number.clone().unwrap_or_default(),
            ),
        ];
        facts
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .collect()
    }
}

fn text_of(number: Option<&str>) -> String {
    number.unwrap_or_default().to_owned()
}

/// `Beth Gibbs, beth.gibbs@email.com`.
fn guest(user: &SignedIn) -> String {
    let name = format!("{} {}", user.first_name, user.last_name);
    match name.trim() {
        "" => user.caller.email.to_string(),
        name => format!("{name}, {}", user.caller.email),
    }
}

/// `Wed, Nov 18 to Fri, Nov 20, 2026, 2 nights`.
fn stay(folio: &Folio) -> String {
    let (from, to) = (folio.check_in_date, folio.check_out_date);
    let nights = t!("nights", count = (to - from).get_days());
    format!("{}, {nights}", date_range(from, to))
}

/// Last line: whether taxes are on the bill.
pub(super) fn closing(folio: Option<&Folio>) -> &'static str {
    if folio.is_some_and(has_taxes) {
        t!("receipt-thanks-taxed")
    } else {
        t!("receipt-thanks")
    }
}

async fn folio(ctx: &PageContext, user: &SignedIn, booking: &str) -> Option<Folio> {
    if booking.is_empty() {
        return None;
    }
    let input = json!({ "booking_number": booking });
    read::<GetFolio>(ctx, user, input).await.ok()
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

fn known(facts: Vec<(&'static str, String)>) -> AnyView {
    let known = facts.into_iter().filter(|(_, value)| !value.is_empty());
    crate::components::facts("facts", known)
}

/// Ids for questions to the bank or the front desk, on request.
fn references(ids: Vec<(&'static str, String)>) -> AnyView {
    view! {
        <details class="review">
            <summary>{t!("receipt-references")}</summary>
            {known(ids)}
        </details>
    }
    .into_any()
}

fn receipt_frame(
    title: &'static str,
    execution: &ExecutionView,
    closing: &'static str,
    content: AnyView,
) -> AnyView {
    view! {
        <article class="receipt">
            <header>
                <h1>{title}</h1>
                <p>{hotel().line()}</p>
                <p class="aside">{rich("number", vec![("number", view! { <span class="whole">{number(execution)}</span> }.into_any())], &[])}</p>
            </header>
            {content}
            <p class="small">{closing}</p>
        </article>
    }
    .into_any()
}

fn shown(
    user: &SignedIn,
    receipt: &Receipt,
    email: Option<AnyView>,
    clock: &HotelClock,
) -> AnyView {
    let (execution, result) = (&receipt.execution, &receipt.result);
    let payment = result.payment_intent_id.as_ref();
    let references = references(vec![
        (
            t!("bill-kind-payment"),
            payment.map(ToString::to_string).unwrap_or_default(),
        ),
        (
            t!("bill-kind-charge"),
            result.charge_id.clone().unwrap_or_default(),
        ),
        (t!("reference"), execution.execution_id.clone()),
    ]);
    let content = view! {
        <p class="paid">
            <span>{t!("receipt-paid")}</span>
            <strong>{receipt.amount()}</strong>
        </p>
        {receipt.folio.as_ref().map(|folio| own_bill(folio, false))}
        {known(receipt.facts(user, clock))}
        {references}
    };
    let closing = closing(receipt.folio.as_ref());
    let paper = receipt_frame(t!("receipt"), execution, closing, content.into_any());
    let stripe = result.receipt_url.clone();
    let stripe = stripe.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    page_around_receipt(paper, email, stripe, execution)
}

/// Charge that was refunded, without any other result.
fn given_back(user: &SignedIn, execution: &ExecutionView, clock: &HotelClock) -> Option<AnyView> {
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
    let list = known(vec![
        (t!("guest"), guest(user)),
        (t!("booking"), text_of(execution.booking_number.as_deref())),
        (t!("room"), text_of(execution.room_number.as_deref())),
        (t!("receipt-charged"), moment(clock, execution.created_at)),
        (t!("bill-refunded"), moment(clock, at)),
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
                {line(t!("bill-refund"), money.refunded)}
            </tbody>
            <tfoot>{line(t!("net-charge"), money.net())}</tfoot>
        </table>
        <p class="line-note">{expected(clock.day(at))}</p>
        {list}
        {references}
    };
    Some(receipt_frame(
        t!("receipt-refund-title"),
        execution,
        closing(None),
        content.into_any(),
    ))
}

fn page_around_receipt(
    paper: AnyView,
    email: Option<AnyView>,
    stripe: Option<String>,
    execution: &ExecutionView,
) -> AnyView {
    let back = format!("/guest/execution/{}", execution.execution_id);
    view! {
        {paper}
        <p class="small no-print">{t!("receipt-print")}</p>
        {email}
        <p class="actions no-print">
            <button type="button" class="quiet" data-print="" hidden>{t!("print")}</button>
            {stripe.map(|url| view! { <a href=url rel="noreferrer">{t!("receipt-card")}</a> })}
            <a href=back>{t!("receipt-back")}</a>
        </p>
        <script nonce=use_nonce() inner_html=PRINT></script>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_email_address_is_masked() {
        assert_eq!(masked("beth.gibbs@email.com"), "b…@email.com");
        assert_eq!(masked("no address"), "…");
    }
}
