//! List of a conversation's items, as its page shows them.

use std::collections::BTreeMap;

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::{CallState, ConversationItem, Entry, HAND_OVER, ProposalView, RequestedCall},
    said, tool_catalog,
};
use jiff::Timestamp;
use serde_json::Value;

use crate::owed_case::EMERGENCY_REASON;

/// Items of a conversation so far, made from its entries in order.
pub(super) struct ItemList {
    /// Email of the conversation's owner.
    owner: String,
    items: Vec<ConversationItem>,
    /// Position of each call of the last round.
    calls: BTreeMap<String, usize>,
}

impl ItemList {
    pub(super) const fn new(owner: String) -> Self {
        Self {
            owner,
            items: Vec::new(),
            calls: BTreeMap::new(),
        }
    }

    pub(super) fn into_items(self) -> Vec<ConversationItem> {
        self.items
    }

    pub(super) fn add(&mut self, caller: &Caller, at: Timestamp, entry: &Entry) {
        let item = match entry {
            Entry::Said { text, .. } => ConversationItem::Said {
                at,
                text: text.clone(),
            },
            Entry::Answered {
                text,
                stopped,
                said,
                ..
            } => ConversationItem::Answered {
                at,
                text: text.clone(),
                stopped: *stopped,
                said: said.clone(),
            },
            Entry::Trouble { text } => ConversationItem::Trouble {
                at,
                text: text.clone(),
            },
            Entry::StaffSaid { by, text } => {
                let by = if caller.persona == Persona::Staff {
                    by.clone()
                } else {
                    String::new()
                };
                ConversationItem::Staff {
                    at,
                    by,
                    text: text.clone(),
                }
            }
            Entry::HandedBack { by } => {
                let text = if by.contains('@') && *by == self.owner {
                    said!("talk-back")
                } else {
                    said!("talk-handed-back")
                };
                ConversationItem::Note { at, text }
            }
            Entry::HandedOver {
                reason,
                case_number,
                call_id,
            } => {
                if let Some(id) = call_id {
                    self.returned(id, CallState::Done, &Value::Null, None);
                }
                // Who comes matters, the number of the case is for later
                let alerted = reason == EMERGENCY_REASON;
                let text = match (alerted, case_number) {
                    (true, None) => said!("talk-alerted"),
                    (true, Some(number)) => said!("talk-alerted-case", number),
                    (false, None) => said!("talk-called"),
                    (false, Some(number)) => said!("talk-called-case", number),
                };
                ConversationItem::Note { at, text }
            }
            Entry::Asked { text, calls, .. } => {
                if !text.is_empty() {
                    self.items.push(ConversationItem::Answered {
                        at,
                        text: text.clone(),
                        stopped: false,
                        said: Vec::new(),
                    });
                }
                for call in calls {
                    self.calls.insert(call.id.clone(), self.items.len());
                    self.items.push(call_item(at, call));
                }
                return;
            }
            Entry::Returned {
                call_id,
                state,
                answer,
                execution_id,
                ..
            } => {
                return self.returned(call_id, *state, answer, execution_id.as_ref());
            }
            Entry::Proposed { .. } | Entry::Decided { .. } => return,
        };
        self.items.push(item);
    }

    pub(super) fn returned(
        &mut self,
        call: &str,
        how: CallState,
        what: &Value,
        execution: Option<&String>,
    ) {
        let place = self.calls.get(call).and_then(|at| self.items.get_mut(*at));
        if let Some(ConversationItem::Call {
            state,
            answer,
            execution_id,
            ..
        }) = place
        {
            *state = Some(how);
            answer.clone_from(what);
            *execution_id = execution.cloned();
        }
    }

    /// A proposal takes the place of its call; another one for the same call is appended.
    pub(super) fn proposal(&mut self, call: &str, view: ProposalView) {
        let item = ConversationItem::Proposal(Box::new(view));
        match self.calls.get(call).and_then(|at| self.items.get_mut(*at)) {
            Some(place @ ConversationItem::Call { .. }) => *place = item,
            _ => self.items.push(item),
        }
    }

    /// No turn is active: calls without a result won't get one.
    pub(super) fn give_up(&mut self) {
        for item in &mut self.items {
            if let ConversationItem::Call {
                state: state @ None,
                ..
            } = item
            {
                *state = Some(CallState::Failed);
            }
        }
    }
}

fn call_item(at: Timestamp, call: &RequestedCall) -> ConversationItem {
    let title = match tool_catalog::named(&call.tool) {
        Some(tool) => tool.title.to_owned(),
        None if call.tool == HAND_OVER => "Call the front desk".to_owned(),
        // A name made up by the model is shown as it is, but truncated
        None => call.tool.chars().take(40).collect(),
    };
    ConversationItem::Call {
        at,
        title,
        state: None,
        arguments: call.arguments.clone(),
        answer: Value::Null,
        execution_id: None,
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::caller::Interface;
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_calls_of_two_rounds_stay_separate() {
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        let at = Timestamp::UNIX_EPOCH;
        let owner = guest.email.clone();
        let mut list = ItemList::new(owner.into());
        let call = RequestedCall {
            id: "call_0".to_owned(),
            tool: "get_folio".to_owned(),
            arguments: json!({}),
        };
        let asked = Entry::Asked {
            text: String::new(),
            calls: vec![call],
            opaque: Value::Null,
        };
        let returned = |n: i32| Entry::Returned {
            call_id: "call_0".to_owned(),
            tool: "get_folio".to_owned(),
            state: CallState::Done,
            answer: json!(n),
            execution_id: None,
        };
        for entry in [&asked, &returned(1), &asked, &returned(2), &asked] {
            list.add(&guest, at, entry);
        }
        list.give_up();
        let answers: Vec<_> = list
            .into_items()
            .into_iter()
            .map(|item| match item {
                ConversationItem::Call { state, answer, .. } => {
                    (state.map(CallState::name), answer)
                }
                _ => (None, Value::Null),
            })
            .collect();
        assert_eq!(
            answers,
            [
                (Some("done"), json!(1)),
                (Some("done"), json!(2)),
                (Some("failed"), Value::Null)
            ]
        );
    }
}
