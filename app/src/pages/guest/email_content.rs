//! Content of an email to a guest, as plain text and as HTML: both say the same.

use dewy_domain::ports::Email;

use super::guest_bill::BillLine;
use crate::{escape::escaped, language::language, pages::prelude::*};

/// Style of a mail's cells; mail programs know no style sheets.
const CELL: &str = "padding:4px 16px 4px 0;vertical-align:top;text-align:left;font-weight:400";
const SUM: &str = "padding:4px 0;vertical-align:top;text-align:right;white-space:nowrap";

/// Content of the email, in both of its forms.
pub(super) struct EmailContent {
    /// Name, address and phone of the hotel.
    pub hotel: String,
    pub title: String,
    pub facts: Vec<(&'static str, String)>,
    pub lines: Vec<BillLine>,
    pub sums: Vec<(String, String)>,
    /// Labels and addresses of pages.
    pub links: Vec<(&'static str, String)>,
    pub closing: String,
}

impl EmailContent {
    /// The email to this guest, with an event for their calendar.
    pub fn email(&self, user: &SignedIn, calendar: Option<String>) -> Email {
        Email {
            to: user.caller.email.to_string(),
            subject: format!("{}: {}", hotel().name, self.title),
            text: self.plain(),
            html: self.marked_up(),
            calendar,
        }
    }

    fn plain(&self) -> String {
        let lines: String = self
            .lines
            .iter()
            .map(|line| format!("{}  {}  {}\n", line.day, line.title, line.sum))
            .collect();
        let Self {
            hotel,
            title,
            closing,
            ..
        } = self;
        let parts = [
            named(&self.facts),
            lines,
            named(&self.sums),
            named(&self.links),
        ];
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let parts: String = parts.map(|part| format!("{part}\n")).collect();
        format!("{hotel}\n\n{title}\n\n{parts}{closing}\n")
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
        let links: String = self
            .links
            .iter()
            .map(|(name, link)| {
                let (name, link) = (escaped(name), escaped(link));
                format!("<p><a href=\"{link}\" style=\"color:#1f5a4c\">{name}</a></p>")
            })
            .collect();
        format!(
            "<!DOCTYPE html><html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\
             <body style=\"font:16px/1.5 Georgia,serif;color:#23282a;background:#fffdf8;margin:0;padding:24px\">\
             <div style=\"max-width:560px;margin:0 auto\"><p>{}</p><h1 style=\"font-size:24px\">{title}</h1>\
             <table role=\"presentation\">{facts}</table>\
             <table style=\"width:100%;border-collapse:collapse;margin:24px 0;border-top:1px solid #dcd3c2\">{lines}{sums}</table>{links}\
             <p>{}</p></div></body></html>\n",
            language().tag(),
            escaped(&self.hotel),
            escaped(&self.closing),
            title = escaped(&self.title),
        )
    }
}

/// A line for each pair.
fn named(pairs: &[(impl AsRef<str>, String)]) -> String {
    let lines = pairs.iter();
    lines
        .map(|(name, value)| format!("{}: {value}\n", name.as_ref()))
        .collect()
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
            sums: vec![("Paid".to_owned(), "−$12.00".to_owned())],
            links: vec![("Manage", "https://hotel.example/booking/a?b&c".to_owned())],
            closing: "Thanks.".to_owned(),
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
        assert!(text.contains("Manage: https://hotel.example/booking/a?b&c"));
        assert!(html.contains("href=\"https://hotel.example/booking/a?b&amp;c\""));
        assert!(text.contains("Beth <b>Gibbs") && text.contains("Tea & cake"));
        assert!(html.contains("Beth &lt;b&gt;Gibbs") && html.contains("Tea &amp; cake"));
    }
}
