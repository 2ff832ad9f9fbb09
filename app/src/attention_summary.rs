//! Items that need attention, on every page: read once per page, shown by its layout.
//!
//! ```text
//! render_page.rs ─► read_summary ─► layout.rs: the strip, the counts in the navigation, the number that the page follows
//! ```

use dewy_domain::{
    caller::Persona,
    hotel_profile::{phone_link, phone_text},
    ports::{AttentionView, EmergencyItem, UnsettledPayment},
};
use leptos::prelude::*;

use crate::{
    components::{Ago, Icon, hidden},
    field_suggestions,
    flash::Flash,
    form_draft::FormDraft,
    form_submission::{FormResult, FormSubmission},
    http_request::with_path,
    labels,
    language::t,
    page_context::PageContext,
    page_url,
    page_url::TODAY,
};

/// Stream for pages without their own.
pub const EVENTS: &str = "/staff/attention/events";
pub const CONCIERGE_FORM: &str = "concierge";
/// Page that is fetched again for them.
pub const PAGE: &str = "/staff/waiting";
/// Board whose strip shows everything.
/// Conversations that wait for staff.
pub const CONVERSATIONS: &str = "/staff/conversations";

/// Reads the items, for the layout of the page; a `speculative` page shows what is known of them.
pub async fn read_summary(ctx: &PageContext, persona: Persona, speculative: bool) {
    if let Some(user) = ctx
        .authenticator
        .signed_in()
        .await
        .filter(|user| user.caller.persona == persona)
    {
        provide_context(if speculative {
            ctx.attention.known(&user.caller).await
        } else {
            ctx.attention.now(&user.caller).await
        });
        if persona == Persona::Staff {
            field_suggestions::provide(ctx, &user, speculative).await;
        }
    }
}

/// Items that were read.
pub fn seen() -> AttentionView {
    use_context().unwrap_or_default()
}

/// Number of items at a place of the navigation; `None` for places that never have any.
pub fn count(place: &str, view: &AttentionView) -> Option<AnyView> {
    let (name, count, what) = match place {
        "/staff/attention" => {
            let waiting = view.stuck + view.double_bookings + view.refused.len();
            ("attention", waiting, "need attention")
        }
        "/staff/conversations" => {
            let waiting = view.conversations + view.emergencies.len();
            ("conversations", waiting, "waiting for a reply")
        }
        "/staff/cases" => ("cases", view.cases.unwrap_or_default(), "not started"),
        _ => return None,
    };
    let inside = (count > 0).then(|| {
        view! { <span class="count">{count}<span class="unseen">" " {what}</span></span> }
    });
    Some(view! { <span data-region=format!("count-{name}")>{inside}</span> }.into_any())
}

/// Strip above every staff page; on Today with all items, elsewhere with urgent ones. The page of an
/// emergency's conversation shows it itself.
pub fn strip(view: &AttentionView, today: bool) -> AnyView {
    let emergencies: Vec<_> = view
        .emergencies
        .iter()
        .map(|line| (format!("/staff/concierge/{}", line.conversation), line))
        .filter(|(href, _)| !with_path(|path| path == href).unwrap_or_default())
        .map(|(href, line)| {
            let answer = if line.answered { "Open the chat" } else { "Answer now" };
            let latest = line.latest.clone().map(|text| format!("then “{text}”, "));
            let since = if line.answered {
                view! { <Ago at=line.since /> " ago, answered" }.into_any()
            } else {
                view! { "waiting for " <Ago at=line.since /> }.into_any()
            };
            view! {
                <li class="alarm">
                    <Icon state="overdue" />
                    <p>
                        <strong>{danger_label(line.possible)} ": " {who_and_where(line)}</strong> " “" {line.message.clone()} "”, "
                        {latest} {since}
                    </p>
                    {call(line)}
                    <a class="button danger" href=href>{answer}</a>
                    {emergency_handled_form(&line.conversation, line.last_read, if today { TODAY } else { CONVERSATIONS })}
                </li>
            }
        })
        .collect();
    let stakes: Vec<_> = view
        .unsettled_payments
        .iter()
        .filter(|_| today)
        .map(amount_at_stake)
        .collect();
    let quiet: Vec<_> = if today { waits(view) } else { Vec::new() };
    let silent = outage_notice(view, Persona::Staff)
        .map(|words| view! { <li class="silent"><Icon state="bar" /> <p>{words}</p></li> });
    let any =
        !(emergencies.is_empty() && stakes.is_empty() && quiet.is_empty()) || silent.is_some();
    let list = any.then(|| {
        view! {
            <div role="alert">
                <ul class="strip" aria-label="Urgent">{emergencies} {stakes} {silent} {quiet}</ul>
            </div>
        }
    });
    view! {
        <div data-region="strip">
            <span
                data-alarm=view.unanswered_emergencies().to_string()
                data-waiting=view.waiting().to_string()
                hidden
            ></span>
            {list}
        </div>
    }
    .into_any()
}

