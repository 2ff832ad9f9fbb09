//! Conversation as shown on its page.

mod item_list;

use std::{collections::BTreeMap, sync::Arc};

use dewy_domain::{
    answer_body::AnswerBody,
    caller::{Caller, Persona},
    concierge::{
        CallState, Conversation, ConversationItem, ConversationView, Entry, NumberedEntry,
        Proposal, ProposalState, ProposalView, Responder,
    },
    error_code::ErrorCode,
    money::{Cents, Money},
    said,
    sentence::Sentence,
    tool::Reversibility,
    tool_catalog,
};
use serde::Deserialize;
use serde_json::Value;

use self::item_list::ItemList;
use crate::{
    check_out_folio::AgreedBill, concierge_service::Inner, failure::Failure, proposal_guard,
    suggested_messages::suggestions,
};

impl Inner {
    /// See [`dewy_domain::ports::Concierge::thread`].
    pub async fn thread(
        self: &Arc<Self>,
        caller: &Caller,
        id: Option<&str>,
    ) -> Result<ConversationView, Failure> {
        let store = self.store();
        let found = match id {
            Some("new") => None,
            Some(id) => Some(self.visible_conversation(caller, id).await?),
            None => store
                .conversations_of(&caller.key())
                .await?
                .into_iter()
                .next(),
        };
        let switch = self.switch().await?;
        let off = || said!("talk-off");
        let mut thread = ConversationView {
            id: String::new(),
            title: String::new(),
            owner: caller.identity(),
            owned_by_other: false,
            standing: Responder::Model,
            case_number: None,
            items: Vec::new(),
            seq: 0,
            busy: false,
            interrupted: false,
            suggestions: Vec::new(),
            closed: (!switch.on).then(off),
            offline: self.parts.model.offline(),
            emergency: false,
            waiting_since: None,
        };
        let Some(found) = found else {
            thread.suggestions = self.suggested(caller, switch.on).await;
            return Ok(thread);
        };
        let proposals = store.proposals(&found.id).await?;
        self.resume(caller, &proposals).await;
        // Read first: an entry stored meanwhile makes the page reload
        let seq = self
            .stored(caller, &found.id)
            .await
            .map_or(0, |live| live.seq);
        let entries = store.entries(&found.id).await?;
        let now = self.now();
        thread.owned_by_other = found.owner != caller.key();
        // Only the owner waits for the concierge
        thread.busy = found.busy(now) && !thread.owned_by_other;
        thread.seq = seq;
        thread.interrupted =
            !thread.busy && found.responder == Responder::Model && unanswered(&entries);
        if !thread.busy && !thread.owned_by_other && thread.closed.is_none() {
            thread.suggestions = proposal_guard::suggestions(&entries);
        }
        thread.items = self.items(caller, &found, &entries, &proposals).await;
        (thread.emergency, thread.waiting_since) = (found.emergency, found.waiting_since);
        let Conversation {
            id,
            owner,
            title,
            responder: standing,
            case_number,
            ..
        } = found;
        // A colleague's emergency is answered by people, too
        let standing = match thread.owned_by_other {
            true => Responder::Staff,
            false => standing,
        };
        let name = owner.split_once(':').map_or(&*owner, |(_, name)| name);
        thread.owner = name.into();
        (thread.id, thread.title, thread.standing, thread.case_number) =
            (id, title, standing, case_number);
        Ok(thread)
    }

