//! Bill for guests: day by day, then lines that don't count, then the balance.

use std::collections::BTreeMap;

use dewy_domain::{
    stay::LineKind,
    tool_output::{Folio, FolioLine},
    vocabulary::LineStatus,
};

use super::{bill_tax::tax, refund_dates::expected};
use crate::pages::prelude::*;

/// Bill; with `question`, each line has a link to ask about it.
pub fn own_bill(folio: &Folio, question: bool) -> AnyView {
    let currency = folio.currency;
    let (counted, apart): (Vec<_>, Vec<_>) = folio.lines.iter().partition(|line| counts(line));
    let days = by_day(&counted).into_iter().map(|(day, lines)| {
        let rows = lines
            .into_iter()
            .map(|line| row(line, folio, question))
            .collect_view();
        view! {
            <tbody>
                <tr class="bill-day">
                    <th scope="rowgroup" colspan="2">{heading(day)}</th>
                </tr>
                {rows}
            </tbody>
        }
    });
    let (balance_label, balance) = labels::folio_balance(folio);
    let incomplete = folio.incomplete.is_some();
    let incomplete = incomplete.then(|| view! { <p class="notice">{t!("bill-incomplete")}</p> });
    let sums = sums(&counted, currency).into_iter().map(|(word, sum)| {
        view! {
            <tr>
                <th scope="row">{word}</th>
                <td class="amount">{sum}</td>
            </tr>
        }
    });
    view! {
        {incomplete}
        <table class="bill own">
            <thead>
                <tr>
                    <th scope="col">{t!("bill-what")}</th>
                    <th scope="col" class="amount">{t!("bill-amount")}</th>
                </tr>
            </thead>
            {days.collect_view()}
            <tfoot>
                {sums.collect_view()}
                <tr class="balance">
                    <th scope="row">{balance_label}</th>
                    <td class="amount">{balance}</td>
                </tr>
            </tfoot>
        </table>
        {excluded_lines(&apart, currency)}
    }
    .into_any()
}

/// Line of the bill as text, for an email.
pub(super) struct BillLine {
    /// `Fri, Nov 20`.
    pub day: String,
    pub title: String,
    /// `$12.00`.
    pub sum: String,
}

/// Lines that are part of the sum.
pub(super) fn bill_lines(folio: &Folio) -> Vec<BillLine> {
    let counted: Vec<_> = folio.lines.iter().filter(|line| counts(line)).collect();
    let mut shown = Vec::new();
    for (day, lines) in by_day(&counted) {
        shown.extend(lines.into_iter().map(|line| BillLine {
            day: heading(day),
            title: title(line, folio),
            sum: amount(line, folio.currency),
        }));
    }
    shown
}

/// Sums, taxes among them, and the balance.
pub(super) fn bill_sums(folio: &Folio) -> Vec<(String, String)> {
    let counted: Vec<_> = folio.lines.iter().filter(|line| counts(line)).collect();
    let (label, balance) = labels::folio_balance(folio);
    sums(&counted, folio.currency)
        .into_iter()
        .chain([(label.to_owned(), balance)])
        .collect()
}

pub(super) fn has_taxes(folio: &Folio) -> bool {
    let mut lines = folio.lines.iter();
    lines.any(|line| counts(line) && tax(line, &hotel().taxes).is_some())
}

/// Charges, each tax, what was paid, and what was refunded, as far as there is any.
fn sums(counted: &[&FolioLine], currency: Currency) -> Vec<(String, String)> {
    let hotel = hotel();
    let taxes = &hotel.taxes;
    let (taxed, net): (Vec<&FolioLine>, Vec<&FolioLine>) =
        counted.iter().partition(|line| tax(line, taxes).is_some());
    let of = |name: &String| {
        let same: Vec<_> = taxed
            .iter()
            .copied()
            .filter(|line| tax(line, taxes) == Some(name))
            .collect();
        (name.clone(), sum(&same, &[LineKind::Charge]))
    };
    let charges = sum(&net, &[LineKind::Room, LineKind::Charge, LineKind::Other]);
    let paid = sum(counted, &[LineKind::Payment]);
    let refund = sum(counted, &[LineKind::Refund]);
    [(t!("bill-charges").to_owned(), charges)]
        .into_iter()
        .chain(taxes.iter().map(of))
        .chain([
            (t!("bill-paid").to_owned(), paid),
            (t!("bill-refunded").to_owned(), refund),
        ])
        .filter_map(|(name, sum)| Some((name, labels::money(sum?, currency))))
        .collect()
}

/// Whether a line is part of the sum.
pub(super) fn counts(line: &FolioLine) -> bool {
    match (line.kind, &line.status) {
        (LineKind::Payment, status) => *status == LineStatus::Completed,
        (LineKind::Refund, status) => {
            matches!(status, LineStatus::Completed | LineStatus::Pending)
        }
        (_, status) => !matches!(status, LineStatus::Cancelled | LineStatus::Failed),
    }
}

