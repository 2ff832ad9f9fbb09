//! Evidence as a page that needs nothing else: it can be read without a network, and holds the same
//! data for programs.

use dewy_app::escaped;
use dewy_domain::{
    evidence::{Evidence, EvidenceRequest},
    locale::Locale,
    money::{Cents, Currency, Money},
};
use jiff::Timestamp;
use serde_json::Value;

const STYLE: &str = "\
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.15rem;margin-top:2.5rem}table{border-collapse:collapse;width:100%}\
th,td{text-align:start;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8884;overflow-wrap:anywhere}\
th{font-weight:600}td.n,th.n{text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums}\
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:.6rem}code,pre{font-size:.85em}\
.time{white-space:nowrap;font-variant-numeric:tabular-nums}small{opacity:.75}summary{cursor:pointer;padding:.3rem 0}\
@media print{body{margin:0}details{break-inside:avoid}}";

const CHECK: &str = "Each journal row has a SHA-256 digest over the execution's id (16 bytes), the digest of the row before \
(as text), its number and its time in microseconds (8 bytes each, big-endian), and its event (as text). So no row can be changed, \
added, or left out without changing every digest after it. Each change of state is chained in the same way to the rows. The \
digests are kept in the hotel's database, with checkpoints over all executions. This file holds all rows, also for programs.";

/// The page; `json`: the same evidence for programs.
pub fn page(evidence: &Evidence, json: &str) -> String {
    let e = evidence;
    let title = format!("{}: {}", e.title, e.execution_id);
    let optional = |name: &str, value: Option<String>| value.map(|value| fact(name, &value));
    let facts = [
        optional("Guest", e.guest_email.as_ref().map(ToString::to_string)),
        optional(
            "Booking",
            e.booking_number.as_ref().map(ToString::to_string),
        ),
        optional("Room", e.room_number.as_ref().map(ToString::to_string)),
        optional("Asked by", e.asked_by.clone()),
        optional(
            "Compensation asked for by",
            Some(e.triggers.join(", ")).filter(|by| !by.is_empty()),
        ),
        Some(fact("Accepted", &moment(e.created_at))),
        Some(fact("Last change", &moment(e.updated_at))),
        Some(fact("State", e.state.as_str())),
        Some(fact(
            "This file",
            &format!("made by {} at {}", e.made_by, moment(e.made_at)),
        )),
    ];
    let facts: String = facts.into_iter().flatten().collect();
    let ids: String = e.ids.iter().map(|(kind, id)| fact(kind, id)).collect();
    let rows: String = e
        .journal
        .iter()
        .map(|row| line(&[&cell("time", &moment(row.at)), &cell("", &row.title)]))
        .collect();
    let requests: String = e.requests.iter().map(request).collect();
    let chain: String = e
        .journal
        .iter()
        .map(|row| {
            line(&[
                &cell("n", &row.seq.to_string()),
                &format!(
                    "<td><code>{}</code>{}</td>",
                    escaped(&row.digest),
                    if row.withheld {
                        " <small>a secret is withheld</small>"
                    } else {
                        ""
                    }
                ),
            ])
        })
        .collect();
    let changes: String = e
        .audit
        .iter()
        .map(|row| {
            line(&[
                &cell("n", &row.seq.to_string()),
                &cell("", &row.to),
                &format!("<td><code>{}</code></td>", escaped(&row.hash)),
            ])
        })
        .collect();
    [
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">",
        &format!("<title>{}</title><style>{STYLE}</style></head>\n<body>", escaped(&title)),
        &format!("<h1>{}</h1>\n<p>{}. {}</p>\n", escaped(&e.title), escaped(&e.hotel), escaped(&e.summary)),
        &table(&facts),
        &money(e),
        &format!("<h2>What was asked</h2>\n{}", pre(&e.asked)),
        &format!("<h2>What happened</h2>\n{}", table(&rows)),
        &format!("<h2>What was sent, and what was answered</h2>\n{requests}"),
        &e.answered.as_ref().map(|answer| format!("<h2>What the caller was told</h2>\n{}", pre(answer))).unwrap_or_default(),
        &format!("<h2>Ids in the outside systems</h2>\n{}", table(&ids)),
        &format!("<h2>Hash chains</h2>\n<p>{}</p>\n", escaped(CHECK)),
        &format!("<details><summary>Digests of the journal</summary>{}</details>\n", table(&chain)),
        &format!("<details><summary>Changes of state</summary>{}</details>\n", table(&changes)),
        // Inside of a script nothing but its end is markup
        &format!("<script type=\"application/json\" id=\"evidence\">{}</script>\n", json.replace('<', "\\u003c")),
        "</body>\n</html>\n",
    ]
    .concat()
}

fn money(evidence: &Evidence) -> String {
    let Some(sums) = evidence.sums else {
        return "<h2>Money</h2>\n<p>No money has moved.</p>\n".to_owned();
    };
    let row = |name: &str, cents| {
        let amount = amount(cents, sums.currency);
        line(&[
            &format!("<th scope=\"row\">{name}</th>"),
            &cell("n", &amount),
        ])
    };
    let rows = [
        row("Charged", sums.charged),
        row("Given back", sums.refunded),
        row("Kept", sums.kept),
    ];
    format!("<h2>Money</h2>\n{}", table(&rows.concat()))
}

fn request(request: &EvidenceRequest) -> String {
    let key = request.key.as_ref().map_or_else(String::new, |key| {
        format!("<p>Idempotency key <code>{}</code></p>", escaped(key))
    });
    let answers = request.answers.iter().map(|answer| {
        let how = if answer.looked_up {
            "Looked up"
        } else {
            "Answered"
        };
        format!(
            "<p>{how} {}</p>{}",
            escaped(&moment(answer.at)),
            pre(&answer.outcome)
        )
    });
    format!(
        "<details><summary>{} <small>{} {} {}, {}</small></summary>{key}<pre>{}</pre>{}</details>\n",
        escaped(&request.title),
        escaped(&request.system),
        escaped(&request.method),
        escaped(&request.path),
        escaped(&moment(request.at)),
        escaped(&request.body),
        answers.collect::<String>(),
    )
}

fn amount(cents: Cents, currency: Currency) -> String {
    Locale::default().money(Money { cents, currency })
}

/// Time in UTC, to the millisecond: readers outside don't know the hotel's time.
fn moment(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S%.3f UTC").to_string()
}

fn fact(name: &str, value: &str) -> String {
    line(&[
        &format!("<th scope=\"row\">{}</th>", escaped(name)),
        &cell("", value),
    ])
}

fn line(cells: &[&str]) -> String {
    format!("<tr>{}</tr>\n", cells.concat())
}

fn cell(class: &str, text: &str) -> String {
    match class {
        "" => format!("<td>{}</td>", escaped(text)),
        class => format!("<td class=\"{class}\">{}</td>", escaped(text)),
    }
}

fn table(rows: &str) -> String {
    format!("<table><tbody>\n{rows}</tbody></table>\n")
}

fn pre(value: &Value) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    format!("<pre>{}</pre>\n", escaped(&text))
}
