//! List of conversations: a person's own, and those that wait for staff.

use crate::{concierge_service::Inner, emergency::AlarmingMessage, failure::Failure};
use dewy_domain::{
    caller::Caller,
    concierge::{Conversation, ConversationSummary, Danger, DangerReport, Responder},
    error_code::ErrorCode,
};

impl Inner {
    pub async fn threads(&self, caller: &Caller) -> Result<Vec<ConversationSummary>, Failure> {
        let found = self.store().conversations_of(&caller.key()).await?;
        Ok(found.into_iter().map(line).collect())
    }

    /// Conversations that wait for staff.
    pub async fn waiting(&self, caller: &Caller) -> Result<Vec<ConversationSummary>, Failure> {
        if !caller.is_front_desk() {
            return Err(ErrorCode::UnknownTool.into());
        }
        let found = self.store().conversations_with_staff().await?;
        let mut lines = Vec::with_capacity(found.len());
        for conversation in found {
            let emergency = if conversation.emergency {
                Some(self.emergency_report(&conversation).await)
            } else {
                None
            };
            lines.push(ConversationSummary {
                emergency,
                ..line(conversation)
            });
        }
        Ok(lines)
    }

    /// What the person wrote about danger. Several messages that nobody has answered are quoted
    /// together: a later danger must never hide an earlier one.
    async fn emergency_report(&self, found: &Conversation) -> DangerReport {
        // The title, if another release knew more patterns
        let mut report = DangerReport {
            text: found.title.clone(),
            possible: false,
            at: found.changed_at,
            latest: None,
            seq: 0,
        };
        let (mut reported, mut certain) = (false, false);
        let messages = self.alarming_messages(&found.id).await;
        // The alarm must not depend on them, nor the alarms of others
        for AlarmingMessage {
            seq,
            at,
            danger,
            text,
        } in messages.unwrap_or_default()
        {
            report.seq = seq;
            if danger != Danger::None {
                let waits = |at| found.waiting_since.is_some_and(|since| at >= since);
                if reported && waits(report.at) {
                    report.text = format!("{}” “{text}", report.text);
                } else {
                    (report.text, report.at, certain) = (text, at, false);
                }
                // What may be danger does not make less of danger
                certain |= danger == Danger::Certain;
                (report.latest, report.possible, reported) = (None, !certain, true);
            } else if found.responder == Responder::Staff {
                report.latest = Some(text);
            }
        }
        report
    }
}

fn line(found: Conversation) -> ConversationSummary {
    let Conversation {
        id,
        owner,
        title,
        responder: standing,
        case_number,
        changed_at,
        waiting_since,
        ..
    } = found;
    let name = owner.split_once(':').map_or(&*owner, |(_, name)| name);
    ConversationSummary {
        id,
        title,
        owner: name.into(),
        standing,
        case_number,
        changed_at,
        waiting_since,
        emergency: None,
    }
}
