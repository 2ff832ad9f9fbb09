//! Page context: the user, and the server's ports.

use std::sync::Arc;

use dewy_domain::{
    caller::{Caller, Persona},
    deployment_mode::DeploymentMode,
    execution_view::ExecutionView,
    ports::{
        Attention, AuditReader, Authenticator, Board, BookingLinks, Concierge, ConfirmationPrompts,
        Dispatcher, ExecutionFeed, PaymentReconciliation, PublicInventory, SavedCards, SavedViews,
        SignedIn, StayNotes, SystemStatus, TextRefusals, TokenAdmin,
    },
};
use leptos::prelude::*;

use crate::{
    http_request::with_request, idempotency_token::TokenGenerator, page_error::PageError, page_url,
};

/// Ports available to a page. The server provides it with each request.
#[derive(Clone, Debug)]
pub struct PageContext {
    /// Runs the tools.
    pub dispatcher: Arc<dyn Dispatcher>,
    /// Refuses early what a tool would refuse.
    pub confirmations: Arc<dyn ConfirmationPrompts>,
    /// Authentication and session.
    pub authenticator: Arc<dyn Authenticator>,
    /// Feed of executions.
    pub execution_feed: Arc<dyn ExecutionFeed>,
    /// Audit log of calls.
    pub audit_reader: Arc<dyn AuditReader>,
    /// Bearer tokens.
    pub token_admin: Arc<dyn TokenAdmin>,
    /// Links of confirmations.
    pub booking_links: Arc<dyn BookingLinks>,
    /// Board of the hotel.
    pub board: Arc<dyn Board>,
    /// Rooms for sale, for everyone.
    pub public_inventory: Arc<dyn PublicInventory>,
    /// Items that need attention.
    pub attention: Arc<dyn Attention>,
    /// Payment reconciliation.
    pub reconciliation: Arc<dyn PaymentReconciliation>,
    /// System status and fault injection.
    pub system_status: Arc<dyn SystemStatus>,
    /// Named filters of staff members.
    pub saved_views: Arc<dyn SavedViews>,
    /// Saved cards of the calling guest.
    pub saved_cards: Arc<dyn SavedCards>,
    /// Staff notes about stays.
    pub stay_notes: Arc<dyn StayNotes>,
    /// Numbers whose last text was refused.
    pub text_refusals: Arc<dyn TextRefusals>,
    /// Conversations.
    pub concierge: Arc<dyn Concierge>,
    /// Generator of idempotency tokens.
    pub token_generator: TokenGenerator,
}

impl PageContext {
    /// Context of this request; `None` when the server didn't provide it.
    pub(crate) fn open() -> Option<Self> {
        use_context()
    }

    /// Signed-in user of this persona; others are redirected to the sign-in page and return to
    /// `here` afterward.
    pub(crate) async fn require_persona(
        &self,
        persona: Persona,
        here: &str,
    ) -> Result<SignedIn, PageError> {
        match self.authenticator.signed_in().await {
            Some(user) if user.caller.persona == persona => Ok(user),
            _ => Err(PageError::Redirect(sign_in_url(persona, here))),
        }
    }

    /// Execution that this caller may see.
    pub(crate) async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        self.execution_feed.execution(caller, id).await
    }

    /// Whether this is a demo, with test cards to choose from.
    pub(crate) fn demo(&self) -> bool {
        self.system_status.mode() == DeploymentMode::Demo
    }
}

/// Path and query of this request.
pub fn here() -> String {
    with_request(|parts| {
        let uri = &parts.uri;
        uri.path_and_query()
            .map_or_else(|| uri.path().to_owned(), ToString::to_string)
    })
    .unwrap_or_default()
}

/// Sign-in page of a persona, with the return path.
pub fn sign_in_url(persona: Persona, back: &str) -> String {
    let page = format!("/{}/sign-in", persona.name());
    let back = safe_return_path(persona, back).unwrap_or_default();
    page_url::with_query(&page, [("next", back)])
}

/// The path, if it is one of this persona's own pages: a link must not redirect a new sign-in to
/// another site.
pub fn safe_return_path(persona: Persona, path: &str) -> Option<&str> {
    let inside = path.strip_prefix('/')?.strip_prefix(persona.name())?;
    let inside = if inside.is_empty() || inside.starts_with('?') {
        inside
    } else {
        inside.strip_prefix('/')?
    };
    let plain = path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\');
    (plain && !inside.starts_with("sign-in")).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_return_path_never_leaves_the_site() {
        assert_eq!(
            safe_return_path(Persona::Guest, "/guest/folio?booking=BK-0042"),
            Some("/guest/folio?booking=BK-0042")
        );
        for path in ["/guest", "/guest?show=all"] {
            assert_eq!(safe_return_path(Persona::Guest, path), Some(path));
        }
        for path in [
            "",
            "/guests",
            "/",
            "//evil.example/guest/",
            "https://evil.example",
            "/staff/executions",
            "/guest/sign-in",
            "/guest/a\r\nb",
            "/guest/\\evil",
        ] {
            assert_eq!(safe_return_path(Persona::Guest, path), None, "{path}");
        }
        assert_eq!(
            sign_in_url(Persona::Guest, "/guest/folio?a=b"),
            "/guest/sign-in?next=%2Fguest%2Ffolio%3Fa%3Db"
        );
        assert_eq!(
            sign_in_url(Persona::Staff, "/guest/folio"),
            "/staff/sign-in"
        );
    }
}
