//! Receipt as an email, in the language of whoever asks for it: the same facts, lines and sums as
//! its page.

use dewy_domain::ports::Email;

use super::{
    email_content::EmailContent,
    guest_bill::{bill_lines, bill_sums},
    receipt::{Receipt, closing, paid},
};
use crate::{labels::error_text, pages::prelude::*};

/// Sends the receipt to the guest's own address, unless that was done.
pub async fn email_receipt(form: FormSubmission) -> FormResult {
    let execution_id = form.raw("execution_id");
    let plain = execution_id
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let back = match plain {
        true => format!("/guest/receipt/{execution_id}"),
        false => "/guest".to_owned(),
    };
    let user = form.sender(Persona::Guest, &back).await?;
    let ctx = &form.ctx;
    let Some(receipt) = paid(ctx, &user, execution_id).await else {
        return Ok(back);
    };
    let email = email(&user, &receipt, &HotelClock::here());
    let feed = &ctx.execution_feed;
    // The page says what became of it
    if let Err(code) = feed.email_receipt(&user.caller, execution_id, email).await {
        let flash = Flash::new(error_text(code, Persona::Guest));
        flash.put(&*ctx.authenticator).await;
    }
    Ok(back)
}

pub(super) fn email(user: &SignedIn, receipt: &Receipt, clock: &HotelClock) -> Email {
    let hotel = hotel();
    let (lines, sums) = match &receipt.folio {
        Some(folio) => (bill_lines(folio), bill_sums(folio)),
        None => (
            Vec::new(),
            vec![(t!("bill-paid").to_owned(), receipt.amount())],
        ),
    };
    let letter = EmailContent {
        hotel: hotel.line(),
        title: format!("{} {}", t!("receipt"), receipt.number()),
        facts: receipt.facts(user, clock),
        lines,
        sums,
        links: Vec::new(),
        closing: closing(receipt.folio.as_ref()).to_owned(),
    };
    letter.email(user, None)
}
