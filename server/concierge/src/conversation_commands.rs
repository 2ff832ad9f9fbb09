//! Commands of a person on a conversation: send a message, stop, retry, rename, delete.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    caller::Caller,
    concierge::{Conversation, Danger, Entry, MAX_MESSAGE_LENGTH, MAX_TITLE_LENGTH, Responder},
    emergency,
    error_code::ErrorCode,
    sentence::Sentence,
};
use dewy_store::{Question, StartTurnResult};
use futures::try_join;
use sha2::{Digest, Sha256};

use crate::{
    concierge_service::Inner,
    failure::Failure,
    visible_text::{readable, shown},
};

/// Lifetime of a turn's lease after its last renewal.
pub(crate) const TURN_LEASE: Duration = Duration::from_secs(180);
/// Maximum number of entries; beyond it a new conversation must be started.
const MAX_ENTRIES: i64 = 2000;
/// Maximum number of conversations per person; more require deleting some, or waiting until old
/// ones expire.
const MAX_CONVERSATIONS: usize = 200;
/// Approximate length of a title made from the first words.
const TITLE: usize = 60;
/// Maximum length of a form's token.
const MAX_TOKEN_LENGTH: usize = 100;

impl Inner {
    /// Sends a message; see [`dewy_domain::ports::Concierge::say`].
    ///
    /// Runs in its own task: a caller that disconnects leaves nothing half done.
    pub async fn say(
        self: &Arc<Self>,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: &str,
    ) -> Result<String, Failure> {
        let (me, caller, id) = (Arc::clone(self), caller.clone(), id.map(str::to_owned));
        let token = self.parts.settings.token_key.stored(token);
        let text = text.to_owned();
        let said =
            tokio::spawn(
                async move { me.add_message(&caller, id.as_deref(), &token, &text).await },
            );
        said.await?
    }

    async fn add_message(
        self: &Arc<Self>,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: &str,
    ) -> Result<String, Failure> {
        if let Some(danger) = emergency::find(text)
            && !self.is_reply(caller, id).await
        {
            return self
                .raise(
                    caller,
                    id,
                    &token_of(token, text),
                    as_much_as_fits(text),
                    &danger,
                )
                .await;
        }
        if !self.posts.allows(&caller.key()) {
            return Err(ErrorCode::RateLimited.into());
        }
        let text = readable(text, MAX_MESSAGE_LENGTH).ok_or(ErrorCode::ValidationFailed)?;
        if !is_token(token) {
            return Err(ErrorCode::ValidationFailed.into());
        }
        let conversation = match id.filter(|id| !id.is_empty()) {
            Some(id) => self.visible_conversation(caller, id).await?,
            None => self.begin(caller, token, &text).await?,
        };
        if conversation.owner != caller.key() {
            return self.reply(caller, conversation, token, text).await;
        }
        let id = conversation.id;
        if conversation.responder == Responder::Staff {
            self.append_message(&id, token, harmless(text)).await?;
            self.hub.desk.notify();
            return Ok(id);
        }
        self.ask_model(caller, &id, token, text).await?;
        Ok(id)
    }

    async fn ask_model(
        self: &Arc<Self>,
        caller: &Caller,
        id: &str,
        token: &str,
        text: String,
    ) -> Result<(), Failure> {
        let store = self.store();
        let (switch, entries) =
            try_join!(self.switch(), async { Ok(store.last_entry(id).await?) })?;
        if !switch.on {
            return Err(ErrorCode::ConciergeOff.into());
        }
        if entries >= MAX_ENTRIES {
            return Err(ErrorCode::Overloaded.into());
        }
        if let Some(answer) = self.answer_proposal_reply(id, token, &text).await? {
            return self.answered(id, token, text, answer).await;
        }
        let Some(turning) = self.hub.turn(&caller.key()) else {
            // The same form again is not a second question
            let known = store.has_entry(id, Some(token)).await?;
            return if known {
                Ok(())
            } else {
                Err(ErrorCode::ConciergeBusy.into())
            };
        };
        let (turn, entry) = (self.new_id("trn"), harmless(text));
        let question = Question {
            conversation: id,
            token,
            entry: &entry,
            turn: &turn,
            duration: TURN_LEASE,
            at: self.now(),
        };
        let put = match store.start_turn(&question).await {
            // The response may be lost although the question was stored: the turn's owner shows it
            Err(error) if store.has_turn(id, &turn).await != Ok(true) => {
                return Err(error.into());
            }
            Err(_) => StartTurnResult::Taken,
            Ok(put) => put,
        };
        match put {
            StartTurnResult::Taken => {
                self.hub.room(id).notify();
                self.begin_turn(caller.clone(), id.to_owned(), turn, turning);
                Ok(())
            }
            StartTurnResult::Known => Ok(()),
            StartTurnResult::Busy => Err(ErrorCode::ConciergeBusy.into()),
        }
    }

    /// Stores a question with an answer that needs no model.
    async fn answered(
        &self,
        id: &str,
        token: &str,
        text: String,
        answer: Vec<Sentence>,
    ) -> Result<(), Failure> {
        if self.append_message(id, token, harmless(text)).await? {
            self.add(id, Entry::told(answer)).await?;
        }
        Ok(())
    }

    async fn append_message(&self, id: &str, token: &str, entry: Entry) -> Result<bool, Failure> {
        if self.store().last_entry(id).await? >= MAX_ENTRIES {
            return Err(ErrorCode::Overloaded.into());
        }
        let new = self
            .store()
            .add_entry(id, self.now(), Some(token), &entry)
            .await?;
        self.hub.room(id).notify();
        Ok(new)
    }

