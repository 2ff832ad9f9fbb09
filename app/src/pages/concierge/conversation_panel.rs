//! Concierge panel: messages, open proposals, and the input. Where scripts run, its regions are
//! replaced one by one, so that nobody loses a draft.

use dewy_domain::{
    caller::Caller,
    concierge::{ConversationSummary, ConversationView, MAX_MESSAGE_LENGTH, Responder},
    hotel_profile::phone_link,
    ports::EmergencyItem,
};

use super::{conversation_items::items, conversation_menu::menu};
use crate::{
    attention_summary,
    escape::escaped,
    form_draft::{self, FORM_OWNER},
    http_request::is_staff_page,
    language::language,
    pages::prelude::*,
};

pub(super) fn panel(
    persona: Persona,
    reader: &Caller,
    thread: &ConversationView,
    threads: &[ConversationSummary],
    draft: FormDraft,
    token: String,
) -> impl IntoView + use<> {
    let id = if thread.id.is_empty() {
        "new"
    } else {
        &thread.id
    };
    let here = format!("/{}/concierge/{id}", persona.name());
    let events = (!thread.id.is_empty()).then(|| format!("{here}/events"));
    let words = draft.value("text");
    let problem = draft.problem("talk-text");
    let problem_id = problem.as_ref().map(|_| "talk-problem");
    let invalid = problem.as_ref().map(|_| "true");
    let label = match (thread.owned_by_other, persona) {
        (true, _) => "Answer the guest",
        (false, Persona::Guest) => t!("talk-what"),
        (false, Persona::Staff) => "How can I help?",
    };
    let lead = match (thread.owned_by_other, thread.offline) {
        (true, _) if thread.emergency => {
            let possible = danger_report(thread).is_some_and(|line| line.possible);
            let label = attention_summary::danger_label(possible);
            format!("{label}. Call the guest, or answer here.")
        }
        (true, _) => format!("{} asked for a person.", thread.owner.email()),
        (_, true) => t!("talk-offline").to_owned(),
        (_, false) => t!("talk-model").to_owned(),
    };
    let owner = form_draft::form_owner(reader);
    let title = if thread.title.is_empty() {
        t!("concierge").to_owned()
    } else {
        thread.title.clone()
    };
    view! {
        <section
            class="talk"
            data-panel=""
            data-url=here
            data-events=events
            data-seq=thread.seq.to_string()
            data-draft=owner.clone()
            data-sending=t!("talk-sending")
            data-busy=if thread.busy { "true" } else { "false" }
            aria-labelledby="talk-title"
        >
            <div class="talk-head" data-region="talk-head">
                <h1 id="talk-title">{title}</h1>
                <p class="aside">{lead}</p>
                {in_danger(thread)}
                {menu(persona, thread, threads)}
            </div>
            <div data-region="talk-problem"><ErrorSummary draft=draft /></div>
            <div class="talk-log" role="log" tabindex="0" aria-label=t!("talk-log")>
                <div data-items="">{items(persona, thread)}</div>
                <p class="talk-live" data-live-words="" hidden></p>
            </div>
            <div class="talk-state" data-region="talk-state">{state(persona, thread, &token)}</div>
            <form class="talk-say" method="post" action="/form/concierge_say">
                <label for="talk-text">{label}</label>
                <textarea
                    id="talk-text"
                    name="text"
                    rows="2"
                    maxlength=MAX_MESSAGE_LENGTH.to_string()
                    required
                    autocomplete="off"
                    aria-invalid=invalid
                    aria-describedby=problem_id
                >
                    {escaped(&words)}
                </textarea>
                <p class="talk-unsent" data-unsent="" role="alert" hidden>
                    {t!("talk-unsent")}
                </p>
                <span data-region="talk-hidden">
                    {hidden([("conversation", thread.id.clone()), (FORM_OWNER, owner.clone()), (TOKEN, token)])}
                </span>
                <button>{t!("talk-send")}</button>
            </form>
        </section>
    }
}

/// The emergency of this conversation, for staff: a guest's, a colleague's, or their own.
fn danger_report(thread: &ConversationView) -> Option<EmergencyItem> {
    let mut emergencies = attention_summary::seen().emergencies.into_iter();
    emergencies.find(|line| is_staff_page() && line.conversation == thread.id)
}