/// Reason why it isn't; a status that only the org knows is its own word.
fn exclusion_reason(line: &FolioLine) -> &str {
    match (line.kind, &line.status) {
        (_, LineStatus::Other(word)) if !word.is_empty() => word,
        (_, LineStatus::Cancelled) => t!("bill-canceled"),
        (_, LineStatus::Failed) => t!("bill-failed"),
        (LineKind::Payment, _) => t!("bill-held"),
        _ => t!("bill-not-yet"),
    }
}

fn title(line: &FolioLine, folio: &Folio) -> String {
    let words = line
        .description
        .as_deref()
        .map(str::trim)
        .filter(|words| !words.is_empty());
    match (line.kind, words) {
        (LineKind::Room, words) => {
            let room = t!("room-number", number = folio.room_number.as_str());
            let room = words.map_or(room, str::to_owned);
            let rate = line.amount.and_then(|amount| rate(amount, folio));
            rate.map_or_else(|| room.clone(), |rate| format!("{room}, {rate}"))
        }
        // Its amount has no sign, so it says what it is
        (LineKind::Payment, Some(words)) => format!("{}: {words}", t!("bill-kind-payment")),
        (_, Some(words)) => words.to_owned(),
        (LineKind::Charge, None) => t!("bill-kind-charge").to_owned(),
        (LineKind::Payment, None) => t!("bill-kind-payment").to_owned(),
        (LineKind::Refund, None) => t!("bill-refund").to_owned(),
        (LineKind::Other, None) => kind(line),
    }
}

/// `2 nights at $125.00`; the nights alone if they have no common rate. The room line of a bill that
/// bookings share is for all of them.
pub(super) fn rate(amount: Cents, folio: &Folio) -> Option<String> {
    let count = i64::from((folio.check_out_date - folio.check_in_date).get_days());
    if count < 1 || !folio.shares_bill_with.is_empty() {
        return None;
    }
    let nights = labels::nights(count);
    if amount.0 < 1 || amount.0 % count != 0 {
        return Some(nights);
    }
    let rate = labels::money(Cents(amount.0 / count), folio.currency);
    Some(t!("offer-sum", nights = nights, rate = rate))
}

/// Amount with the sign of what it adds to the balance; one that does not count has none.
pub(super) fn amount(line: &FolioLine, currency: Currency) -> String {
    let sign = match counts(line) && line.kind == LineKind::Payment {
        true => -1,
        false => 1,
    };
    let sum = line
        .amount
        .map(|amount| labels::money(Cents(sign * amount.0), currency));
    sum.unwrap_or_else(|| t!("bill-unknown").to_owned())
}

/// What lines of these kinds add to the balance; `None` if there are none.
fn sum(lines: &[&FolioLine], kinds: &[LineKind]) -> Option<Cents> {
    let lines = lines.iter().filter(|line| kinds.contains(&line.kind));
    lines.map(|line| line.owed()).reduce(|sum, one| sum + one)
}

/// Lines by date; lines without a date come first.
fn by_day<'a>(lines: &[&'a FolioLine]) -> BTreeMap<Option<Date>, Vec<&'a FolioLine>> {
    let mut days: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for line in lines {
        days.entry(line.date).or_default().push(*line);
    }
    days
}

/// `Fri, Nov 20`; empty above lines without a date.
fn heading(day: Option<Date>) -> String {
    day.map(|day| locale().short_day(day)).unwrap_or_default()
}

fn row(line: &FolioLine, folio: &Folio, question: bool) -> AnyView {
    let title = title(line, folio);
    let sum = amount(line, folio.currency);
    let number = Some(line.number.clone()).filter(|number| !number.is_empty());
    let small = number
        .clone()
        .map(|number| view! { " " <small>{number}</small> });
    let back = (line.kind == LineKind::Refund)
        .then(|| line.date.and_then(expected))
        .flatten();
    let back = back.map(|words| view! { <p class="line-note">{words}</p> });
    let ask = question.then(|| {
        let number = number.map(|number| format!(" ({number})")).unwrap_or_default();
        let text = t!("bill-question", booking = folio.booking_number.as_str(), line = format!("{title}{number}"), sum = sum.as_str());
        let href = page_url::with_query("/guest/requests", [("ask", "question"), ("text", &text)]);
        view! {
            <a class="line-ask" href=format!("{href}#ask")>
                {t!("bill-wrong")} <span class="unseen">" " {t!("bill-wrong-with", line = title.as_str(), sum = sum.as_str())}</span>
            </a>
        }
    });
    view! {
        <tr data-kind=line.kind.name()>
            <th scope="row">{title.clone()} {small} {back} {ask}</th>
            <td class="amount">{sum.clone()}</td>
        </tr>
    }
    .into_any()
}

