//! Receipt as an email, in the language of whoever asks for it: the same facts, lines and sums as
//! its page.

use dewy_domain::ports::Email;

use super::{
    guest_bill::{BillLine, bill_lines, bill_sums},
    receipt::{Receipt, closing, paid},
};
use crate::{escape::escaped, labels::error_text, language::language, pages::prelude::*};

/// Style of a mail's cells; mail programs know no style sheets.
const CELL: &str = "padding:4px 16px 4px 0;vertical-align:top;text-align:left;font-weight:400";
const SUM: &str = "padding:4px 0;vertical-align:top;text-align:right;white-space:nowrap";

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
        closing: closing(receipt.folio.as_ref()),
    };
    Email {
        to: user.caller.email.to_string(),
        subject: format!("{}: {}", hotel.name, letter.title),
        text: letter.plain(),
        html: letter.marked_up(),
    }
}

/// Content of the email, in both of its forms.
struct EmailContent {
    hotel: String,
    title: String,
    facts: Vec<(&'static str, String)>,
    lines: Vec<BillLine>,
    sums: Vec<(String, String)>,
    closing: &'static str,
}

impl EmailContent {
    fn plain(&self) -> String {
        let facts: String = self
            .facts
            .iter()
            .map(|(name, value)| format!("{name}: {value}\n"))
            .collect();
        let lines: String = self
            .lines
            .iter()
            .map(|line| format!("{}  {}  {}\n", line.day, line.title, line.sum))
            .collect();
        let sums: String = self
            .sums
            .iter()
            .map(|(name, sum)| format!("{name}: {sum}\n"))
            .collect();
        let Self {
            hotel,
            title,
            closing,
            ..
        } = self;
        format!("{hotel}\n\n{title}\n\n{facts}\n{lines}\n{sums}\n{closing}\n")
    }

    fn marked_up(&self) -> String {
        let row = |cells: [&str; 3]| {
            let [first, second, last] = cells.map(escaped);
            format!(
                "<tr><td style=\"{CELL}\">{first}</td><td style=\"{CELL}\">{second}</td>\
                 <td style=\"{SUM}\">{last}</td></tr>"
            )
        };
        let facts: String = self
            .facts
            .iter()
            .map(|(name, value)| {
                format!(
                    "<tr><th scope=\"row\" style=\"{CELL};color:#5a584f\">{}</th><td style=\"{CELL}\">{}</td></tr>",
                    escaped(name),
                    escaped(value)
                )
            })
            .collect();
        let lines: String = self
            .lines
            .iter()
            .map(|line| row([&line.day, &line.title, &line.sum]))
            .collect();
        let sums: String = self
            .sums
            .iter()
            .map(|(name, sum)| row(["", name, sum]))
            .collect();
        format!(
            "<!DOCTYPE html><html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\
             <body style=\"font:16px/1.5 Georgia,serif;color:#23282a;background:#fffdf8;margin:0;padding:24px\">\
             <div style=\"max-width:560px;margin:0 auto\"><p>{}</p><h1 style=\"font-size:24px\">{title}</h1>\
             <table role=\"presentation\">{facts}</table>\
             <table style=\"width:100%;border-collapse:collapse;margin:24px 0;border-top:1px solid #dcd3c2\">{lines}{sums}</table>\
             <p>{}</p></div></body></html>\n",
            language().tag(),
            escaped(&self.hotel),
            escaped(self.closing),
            title = escaped(&self.title),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_and_text_parts_agree_and_escape_user_text() {
        let letter = EmailContent {
            hotel: "Dewy".to_owned(),
            title: "Receipt R-1".to_owned(),
            facts: vec![("Guest", "Beth <b>Gibbs".to_owned())],
            lines: vec![BillLine {
                day: "Fri, Nov 20".to_owned(),
                title: "Tea & cake".to_owned(),
                sum: "$12.00".to_owned(),
            }],
            sums: vec![("Paid".to_owned(), "-$12.00".to_owned())],
            closing: "Thanks.",
        };
        let (text, html) = (letter.plain(), letter.marked_up());
        for words in [
            "Dewy",
            "Receipt R-1",
            "Fri, Nov 20",
            "$12.00",
            "Paid",
            "Thanks.",
        ] {
            assert!(text.contains(words) && html.contains(words), "{words}");
        }
        assert!(text.contains("Beth <b>Gibbs") && text.contains("Tea & cake"));
        assert!(html.contains("Beth &lt;b&gt;Gibbs") && html.contains("Tea &amp; cake"));
    }
}
