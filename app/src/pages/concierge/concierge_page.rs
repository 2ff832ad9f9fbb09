//! Concierge on its own page.

use super::conversation_panel::panel;
use crate::{attention_summary, pages::prelude::*};

pub const FORM: &str = attention_summary::CONCIERGE_FORM;

/// The conversation in the URL, or the current one.
pub async fn concierge_page(request: PageRequest, persona: Persona) -> PageResult {
    let user = request.signed_in(persona).await?;
    let id = Some(request.id.as_str()).filter(|id| !id.is_empty());
    let concierge = &request.ctx.concierge;
    let thread = concierge.conversation(&user.caller, id).await;
    let thread = thread.map_err(|code| match code {
        ErrorCode::ConversationNotFound => PageError::NotFound,
        code => ErrorPage::of(code, persona, &request.here).into(),
    })?;
    let threads = concierge.conversations(&user.caller).await;
    let threads = threads.unwrap_or_default();
    let draft = FormDraft::take_own(&*request.ctx.authenticator, FORM, &user).await;
    let token = request.ctx.token_generator.token();
    let content = panel(persona, &user.caller, &thread, &threads, draft, token);
    let layout = PageLayout::new(t!("concierge"))
        .who(&user)
        .without_dock()
        .emergency_panel(!thread.emergency);
    Ok(if persona == Persona::Guest {
        layout.guest(content)
    } else {
        layout.staff(content)
    })
}