/// Who is in danger, where, and how to reach them, for staff.
fn in_danger(thread: &ConversationView) -> Option<AnyView> {
    let line = danger_report(thread)?;
    let danger = view! {
        <div class="in-danger">
            <p><strong>{attention_summary::who_and_where(&line)}</strong></p>
            {attention_summary::call(&line)}
            {attention_summary::emergency_handled_form(&line.conversation, thread.seq, attention_summary::CONVERSATIONS)}
        </div>
    };
    Some(danger.into_any())
}

/// Notice that staff answer: who was notified, other ways to reach them, and the way back.
fn with_staff(thread: &ConversationView) -> impl IntoView + use<> {
    let hotel = hotel();
    let call = hotel.phone.clone().zip(hotel.phone_link());
    let call = call.map(|(phone, link)| {
        let link = view! { <a class="phone" href=link>{phone}</a> }.into_any();
        view! { " " {rich("talk-call", vec![("phone", link)], &[])} }
    });
    let staff_notice = match (thread.waiting_since.is_some(), thread.emergency) {
        (true, true) => t!("talk-alerted"),
        (true, false) => {
            t!("talk-notified")
        }
        (false, _) => t!("talk-answering"),
    };
    // An emergency stays with staff until one of them has handled it
    let back = (!thread.emergency).then(|| {
        view! {
            <form method="post" action="/form/concierge_back">
                <input type="hidden" name="conversation" value=thread.id.clone() />
                <button class="quiet">{t!("talk-back")}</button>
            </form>
        }
    });
    let danger = hotel.emergency_number.clone().filter(|_| thread.emergency);
    let danger = danger.map(|number| {
        let link = phone_link(&number);
        view! { <a class="button danger" href=link>{t!("talk-call-number", number = number)}</a> }
    });
    view! { {danger} <p role="status">{staff_notice} {call}</p> {back} }
}

/// Current state and its actions.
fn state(persona: Persona, thread: &ConversationView, token: &str) -> AnyView {
    let conversation = || hidden([("conversation", thread.id.clone())]);
    if thread.busy {
        let again = format!("/{}/concierge/{}", persona.name(), thread.id);
        return view! {
            <p class="talk-busy" role="status">{t!("talk-writing")}</p>
            <form method="post" action="/form/concierge_stop">{conversation()} <button class="quiet">{t!("talk-stop")}</button></form>
            <noscript><a href=again>{t!("refresh")}</a></noscript>
        }
        .into_any();
    }
    if thread.owned_by_other && thread.standing == Responder::Staff {
        let back = (!thread.emergency).then(|| {
            view! {
                <form method="post" action="/form/concierge_back" data-leaves="">
                    {conversation()} <button class="quiet">"Hand back to the concierge"</button>
                </form>
            }
        });
        return view! { <p>"You are answering in place of the concierge."</p> {back} }.into_any();
    }
    if thread.standing == Responder::Staff {
        return with_staff(thread).into_any();
    }
    if let Some(closed) = &thread.closed {
        let person = (persona == Persona::Guest && !thread.id.is_empty()).then(|| {
            view! { <form method="post" action="/form/concierge_call">{conversation()} <button class="quiet">{t!("ask-front-desk")}</button></form> }
        });
        return view! { <p class="notice">{told(closed)}</p> {person} }.into_any();
    }
    if thread.interrupted {
        return view! {
            <p class="notice">{t!("talk-interrupted")}</p>
            <form method="post" action="/form/concierge_again">{conversation()} <button class="quiet">{t!("talk-again")}</button></form>
        }
        .into_any();
    }
    // The rules of the offline concierge are English
    let understood = !thread.offline || language().is_english();
    let chips = thread.suggestions.iter().filter(|_| understood);
    let chips = chips.enumerate().map(|(n, words)| {
        let words = named("chip", words);
        let token = format!("{token}-{n}");
        view! {
            <li>
                <form method="post" action="/form/concierge_say">
                    {conversation()}
                    {hidden([("text", words.clone()), (TOKEN, token)])}
                    <button class="chip">{words.clone()}</button>
                </form>
            </li>
        }
    });
    let chips: Vec<_> = chips.collect();
    (!chips.is_empty())
        .then(|| view! { <ul class="talk-chips" aria-label=t!("talk-suggestions")>{chips}</ul> })
        .into_any()
}
