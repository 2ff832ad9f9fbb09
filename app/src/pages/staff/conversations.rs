//! Conversations that wait for staff and, for managers, the switch and the model's usage.

use dewy_domain::{concierge::ConversationSummary, ports::UsageView};

use super::{
    board::{Notice, notice},
    staff_reads::follow_lists,
};
use crate::{
    attention_summary,
    dates::short_day,
    pages::{concierge::FORM, prelude::*},
};

/// List of conversations for the front desk.
pub async fn conversations_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    if !user.caller.is_front_desk() {
        return Err(PageError::NotFound);
    }
    let concierge = &request.ctx.concierge;
    let waiting = concierge.waiting_for_staff(&user.caller).await;
    let waiting = waiting.unwrap_or_default();
    let snapshot = request.ctx.board.latest(&user.caller).await.snapshot;
    let flash_notice = Notice::take(&request, FORM).await;
    let follows = follow_lists(&request.ctx, &user).await;
    let usage = concierge.usage(&user.caller).await.ok().map(usage);
    let content = view! {
        {notice(flash_notice)}
        <h1>"Conversations"</h1>
        <div data-region="waiting" data-rows="">{waiting_list(&waiting, snapshot.as_deref())}</div>
        {usage}
    };
    Ok(PageLayout::new("Conversations")
        .who(&user)
        .follows(follows)
        .staff(content))
}

/// Guests who asked for a person, as boards know them; also on the attention page.
pub fn waiting_list(waiting: &[ConversationSummary], snapshot: Option<&HotelSnapshot>) -> AnyView {
    if waiting.is_empty() {
        return view! { <p class="empty">"No guest is waiting for staff in the chat."</p> }
            .into_any();
    }
    let lines = waiting.iter().map(|line| {
        let href = format!("/staff/concierge/{}", line.id);
        let case = line.case_number.as_ref().map(|number| {
            view! { " · case " <a href=page_url::case(number)>{number.clone()}</a> }
        });
        let danger = line.emergency.clone().map(|report| {
            let label = attention_summary::danger_label(report.possible);
            // As the strip does: what came after the alarm never replaces it
            let latest = (report.latest).map(|text| view! { <p>{format!("then “{text}”")}</p> });
            let words = (!report.text.is_empty())
                .then(|| view! { <p><strong>{format!("“{}”", report.text)}</strong></p> });
            view! { <StatusBadge state="needs_attention" word=label /> {words} {latest} }
        });
        let topic = danger
            .is_none()
            .then(|| view! { <p>{line.title.clone()}</p> });
        let guest = guest(line, snapshot);
        let since = match line.waiting_since {
            Some(since) => view! { " · waiting for " <Ago at=since /> }.into_any(),
            None => view! { " · answered, silent for " <Ago at=line.changed_at /> }.into_any(),
        };
        let version = row_version(line, &guest);
        view! {
            <li data-key=line.id.clone() data-version=version>
                <a href=href>{guest}</a>
                {danger}
                {topic}
                <p class="aside">{line.owner.email().to_string()} {since} {case}</p>
            </li>
        }
    });
    view! { <h2>"Guests who asked for a person"</h2> <ul class="rows waiting">{lines.collect_view()}</ul> }.into_any()
}

/// `Beth Gibbs, room 302`: the guest, and their room or else their booking; their email if no board
/// knows them.
fn guest(line: &ConversationSummary, snapshot: Option<&HotelSnapshot>) -> String {
    let known = snapshot.and_then(|snapshot| {
        let booking = snapshot.booking_of_guest(&line.owner)?;
        let name = booking.guest_name.as_deref()?;
        let rooms = snapshot.rooms_of_guest(&line.owner);
        Some(match rooms.as_slice() {
            [] => format!("{name}, {}", booking.booking_number),
            rooms => labels::guest_in_rooms(name, rooms),
        })
    });
    known.unwrap_or_else(|| line.owner.email().to_string())
}

/// Changes with whatever the row shows: a page that follows the list replaces the row then.
fn row_version(line: &ConversationSummary, guest: &str) -> String {
    let report = line.emergency.as_ref();
    let emergency = report.map(|report| report.seq);
    let since = line.waiting_since;
    format!("{guest} {since:?} {} {emergency:?}", line.changed_at)
}