    /// See [`dewy_domain::ports::Concierge::proposal`].
    pub async fn proposal(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<(String, ProposalView), Failure> {
        let store = self.store();
        let found = store.proposal(id).await?;
        let proposal = found
            .filter(|proposal| proposal.owner == caller.key())
            .ok_or(ErrorCode::ProposalNotOpen)?;
        let conversation = self
            .own_conversation(caller, &proposal.conversation)
            .await
            .map_err(|failure| match failure {
                Failure(ErrorCode::ConversationNotFound) => ErrorCode::ProposalNotOpen.into(),
                failure => failure,
            })?;
        let entries = store.entries(&conversation.id).await?;
        let view = self
            .card_view(caller, &conversation, &proposal, &entries)
            .await;
        Ok((conversation.id, view))
    }

    fn asked_for(&self, proposal: &Proposal) -> Money {
        let agreed = AgreedBill::deserialize(&proposal.input);
        Money {
            cents: agreed.map_or(Cents(0), |agreed| agreed.amount),
            currency: self.parts.settings.currency,
        }
    }

    async fn suggested(&self, caller: &Caller, on: bool) -> Vec<String> {
        if !on {
            return Vec::new();
        }
        let stay = self.stay(caller).await;
        suggestions(caller, &stay, self.calendar().day(self.now()))
    }

    async fn items(
        &self,
        caller: &Caller,
        found: &Conversation,
        entries: &[NumberedEntry],
        proposals: &[Proposal],
    ) -> Vec<ConversationItem> {
        let proposals: BTreeMap<&str, &Proposal> = proposals
            .iter()
            .map(|proposal| (proposal.id.as_str(), proposal))
            .collect();
        let owner = found
            .owner
            .split_once(':')
            .map_or("", |(_, email)| email)
            .to_owned();
        let mut list = ItemList::new(owner);
        for (n, NumberedEntry { at, entry, .. }) in entries.iter().enumerate() {
            match entry {
                Entry::Proposed { call_id, proposal } => {
                    // A proposal that was requested again is shown at its last request
                    let again = |placed: &NumberedEntry| matches!(&placed.entry, Entry::Proposed { proposal: other, .. } if other == proposal);
                    if entries
                        .get(n + 1..)
                        .is_some_and(|later| later.iter().any(again))
                    {
                        list.returned(call_id, CallState::Done, &Value::Null, None);
                        continue;
                    }
                    let Some(proposal) = proposals.get(proposal.as_str()) else {
                        continue;
                    };
                    let view = self.card_view(caller, found, proposal, entries).await;
                    list.proposal(call_id, view);
                }
                other => list.add(caller, *at, other),
            }
        }
        if !found.busy(self.now()) {
            list.give_up();
        }
        list.into_items()
    }

    async fn card_view(
        &self,
        caller: &Caller,
        found: &Conversation,
        proposal: &Proposal,
        entries: &[NumberedEntry],
    ) -> ProposalView {
        let state = proposal.state_at(self.now());
        let own = found.owner == caller.key();
        let execution = match &proposal.execution_id {
            Some(id) => self.parts.execution_feed.execution(caller, id).await,
            None => None,
        };
        let answer = entries.iter().rev().find_map(|placed| match &placed.entry {
            // What was answered before staff dealt with it is not true any more.
            Entry::Decided {
                proposal: of,
                answer,
                state: then,
                ..
            } if *of == proposal.id && !answer.is_null() => match &execution {
                Some(view) if *then != state => view.answer.as_ref(),
                _ => Some(answer),
            },
            _ => None,
        });
        let tool = tool_catalog::named(&proposal.tool);
        let approval = tool.and_then(|tool| tool.approval(Persona::Staff, &proposal.input));
        let weighty = tool.is_none_or(|tool| {
            tool.moves_money
                || tool.reversibility_of(&proposal.input) == Reversibility::Irreversible
        });
        let answer = answer.map(AnswerBody::of);
        let pending = answer.as_ref().and_then(|answer| answer.pending.as_ref());
        let page = pending.and_then(|pending| pending.next_action_url.clone());
        ProposalView {
            id: proposal.id.clone(),
            title: tool.map_or_else(|| proposal.tool.clone(), |tool| tool.title.to_owned()),
            question: proposal.question.clone(),
            yes: proposal.yes.clone(),
            facts: proposal.facts.clone(),
            choices: proposal.choices.clone(),
            new_card: (own && proposal.takes_new_card).then(|| self.asked_for(proposal)),
            nonce: if own && state == ProposalState::Proposed {
                proposal.nonce.clone()
            } else {
                String::new()
            },
            state,
            expires_at: proposal.expires_at,
            irreversible: weighty,
            loses: approval.is_some_and(|approval| approval.loses),
            outcome: answer.as_ref().map(outcome).unwrap_or_default(),
            next_action_url: execution
                .as_ref()
                .and_then(|view| view.next_action_url.clone())
                .or(page),
            execution,
        }
    }
}

/// Result, from the error table.
fn outcome(answer: &AnswerBody) -> Vec<Sentence> {
    if answer.success == Some(false) {
        let next = next(&answer.error_code, &answer.next);
        return answer.failure().into_iter().chain(next).collect();
    }
    let note = match &answer.pending {
        None => answer.note(),
        Some(pending) => pending.note.clone(),
    };
    let note = (!note.is_empty()).then(|| Sentence::named("note", note));
    note.into_iter().collect()
}

/// Next step for the person. The table's own text is left out where it addresses API clients:
/// people send no fields.
fn next(code: &str, table: &str) -> Option<Sentence> {
    let named = |text: &str| Some(Sentence::named("next", text.to_owned()));
    match code {
        "PAYMENT_FAILED" => named("Ask again to try another card."),
        "AMOUNT_MISMATCH" | "MULTIPLE_BOOKINGS" | "MULTIPLE_RESERVATIONS" => {
            named("Ask again and check the new card.")
        }
        _ if table.contains('_') || table.to_lowercase().contains("send it") => None,
        _ => Some(table)
            .filter(|table| !table.is_empty())
            .and_then(named),
    }
}

/// Whether the last entry is a message or tool answer without a reply.
fn unanswered(entries: &[NumberedEntry]) -> bool {
    let last = entries.last().map(|placed| &placed.entry);
    matches!(
        last,
        Some(Entry::Said { .. } | Entry::Asked { .. } | Entry::Returned { .. })
    )
}

#[cfg(test)]
mod tests;
