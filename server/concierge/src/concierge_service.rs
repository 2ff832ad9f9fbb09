//! Concierge service, and access rules for conversations.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    concierge::{
        Conversation, ConversationSummary, ConversationView, LiveState, ProposalView, Responder,
    },
    error_code::ErrorCode,
    ports::{
        Clock, Concierge, ConfirmationPrompts, Decision, Dispatcher, Entropy, ExecutionFeed, Model,
        UsageView,
    },
};
use dewy_store::Store;
use jiff::Timestamp;

use crate::{
    failure::Failure, live_conversations::Broadcast, post_limit::PostLimit, settings::Settings,
};

/// Dependencies of the concierge.
#[derive(Debug)]
pub struct Parts {
    pub store: Store,
    pub model: Arc<dyn Model>,
    /// Runs the tools.
    pub dispatcher: Arc<dyn Dispatcher>,
    /// Describes pending actions.
    pub confirmations: Arc<dyn ConfirmationPrompts>,
    pub execution_feed: Arc<dyn ExecutionFeed>,
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Timeouts and limits.
    pub settings: Settings,
}

/// Concierge of one process. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct ConciergeService(pub(crate) Arc<Inner>);

#[derive(Debug)]
pub(crate) struct Inner {
    pub parts: Parts,
    pub hub: Arc<Broadcast>,
    pub posts: PostLimit,
}

impl ConciergeService {
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            posts: PostLimit::new(Arc::clone(&parts.clock), parts.settings.messages_at_once),
            parts,
            hub: Arc::default(),
        }))
    }

    /// Purges old conversations, and resumes what a process left behind or an outside system kept from
    /// being done: approved proposals, and emergencies' cases; for the housekeeping job.
    ///
    /// # Errors
    /// `INTERNAL` when the store failed; the next run does the rest.
    pub async fn clean_up(&self) -> Result<u64, ErrorCode> {
        Ok(self.0.delete_old().await?)
    }
}

impl Inner {
    pub fn now(&self) -> Timestamp {
        self.parts.clock.now()
    }

    pub fn store(&self) -> &Store {
        &self.parts.store
    }

    pub fn new_id(&self, kind: &str) -> String {
        format!("{kind}_{}", self.parts.entropy.uuid_v7(self.now()).simple())
    }

    /// Unguessable random text.
    pub fn secret(&self) -> String {
        let mut bytes = [0; 16];
        self.parts.entropy.fill(&mut bytes);
        hex::encode(bytes)
    }

    pub async fn own_conversation(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<Conversation, Failure> {
        let found = self.store().conversation(id).await?;
        found
            .filter(|found| found.owner == caller.key())
            .ok_or(ErrorCode::ConversationNotFound.into())
    }

    /// Conversation of the caller or, for the front desk, one that is with staff or an
    /// emergency; after the handback only its owner can see it.
    pub async fn visible_conversation(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<Conversation, Failure> {
        let found = self.store().conversation(id).await?;
        let may = |found: &Conversation| {
            let with_staff =
                found.responder == Responder::Staff && found.owner.starts_with("guest:");
            let theirs = with_staff || found.emergency;
            found.owner == caller.key() || (caller.is_front_desk() && theirs)
        };
        found
            .filter(may)
            .ok_or(ErrorCode::ConversationNotFound.into())
    }

    async fn delete_old(self: &Arc<Self>) -> Result<u64, Failure> {
        let now = self.now();
        let then = now
            .checked_sub(self.parts.settings.retention)
            .unwrap_or(Timestamp::UNIX_EPOCH);
        self.resume_all().await?;
        self.settle_cases(None).await?;
        self.store()
            .delete_model_usage_before(&self.day(then))
            .await?;
        Ok(self.store().forget_conversations_before(then).await?)
    }
}

/// Caller with the chat as interface, for the audit log and the journal.
fn chatting(caller: &Caller) -> Caller {
    Caller {
        interface: Interface::Chat,
        ..caller.clone()
    }
}

/// Whether the caller may set the switch and see the usage.
pub(crate) fn require_manager(caller: &Caller) -> Result<(), Failure> {
    let manager =
        caller.persona == Persona::Staff && caller.role == Some(Role::Manager) && !caller.read_only;
    if manager {
        Ok(())
    } else {
        Err(ErrorCode::UnknownTool.into())
    }
}

#[async_trait]
impl Concierge for ConciergeService {
    async fn conversation(
        &self,
        caller: &Caller,
        id: Option<&str>,
    ) -> Result<ConversationView, ErrorCode> {
        Ok(self.0.thread(&chatting(caller), id).await?)
    }

    async fn conversations(&self, caller: &Caller) -> Result<Vec<ConversationSummary>, ErrorCode> {
        Ok(self.0.threads(caller).await?)
    }

    async fn waiting_for_staff(
        &self,
        caller: &Caller,
    ) -> Result<Vec<ConversationSummary>, ErrorCode> {
        Ok(self.0.waiting(caller).await?)
    }

    fn set_preferred_language(&self, caller: &Caller, language: &str) {
        self.0.hub.languages.note(caller.key(), language);
    }

    async fn post_message(
        &self,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: &str,
    ) -> Result<String, ErrorCode> {
        Ok(self.0.say(&chatting(caller), id, token, text).await?)
    }

    async fn retry_turn(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode> {
        Ok(self.0.again(&chatting(caller), id).await?)
    }

    async fn stop(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode> {
        Ok(self.0.stop(caller, id).await?)
    }

    async fn decide(&self, caller: &Caller, decision: &Decision) -> Result<String, ErrorCode> {
        Ok(self.0.decide(&chatting(caller), decision).await?)
    }

    async fn proposal(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<(String, ProposalView), ErrorCode> {
        Ok(self.0.proposal(&chatting(caller), id).await?)
    }

    async fn rename(&self, caller: &Caller, id: &str, title: &str) -> Result<(), ErrorCode> {
        Ok(self.0.rename(caller, id, title).await?)
    }

    async fn delete(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode> {
        Ok(self.0.delete(caller, id).await?)
    }

    async fn hand_over(&self, caller: &Caller, id: &str, reason: &str) -> Result<(), ErrorCode> {
        if caller.persona != Persona::Guest {
            return Err(ErrorCode::ConversationNotFound);
        }
        self.0.own_conversation(caller, id).await?;
        Ok(self
            .0
            .hand_over(&chatting(caller), id, reason, None)
            .await?)
    }

    async fn mark_emergency_handled(
        &self,
        caller: &Caller,
        id: &str,
        seen: i64,
    ) -> Result<bool, ErrorCode> {
        Ok(self.0.mark_handled(&chatting(caller), id, seen).await?)
    }

    async fn hand_back(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode> {
        Ok(self.0.hand_back(&chatting(caller), id).await?)
    }

    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        seen: &LiveState,
        at_most: Duration,
    ) -> Option<LiveState> {
        self.0.changed(caller, id, seen, at_most).await
    }

    async fn staff_conversation_changed(&self, at_most: Duration) {
        tokio::select! {
            () = self.0.hub.desk.notified() => {}
            () = self.0.parts.clock.sleep(at_most) => {}
        }
    }

    fn staff_conversation_version(&self) -> u64 {
        self.0.hub.desk.count()
    }

    async fn set_enabled(&self, caller: &Caller, on: bool) -> Result<(), ErrorCode> {
        Ok(self.0.set_switch(caller, on).await?)
    }

    async fn usage(&self, caller: &Caller) -> Result<UsageView, ErrorCode> {
        Ok(self.0.usage(caller).await?)
    }
}