fn usage(view: UsageView) -> AnyView {
    let on = view.switch.on;
    let (state, word) = if on {
        ("completed", "On")
    } else {
        ("refused", "Off")
    };
    let moved = view.switch.at.map(|at| {
        view! { <p class="aside">"Last switched by " {view.switch.by.clone()} ", " <Timestamp at=at /></p> }
    });
    let lines = view.lines.iter().map(|line| {
        let user = line
            .person
            .split_once(':')
            .map_or(line.person.as_str(), |(_, email)| email)
            .to_owned();
        view! {
            <tr>
                <td data-label="Day">{short_day(&line.day)}</td>
                <th scope="row" data-label="Who">{user}</th>
                <td data-label="Turns" class="num">{line.spent.turns.to_string()}</td>
                <td data-label="Tokens" class="num">{thousands(line.spent.tokens())}</td>
                <td data-label="Cost" class="num">{dollars(line.spent.micros)}</td>
                <td data-label="Time" class="num">{format!("{} s", line.spent.millis / 1000)}</td>
            </tr>
        }
    });
    let lines: Vec<_> = lines.collect();
    let table = (!lines.is_empty()).then(|| {
        view! {
            <ListTable
                label="Usage"
                heads=&["Day", "Who", "Turns", "Tokens", "Cost", "Time"]
                num=&["Turns", "Tokens", "Cost", "Time"]
            >
                {lines}
            </ListTable>
        }
    });
    view! {
        <h2>"The concierge"</h2>
        <p>"Model: " <code>{view.model.clone()}</code> " " <StatusBadge state=state word=word /></p>
        {moved}
        <form method="post" action="/form/concierge_switch">
            <input type="hidden" name="on" value=if on { "off" } else { "on" } />
            <button class=if on { "danger" } else { "" }>{if on { "Switch the concierge off everywhere" } else { "Switch the concierge on" }}</button>
        </form>
        <p class="aside">"Off: answers being written stop, and approvals are paused. Work in progress continues."</p>
        <h2>"Usage"</h2>
        <p>
            {format!(
                "Today: {} {}, {} tokens, {} of at most {} for the hotel. At most {} tokens a day per guest, and {} per staff member.",
                view.today.turns,
                if view.today.turns == 1 { "turn" } else { "turns" },
                thousands(view.today.tokens()),
                dollars(view.today.micros),
                dollars(view.micros_per_day),
                thousands(view.tokens_per_guest),
                thousands(view.tokens_per_staff),
            )}
        </p>
        {table}
    }
    .into_any()
}

/// Millionths of a dollar as dollars and cents, rounded up; less than a cent is shown as such.
fn dollars(micros: u64) -> String {
    let cents = micros.div_ceil(10_000);
    let few = if (1..10_000).contains(&micros) {
        "under "
    } else {
        ""
    };
    format!("{few}${}.{:02}", thousands(cents / 100), cents % 100)
}

/// `40,262`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use dewy_domain::concierge::{DangerReport, Responder};
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_row_changes_with_its_emergency_and_its_wait() {
        let at = Timestamp::UNIX_EPOCH;
        let calm = ConversationSummary {
            id: "cnv_1".to_owned(),
            title: "Fire".to_owned(),
            owner: "beth.gibbs@email.com".into(),
            standing: Responder::Staff,
            case_number: None,
            changed_at: at,
            waiting_since: None,
            emergency: None,
        };
        let report = DangerReport {
            text: "Fire".to_owned(),
            possible: false,
            at,
            latest: None,
            seq: 1,
        };
        let danger = ConversationSummary {
            emergency: Some(report),
            ..calm.clone()
        };
        let row_version = |line| row_version(line, "Beth Gibbs, room 302");
        assert_ne!(row_version(&calm), row_version(&danger));
        let waiting = ConversationSummary {
            waiting_since: Some(at),
            ..danger.clone()
        };
        assert_ne!(row_version(&danger), row_version(&waiting));
        let shown = |line| Owner::new().with(|| waiting_list(&[line], None).to_html());
        assert!(shown(waiting).contains(" · waiting for "));
        assert!(shown(danger.clone()).contains(" · answered, silent for "));
        let calmer = DangerReport {
            latest: Some("thank you".to_owned()),
            ..danger.emergency.clone().unwrap()
        };
        let thanked = shown(ConversationSummary {
            emergency: Some(calmer),
            ..danger
        });
        let at = |words: &str| thanked.find(words);
        assert!(at("“Fire”") < at("then “thank you”"), "{thanked}");
    }

    #[test]
    fn model_costs_below_a_cent_are_shown() {
        assert_eq!(dollars(0), "$0.00");
        assert_eq!(dollars(1), "under $0.01");
        assert_eq!(dollars(10_001), "$0.02");
        assert_eq!(dollars(1_020_000_000), "$1,020.00");
        assert_eq!(
            (thousands(7), thousands(400_000)),
            ("7".to_owned(), "400,000".to_owned())
        );
    }
}
