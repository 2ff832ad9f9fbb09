//! Menu: other conversations, and actions on this one.

use dewy_domain::concierge::{ConversationSummary, ConversationView, MAX_TITLE_LENGTH, Responder};

use crate::pages::prelude::*;

pub(super) fn menu(
    persona: Persona,
    thread: &ConversationView,
    threads: &[ConversationSummary],
) -> AnyView {
    let path = format!("/{}/concierge", persona.name());
    let new = format!("{path}/new");
    let others = threads.iter().map(|line| {
        let href = format!("{path}/{}", line.id);
        let here = (line.id == thread.id).then_some("page");
        let with = (line.standing == Responder::Staff).then(|| format!(" · {}", t!("talk-with-desk")));
        view! { <li><a href=href aria-current=here>{line.title.clone()}</a> <span class="aside"><Timestamp at=line.changed_at /> {with}</span></li> }
    });
    let list = rows("talk-list", others, t!("talk-empty"));
    let own = !thread.id.is_empty() && !thread.owned_by_other;
    let this = own.then(|| conversation_actions(persona, thread));
    view! {
        <details class="talk-menu" id="talk-menu">
            <summary>{t!("talk-conversations")}</summary>
            <p><a href=new>{t!("talk-new")}</a></p>
            {list}
            {this}
        </details>
    }
    .into_any()
}

fn conversation_actions(persona: Persona, thread: &ConversationView) -> AnyView {
    let conversation = || hidden([("conversation", thread.id.clone())]);
    let call = (persona == Persona::Guest && thread.standing == Responder::Model).then(|| {
        view! { <form method="post" action="/form/concierge_call">{conversation()} <button class="quiet">{t!("talk-person")}</button></form> }
    });
    view! {
        {call}
        <form class="talk-rename" method="post" action="/form/concierge_rename">
            {conversation()}
            <label for="talk-name">{t!("talk-name")}</label>
            <input id="talk-name" name="title" value=thread.title.clone() maxlength=MAX_TITLE_LENGTH.to_string() required autocomplete="off" />
            <button class="quiet">{t!("talk-rename")}</button>
        </form>
        <form method="post" action="/form/concierge_forget">
            {conversation()}
            <button class="quiet">{t!("talk-delete")}</button>
        </form>
    }
    .into_any()
}