/// What staff read beside a message that reports danger, or what may be danger.
pub const fn danger_label(possible: bool) -> &'static str {
    if possible {
        "May be an emergency"
    } else {
        "Emergency"
    }
}

/// `Beth Gibbs, room 302`.
pub fn who_and_where(line: &EmergencyItem) -> String {
    labels::guest_in_rooms(&line.guest, &line.rooms)
}

/// Link that calls the guest, if their number is known.
pub fn call(line: &EmergencyItem) -> Option<AnyView> {
    let phone = line.phone.clone()?;
    let link = phone_link(&phone);
    Some(view! { <a class="button danger" href=link>"Call " {phone_text(&phone)}</a> }.into_any())
}

/// Form that ends an emergency; `seen` is the position of the last message shown beside it.
pub fn emergency_handled_form(conversation: &str, seen: i64, back: &str) -> AnyView {
    view! {
        <form method="post" action="/form/concierge_handled" data-leaves="">
            {hidden([("conversation", conversation.to_owned()), ("seen", seen.to_string()), ("back", back.to_owned())])}
            <button class="quiet">"Mark as handled"</button>
        </form>
    }
    .into_any()
}

/// Marks the emergency of a conversation as handled, by the front desk. If that fails, the strip
/// still shows it; if the guest has written since, the conversation does.
pub async fn mark_handled(form: FormSubmission) -> FormResult {
    let back = form.back(Persona::Staff, CONVERSATIONS);
    let user = form.sender(Persona::Staff, back).await?;
    let conversation = form.raw("conversation");
    let chat = format!("/staff/concierge/{conversation}");
    // Whoever says nothing has seen nothing
    let seen = form.raw("seen").parse().unwrap_or_default();
    let concierge = &form.ctx.concierge;
    let ended = concierge
        .mark_emergency_handled(&user.caller, conversation, seen)
        .await;
    let authenticator = &*form.ctx.authenticator;
    if ended == Ok(false) {
        FormDraft::failed("The guest has written again")
            .with_message(
                "Read their latest message below before you mark the emergency as handled.",
            )
            .put(authenticator, CONCIERGE_FORM)
            .await;
        return Ok(chat);
    }
    if ended.is_ok() {
        let flash = Flash::new("The emergency is marked as handled.");
        flash.link(chat, "Open the chat").put(authenticator).await;
    }
    Ok(back.to_owned())
}

/// Money of a guest that is neither earned nor refunded.
fn amount_at_stake(line: &UnsettledPayment) -> AnyView {
    let href = format!("/staff/executions/{}", line.execution);
    let act = line.act.as_ref().map(|(resolution, title)| {
        let to = page_url::with_query(&format!("{href}/act/{resolution}"), [("back", TODAY)]);
        let label = format!("{title}: {}", line.guest);
        view! { <a class="button danger" href=to aria-label=label>{title.clone()} "…"</a> }
    });
    let room = line.room.as_ref().map(|room| format!(", room {room},"));
    let room = room.unwrap_or_default();
    let money = labels::money(line.money.cents, line.money.currency);
    let of = format!(" of {}{room} charged and not refunded", line.guest);
    view! {
        <li class="money">
            <Icon state="needs_attention" />
            <p><a href=href><strong>{money}</strong> {of}</a></p>
            {act}
        </li>
    }
    .into_any()
}

/// A line for each kind of item.
fn waits(view: &AttentionView) -> Vec<AnyView> {
    let line = |href: &'static str, text: String| {
        view! { <li class="waits"><Icon state="needs_attention" /> <p><a href=href>{text}</a></p></li> }.into_any()
    };
    // Those with money have lines of their own
    let others = view.stuck.saturating_sub(view.unsettled_payments.len());
    let refused = view
        .refused
        .iter()
        .map(|(name, code)| line("/staff/systems", refusal(name, code)));
    let many = |count: usize, href: &'static str, one: &str, more: &str| {
        let words = if count == 1 { one } else { more };
        (count > 0).then(|| line(href, format!("{count} {words}")))
    };
    let paused = || line("/staff/attention", "Check-outs are paused".to_owned());
    let counts = [
        many(
            others,
            "/staff/attention",
            "payment or stay needs attention",
            "payments or stays need attention",
        ),
        many(
            view.double_bookings,
            "/staff/attention",
            "room is booked twice for one night",
            "rooms are booked twice for one night",
        ),
        view.paused.then(paused),
        many(
            view.conversations,
            "/staff/conversations",
            "guest is waiting for a reply in the chat",
            "guests are waiting for a reply in the chat",
        ),
        many(
            view.urgent_cases,
            "/staff/cases",
            "urgent case is unassigned",
            "urgent cases are unassigned",
        ),
    ];
    refused.chain(counts.into_iter().flatten()).collect()
}