    /// Creates a conversation, titled with its first words. Its id derives from the form's token,
    /// so that the same form creates only one.
    pub async fn begin(
        &self,
        caller: &Caller,
        token: &str,
        text: &str,
    ) -> Result<Conversation, Failure> {
        if self.store().conversations_of(&caller.key()).await?.len() >= MAX_CONVERSATIONS {
            return Err(ErrorCode::Overloaded.into());
        }
        let digest = hex::encode(Sha256::digest(format!("{}\n{token}", caller.key())));
        let id = format!("cnv_{}", digest.get(..32).unwrap_or(&digest));
        let now = self.now();
        let title = titled(text);
        let new = Conversation {
            id: id.clone(),
            owner: caller.key(),
            title,
            responder: Responder::Model,
            case_number: None,
            created_at: now,
            changed_at: now,
            turn: None,
            waiting_since: None,
            emergency: false,
        };
        self.store().begin_conversation(&new).await?;
        self.own_conversation(caller, &id).await
    }

    /// Reply by staff in a guest's conversation.
    async fn reply(
        &self,
        caller: &Caller,
        conversation: Conversation,
        token: &str,
        text: String,
    ) -> Result<String, Failure> {
        let answerable = conversation.responder == Responder::Staff || conversation.emergency;
        if !answerable || caller.read_only {
            return Err(ErrorCode::InvalidTransition.into());
        }
        let entry = Entry::StaffSaid {
            by: caller.email.to_string(),
            text,
        };
        self.append_message(&conversation.id, token, entry).await?;
        self.hub.desk.notify();
        Ok(conversation.id)
    }

    /// Asks the model again.
    pub async fn again(self: &Arc<Self>, caller: &Caller, id: &str) -> Result<(), Failure> {
        self.own_conversation(caller, id).await?;
        if !self.switch().await?.on {
            return Err(ErrorCode::ConciergeOff.into());
        }
        let (Some(turning), turn) = (self.hub.turn(&caller.key()), self.new_id("trn")) else {
            return Err(ErrorCode::ConciergeBusy.into());
        };
        if !self
            .store()
            .take_turn(id, &turn, self.now(), TURN_LEASE)
            .await?
        {
            return Err(ErrorCode::ConciergeBusy.into());
        }
        self.begin_turn(caller.clone(), id.to_owned(), turn, turning);
        Ok(())
    }

    /// Stops the current answer; the text so far stays.
    pub async fn stop(&self, caller: &Caller, id: &str) -> Result<(), Failure> {
        self.own_conversation(caller, id).await?;
        let room = self.hub.room(id);
        room.stop();
        // Another process, possibly a dead one, may own the turn: it ends anyway
        let ended = self.store().end_turn(id, None).await?;
        tracing::debug!(conversation = id, ended, "the concierge was stopped");
        room.notify();
        Ok(())
    }

    pub async fn rename(&self, caller: &Caller, id: &str, title: &str) -> Result<(), Failure> {
        let title = readable(title, MAX_TITLE_LENGTH).ok_or(ErrorCode::ValidationFailed)?;
        let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let done = self
            .store()
            .rename_conversation(id, &caller.key(), &title)
            .await?;
        if done {
            Ok(())
        } else {
            Err(ErrorCode::ConversationNotFound.into())
        }
    }

    /// Deletes the conversation, unless it is an emergency that nobody has marked as handled.
    pub async fn delete(&self, caller: &Caller, id: &str) -> Result<(), Failure> {
        if self.own_conversation(caller, id).await?.emergency {
            return Err(ErrorCode::InvalidTransition.into());
        }
        self.hub.room(id).stop();
        let done = self.store().forget_conversation(id, &caller.key()).await?;
        if done {
            Ok(())
        } else {
            Err(ErrorCode::ConversationNotFound.into())
        }
    }
}

/// Message that reports no danger; another is raised as an emergency.
const fn harmless(text: String) -> Entry {
    Entry::Said {
        danger: Some(Danger::None),
        text,
    }
}

/// Token of the form. Without a valid one the message is still accepted once: an emergency is never
/// refused for it.
fn token_of(token: &str, text: &str) -> String {
    if !is_token(token) {
        return hex::encode(Sha256::digest(text))
            .chars()
            .take(MAX_TOKEN_LENGTH)
            .collect();
    }
    token.to_owned()
}

const fn is_token(token: &str) -> bool {
    !token.is_empty() && token.len() <= MAX_TOKEN_LENGTH
}

/// Visible text, truncated between characters.
fn as_much_as_fits(text: &str) -> String {
    shown(text)
        .trim()
        .chars()
        .take(MAX_MESSAGE_LENGTH)
        .collect()
}

/// Title from the first words, as many as fit.
pub(crate) fn titled(text: &str) -> String {
    let line = text.lines().next().unwrap_or(text).trim();
    if line.chars().count() <= TITLE {
        return line.to_owned();
    }
    let cut: String = line.chars().take(TITLE).collect();
    let whole = cut
        .rsplit_once(char::is_whitespace)
        .map_or(cut.as_str(), |(whole, _)| whole);
    format!("{} …", whole.trim_end_matches([',', '.', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_ends_at_a_word_boundary() {
        assert_eq!(titled("What do I owe?\nThanks"), "What do I owe?");
        let long =
            "The guest of room 302 is checking out, and says that the toilet in the room is broken";
        assert_eq!(
            titled(long),
            "The guest of room 302 is checking out, and says that the …"
        );
        assert_eq!(titled(&"x".repeat(90)).chars().count(), 62);
    }
}
