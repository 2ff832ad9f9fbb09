//! List of conversations: a person's own, and those that wait for staff.

use dewy_domain::{
    caller::Caller,
    concierge::{Conversation, Entry, ThreadLine},
    emergency,
    error_code::ErrorCode,
};
use jiff::Timestamp;

use crate::service::{Inner, internal, is_front_desk};

impl Inner {
    /// Conversations of the caller.
    pub async fn threads(&self, caller: &Caller) -> Result<Vec<ThreadLine>, ErrorCode> {
        let found = self
            .parts
            .store
            .conversations_of(&caller.key())
            .await
            .map_err(internal)?;
        Ok(found.into_iter().map(line).collect())
    }

    /// Guests' conversations that wait for staff.
    pub async fn waiting(&self, caller: &Caller) -> Result<Vec<ThreadLine>, ErrorCode> {
        if !is_front_desk(caller) {
            return Err(ErrorCode::UnknownTool);
        }
        let found = self
            .parts
            .store
            .conversations_with_staff()
            .await
            .map_err(internal)?;
        let mut lines = Vec::with_capacity(found.len());
        for conversation in found {
            let emergency = if conversation.emergency {
                let words = self.words_of_danger(&conversation.id).await?;
                // A pattern that another release knew
                Some(words.unwrap_or_else(|| (conversation.title.clone(), conversation.changed_at)))
            } else {
                None
            };
            lines.push(ThreadLine {
                emergency,
                ..line(conversation)
            });
        }
        Ok(lines)
    }

    /// Latest emergency message in a conversation.
    async fn words_of_danger(&self, id: &str) -> Result<Option<(String, Timestamp)>, ErrorCode> {
        let entries = self.parts.store.entries(id).await.map_err(internal)?;
        let words = entries
            .into_iter()
            .rev()
            .find_map(|placed| match placed.entry {
                Entry::Said { text } if emergency::find(&text).is_some() => Some((text, placed.at)),
                _ => None,
            });
        Ok(words)
    }
}

fn line(found: Conversation) -> ThreadLine {
    let Conversation {
        id,
        owner,
        title,
        standing,
        case_number,
        changed_at,
        waiting_since,
        ..
    } = found;
    let owner = owner
        .split_once(':')
        .map_or(owner.clone(), |(_, email)| email.to_owned());
    ThreadLine {
        id,
        title,
        owner,
        standing,
        case_number,
        changed_at,
        waiting_since,
        emergency: None,
    }
}
