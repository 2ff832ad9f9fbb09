//! The POST to the carrier. Never repeated while the first one could still arrive.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    guest::GuestQuery,
    ports::{Crm, TextMessages},
    vocabulary::FaultCode,
};
use dewy_saga::{Activity, Context, Fault, NOT_APPLIED, Outcome, OutcomeCheck, Plan, Request};
use serde_json::json;

use super::{Delivery, Message, Recipient, to};
use crate::saga_parts::{engine_conversions, reconciled_write::missing_fact};

/// Deadline of the carrier's response.
const DEADLINE: Duration = Duration::from_secs(10);

/// After this time no late effect of a request is possible; a confirmation that late is still
/// useful.
const LATE_EFFECT_LIMIT: Duration = Duration::from_secs(600);

/// Age of a text from which on it is news of the past, and not sent any more.
const MAX_AGE: Duration = Duration::from_hours(4);

/// Why such a text is not sent.
const TOO_OLD: &str = "it is too old to be news";

/// What stays open about a text whose outcome the carrier never told.
const NEVER_KNOWN: &str = "the carrier never told whether it has the message";

pub(super) struct Send {
    pub crm: Arc<dyn Crm>,
    pub texts: Arc<dyn TextMessages>,
    /// Whether a carrier is configured.
    pub on: bool,
}

impl Send {
    /// Time left in which the text is worth sending.
    fn left(cx: &Context<'_>) -> Option<Duration> {
        let owed_at = Message::of(cx).and_then(|message| message.owed_at);
        let owed_at = owed_at.or(cx.progress.began_at).unwrap_or(cx.now);
        let age = Duration::try_from(cx.now.duration_since(owed_at)).unwrap_or_default();
        MAX_AGE.checked_sub(age).filter(|left| !left.is_zero())
    }

    /// The phone number on file; the outer `None` is a guest who is there no more.
    async fn phone(&self, message: &Message<'_>) -> Result<Option<Option<String>>, Fault> {
        let found = self.crm.contacts(&message.guest_email).await.answered()?;
        let contact = match &message.contact_id {
            None => found.into_iter().next(),
            Some(id) => found.into_iter().find(|contact| contact.id == *id),
        };
        if let Some(contact) = contact {
            return Ok(Some(contact.phone));
        }
        // Without an email, or it has changed
        if let Some(id) = &message.contact_id {
            let found = self.crm.guests(&GuestQuery::Id(id.clone()), 1).await;
            return Ok(found
                .answered()?
                .into_iter()
                .next()
                .map(|guest| guest.phone));
        }
        Ok(None)
    }
}

#[async_trait]
impl Activity for Send {
    type Output = Delivery;

    async fn prepare(&self, cx: Context<'_>) -> Plan {
        let unsent = |why: &str| Plan::Skip(json!({ "why": why }));
        let Some(message) = Message::of(&cx) else {
            return Plan::Refuse(missing_fact("the message"));
        };
        if !self.on {
            return unsent("text messages are not configured");
        }
        let Some(left) = Self::left(&cx) else {
            return unsent(TOO_OLD);
        };
        let phone = match self.phone(&message).await {
            Ok(Some(phone)) => phone,
            Ok(None) => return unsent("there is no such guest any more"),
            Err(error) => return Plan::TryLater(error),
        };
        let Some(to) = phone else {
            return unsent("no phone number that can be texted is on file");
        };
        let call = self.texts.text(&to, message.body, left);
        Plan::Send(engine_conversions::request(
            &call,
            DEADLINE,
            engine_conversions::value(&Recipient { to }),
        ))
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<Delivery> {
        if Self::left(&cx).is_none() {
            return Outcome::Done(Delivery::unsent(TOO_OLD));
        }
        let send = |call| async move { self.texts.send_text(&call).await };
        match engine_conversions::send(request, send).await {
            // The same bytes would be refused again; that is an outcome, not a fault. A refusal of our
            // account or sender is `TryLater`: an operator may fix it before the text is too old.
            Outcome::Refused(fault) => Outcome::Done(Delivery::Refused {
                refused: fault.code,
            }),
            sent => sent.and_then(|sent| Outcome::Done(Delivery::Sent(sent))),
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Delivery> {
        let direction_progress = cx.direction_progress();
        let to = to(&cx).unwrap_or_default();
        let began = cx.progress.began_at.unwrap_or(cx.now);
        let since = began - jiff::SignedDuration::from_mins(12);
        let found = match self.texts.texts_since(&to, since).await.answered() {
            Ok(messages) => messages
                .into_iter()
                .find(|m| Message::of(&cx).is_some_and(|message| message.body == m.body)),
            // Whether it was sent is of no use any more
            Err(_) if Self::left(&cx).is_none() => {
                return Outcome::Done(Delivery::unsent(NEVER_KNOWN)).into();
            }
            Err(error) => return Outcome::Unknown(error).into(),
        };
        if let Some(sent) = found {
            return Outcome::Done(Delivery::Sent(sent)).into();
        }
        let sent_at = direction_progress
            .and_then(|s| s.intended_at)
            .unwrap_or(cx.now);
        let age = Duration::try_from(cx.now.duration_since(sent_at)).unwrap_or_default();
        if age < LATE_EFFECT_LIMIT {
            let fault = Fault {
                retry_after_ms: Some(30_000),
                ..Fault::new(
                    FaultCode::MessageNotFoundYet,
                    "the carrier does not show the message so far",
                )
            };
            return Outcome::Unknown(fault).into();
        }
        let fault = Fault::new(
            NOT_APPLIED,
            "looked for long enough, and the carrier never had it",
        );
        Outcome::TryLater(fault).into()
    }
}