/// What an outside system refuses us.
pub fn refusal(name: &str, code: &str) -> String {
    match code {
        "salesforce_field_hidden" => format!("{name} hides a field that we need"),
        _ => format!("{name} refuses our access ({code})"),
    }
}

/// Notice that a system doesn't respond, worded for the reader.
pub fn outage_notice(view: &AttentionView, persona: Persona) -> Option<String> {
    // Pages show nothing of the others
    let refused: Vec<_> = view
        .refused
        .iter()
        .filter(|(name, _)| ["Salesforce", "Stripe"].contains(name))
        .map(|(name, code)| refusal(name, code))
        .collect();
    if view.unresponsive.is_empty() && refused.is_empty() {
        return None;
    }
    Some(match persona {
        Persona::Guest => t!("booking-system-silent").to_owned(),
        Persona::Staff if view.unresponsive.is_empty() => format!(
            "{}; an operator has to fix it (see Outside systems). What you see may be incomplete or out of date, and some actions have to wait.",
            refused.join(", and ")
        ),
        Persona::Staff => {
            let names = view.unresponsive.join(" and ");
            let verb = if view.unresponsive.len() == 1 {
                "is"
            } else {
                "are"
            };
            format!(
                "{names} {verb} not responding. What you see may be out of date, and some actions have to wait."
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        money::{Cents, Currency, Money},
        vocabulary::Resolution,
    };

    use super::*;

    #[test]
    fn an_outage_notice_suits_its_reader() {
        let mut view = AttentionView::default();
        assert_eq!(outage_notice(&view, Persona::Staff), None);
        view.refused = vec![("The model", "http_401".to_owned())];
        assert_eq!(outage_notice(&view, Persona::Staff), None);
        view.refused = vec![("Salesforce", "inactive_user".to_owned())];
        assert!(outage_notice(&view, Persona::Staff).is_some_and(|words| {
            words.starts_with("Salesforce refuses our access (inactive_user);")
        }));
        view.unresponsive = vec!["Salesforce", "Stripe"];
        assert!(
            outage_notice(&view, Persona::Staff)
                .is_some_and(|words| words.starts_with("Salesforce and Stripe are not responding."))
        );
        assert!(
            outage_notice(&view, Persona::Guest).is_some_and(|words| !words.contains("Salesforce"))
        );
    }

    #[test]
    fn each_attention_count_links_to_its_page() {
        let money = Money {
            cents: Cents(25_000),
            currency: Currency::USD,
        };
        let view = AttentionView {
            stuck: 2,
            unsettled_payments: vec![UnsettledPayment {
                execution: "exe_1".to_owned(),
                guest: "Beth Gibbs".to_owned(),
                room: None,
                money,
                act: Some((Resolution::RetryNow, "Try again now".to_owned())),
            }],
            double_bookings: 1,
            conversations: 2,
            cases: Some(7),
            urgent_cases: 1,
            paused: true,
            ..AttentionView::default()
        };
        let html = Owner::new().with(|| {
            let lines = waits(&view).into_iter().map(RenderHtml::to_html);
            let places = ["/staff/attention", "/staff/conversations", "/staff/cases"];
            let counts = places.iter().filter_map(|place| count(place, &view));
            lines
                .chain(counts.map(RenderHtml::to_html))
                .collect::<String>()
        });
        for words in [
            "1 payment or stay needs attention",
            "1 room is booked twice for one night",
            "Check-outs are paused",
            "2 guests are waiting for a reply in the chat",
            "1 urgent case is unassigned",
        ] {
            assert!(html.contains(words), "{words}: {html}");
        }
        assert_eq!(html.matches("class=\"count\"").count(), 3, "{html}");
        let nothing = Owner::new().with(|| strip(&AttentionView::default(), true).to_html());
        assert!(!nothing.contains("class=\"strip\""), "{nothing}");
    }
}