/// Name of a line's kind; one that we don't know has the org's own word.
pub(super) fn kind(line: &FolioLine) -> String {
    let name = line.kind.name();
    if let Some(word) = line.org_type.as_ref().filter(|word| !word.is_empty()) {
        return word.clone();
    }
    named("bill-kind", &labels::capital(name))
}

/// Lines that are not part of the sum.
fn excluded_lines(lines: &[&FolioLine], currency: Currency) -> AnyView {
    if lines.is_empty() {
        return ().into_any();
    }
    let items = lines.iter().map(|line| {
        let number = line.number.clone();
        let what = kind(line);
        view! { <li>{what} " " {number} ", " {amount(line, currency)} " (" {exclusion_reason(line)} ")"</li> }
    });
    view! {
        <div class="apart">
            <h3>{t!("bill-apart")}</h3>
            <ul>{items.collect_view()}</ul>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use serde_json::json;

    fn line(kind: &str, status: &str, cents: i64, date: &str) -> FolioLine {
        serde_json::from_value(
            json!({ "kind": kind, "number": "", "amount": cents, "status": status, "date": date.parse::<Date>().ok() }),
        )
        .unwrap()
    }

    #[test]
    fn only_open_lines_count_toward_the_bill() {
        for (kind, status, is) in [
            ("room", "", true),
            ("charge", "Pending", true),
            ("charge", "Cancelled", false),
            ("payment", "Completed", true),
            ("payment", "Pending", false),
            ("payment", "Failed", false),
            ("refund", "Pending", true),
            ("refund", "Failed", false),
            ("payment", "Authorized", false),
            ("charge", "Posted", true),
            ("other", "", true),
            ("other", "Cancelled", false),
        ] {
            assert_eq!(counts(&line(kind, status, 1, "")), is, "{kind} {status}");
        }
        assert_eq!(
            exclusion_reason(&line("payment", "Pending", 1, "")),
            "held on your card, not taken"
        );
        assert_eq!(
            exclusion_reason(&line("payment", "Authorized", 1, "")),
            "Authorized"
        );
    }

    #[test]
    fn a_negative_line_and_a_voided_one_reduce_the_charges() {
        let of = |lines: &[FolioLine]| {
            let counted: Vec<_> = lines.iter().filter(|line| counts(line)).collect();
            let sums = sums(&counted, Currency::USD).into_iter();
            sums.map(|(_, sum)| sum).collect::<Vec<_>>()
        };
        let mut lines = vec![
            line("room", "", 25_000, ""),
            line("charge", "Pending", 6_000, ""),
            line("charge", "Pending", -4_000, ""),
            line("payment", "Completed", 27_000, ""),
        ];
        assert_eq!(of(&lines), ["$270.00", "−$270.00"]);
        lines[1].status = LineStatus::Cancelled;
        assert_eq!(of(&lines), ["$210.00", "−$270.00"]);
        // A full correction, and a payment that was taken back in the org
        lines.push(line("charge", "Pending", -21_000, ""));
        lines.push(line("payment", "Completed", -27_000, ""));
        assert_eq!(of(&lines), ["$0.00", "$0.00"]);
    }

    #[test]
    fn what_was_paid_has_a_minus_sign() {
        let paid = line("payment", "Completed", 25_000, "");
        let back = line("refund", "Completed", 25_000, "");
        let held = line("payment", "Pending", 25_000, "");
        assert_eq!(amount(&paid, Currency::USD), "−$250.00");
        assert_eq!(amount(&back, Currency::USD), "$250.00");
        assert_eq!(amount(&held, Currency::USD), "$250.00");
        let sums = sums(&[&paid, &paid, &back], Currency::USD);
        let sums: Vec<_> = sums.iter().map(|(_, sum)| sum.as_str()).collect();
        assert_eq!(sums, ["−$500.00", "$250.00"]);
    }

    #[test]
    fn a_line_of_an_unknown_kind_has_its_own_word_and_sign() {
        let line = FolioLine {
            org_type: Some("Goodwill".to_owned()),
            ..line("other", "Pending", -4_000, "")
        };
        assert_eq!(kind(&line), "Goodwill");
        assert_eq!(amount(&line, Currency::USD), "−$40.00");
    }

    #[test]
    fn a_line_without_an_amount_says_so() {
        let line = FolioLine {
            amount: None,
            ..line("charge", "Pending", 0, "")
        };
        assert_eq!(amount(&line, Currency::USD), "not known");
    }

    #[test]
    fn bill_lines_are_grouped_by_day() {
        let lines = [
            line("charge", "", 1, "2026-11-19"),
            line("room", "", 2, "2026-11-18"),
            line("payment", "Completed", 3, "2026-11-19"),
        ];
        let lines: Vec<_> = lines.iter().collect();
        let days: Vec<_> = by_day(&lines)
            .into_iter()
            .map(|(day, lines)| (day, lines.len()))
            .collect();
        assert_eq!(
            days,
            [(Some(date(2026, 11, 18)), 1), (Some(date(2026, 11, 19)), 2)]
        );
    }
}
