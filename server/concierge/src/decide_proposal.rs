//! Decision on a proposal. The approval is stored, and the nonce spent with it, before anything
//! starts: of two clicks only one wins.

use std::sync::Arc;

use dewy_domain::{
    caller::Caller,
    card_id::CardId,
    concierge::{Entry, Proposal, ProposalEvent, ProposalState},
    error_code::ErrorCode,
    ports::Decision,
    tool_catalog::{self, ProcessGuestCheckout},
};
use serde_json::{Value, json};

use crate::{concierge_service::Inner, failure::Failure};

impl Inner {
    /// See [`dewy_domain::ports::Concierge::decide`]. Runs in its own task: a caller that
    /// disconnects leaves nothing half done.
    pub async fn decide(
        self: &Arc<Self>,
        caller: &Caller,
        decision: &Decision,
    ) -> Result<String, Failure> {
        let (me, caller, decision) = (Arc::clone(self), caller.clone(), decision.clone());
        tokio::spawn(async move { me.decided(&caller, &decision).await }).await?
    }

    async fn decided(
        self: &Arc<Self>,
        caller: &Caller,
        decision: &Decision,
    ) -> Result<String, Failure> {
        let found = self.store().proposal(&decision.proposal).await?;
        let proposal = found
            .filter(|proposal| proposal.owner == caller.key())
            .ok_or(ErrorCode::ProposalNotOpen)?;
        let conversation = proposal.conversation.clone();
        // Already answered, expired or replaced: the page shows the result
        if proposal.state_at(self.now()) != ProposalState::Proposed {
            return Ok(conversation);
        }
        if proposal.nonce != decision.nonce {
            return Err(ErrorCode::ProposalNotOpen.into());
        }
        if !decision.yes {
            if self
                .store()
                .transition_proposal(&proposal.id, ProposalEvent::Decline, None)
                .await?
            {
                self.hub.room(&conversation).notify();
            }
            return Ok(conversation);
        }
        if !self.switch().await?.on {
            return Err(ErrorCode::ConciergeOff.into());
        }
        let chosen = chosen(&proposal, decision.choice.as_deref())?;
        if self.changed_since(caller, &proposal).await? {
            return Ok(conversation);
        }
        let store = self.store();
        let first = store
            .confirm_proposal(
                &proposal.id,
                &caller.key(),
                &decision.nonce,
                chosen,
                self.now(),
            )
            .await;
        if first? {
            let entry = Entry::Decided {
                proposal: proposal.id.clone(),
                call_id: proposal.call_id,
                state: ProposalState::Confirmed,
                answer: Value::Null,
                execution_id: None,
            };
            // The approval is stored: from here on it is executed, whatever else fails
            self.spawn_execution(caller.clone(), proposal.id);
            self.add(&conversation, entry).await?;
        }
        Ok(conversation)
    }

    /// Reads the facts again. If they have changed, the proposal is replaced by a new one with the
    /// current facts.
    async fn changed_since(&self, caller: &Caller, proposal: &Proposal) -> Result<bool, Failure> {
        let Some(tool) = tool_catalog::find(caller, &proposal.tool) else {
            return Err(ErrorCode::ProposalNotOpen.into());
        };
        // A price is checked again too: the approved price is the one that was shown
        if !tool.moves_money && !tool.has_price() {
            return Ok(false);
        }
        let mut input = proposal.input.clone();
        if let (Some(fields), ProcessGuestCheckout::NAME) = (input.as_object_mut(), tool.name) {
            fields.remove("amount");
        }
        let fresh = match self
            .draft(
                caller,
                &proposal.conversation,
                &proposal.call_id,
                tool,
                &input,
            )
            .await
        {
            Ok(fresh) => fresh,
            // If it isn't possible now, the tool refuses it without effect
            Err(answer) if answer.error().is_some_and(|code| code.status() < 500) => {
                return Ok(false);
            }
            // If the facts can't be read now, the old ones aren't used; the proposal stays open
            Err(answer) => return Err(answer.error().unwrap_or(ErrorCode::Overloaded).into()),
        };
        let shown = |proposal: &Proposal| {
            let offered = (
                proposal.chooses.clone(),
                proposal.choices.clone(),
                proposal.takes_new_card,
            );
            (
                proposal.question.clone(),
                proposal.facts.clone(),
                proposal.input.clone(),
                offered,
            )
        };
        if shown(&fresh) == shown(proposal) {
            return Ok(false);
        }
        if self
            .store()
            .transition_proposal(&proposal.id, ProposalEvent::Supersede, None)
            .await?
        {
            self.store().add_proposal(&fresh).await?;
            let entry = Entry::Proposed {
                call_id: proposal.call_id.clone(),
                proposal: fresh.id,
            };
            self.add(&proposal.conversation, entry).await?;
        }
        Ok(true)
    }
}

/// Chosen option: one of the options offered, or a card entered on a pay page if the proposal
/// allows it.
fn chosen<'a>(proposal: &Proposal, choice: Option<&'a str>) -> Result<Option<&'a str>, Failure> {
    let Some(field) = proposal.chooses.as_deref() else {
        return Ok(None);
    };
    let choice = choice.ok_or(ErrorCode::ValidationFailed)?;
    let pays = proposal.tool == ProcessGuestCheckout::NAME && field == "payment_method_id";
    let typed = proposal.takes_new_card && pays && choice.parse::<CardId>().is_ok();
    let offered = proposal.choices.iter().any(|one| one.value == choice);
    if offered || typed {
        Ok(Some(choice))
    } else {
        Err(ErrorCode::ValidationFailed.into())
    }
}

/// Input with the chosen option.
pub(crate) fn with_choice(proposal: &Proposal) -> Value {
    let mut input = proposal.input.clone();
    if let (Some(field), Some(chosen)) = (&proposal.chooses, &proposal.chosen) {
        input[field] = json!(chosen);
    }
    input
}

#[cfg(test)]
mod tests {
    use dewy_domain::concierge::Choice;
    use jiff::Timestamp;

    use super::*;

    fn proposal(takes_new_card: bool) -> Proposal {
        let visa = Choice {
            value: "pm_1BethVisa4242".to_owned(),
            label: "Visa".into(),
            note: String::new(),
        };
        Proposal {
            id: "crd_1".to_owned(),
            conversation: "cnv_1".to_owned(),
            owner: "guest:beth.gibbs@email.com".to_owned(),
            call_id: "call_1".to_owned(),
            tool: "process_guest_checkout".to_owned(),
            input: json!({ "amount": 25000 }),
            question: "".into(),
            yes: "".into(),
            facts: Vec::new(),
            choices: vec![visa],
            chooses: Some("payment_method_id".to_owned()),
            takes_new_card,
            nonce: "n".to_owned(),
            state: ProposalState::Proposed,
            created_at: Timestamp::UNIX_EPOCH,
            expires_at: Timestamp::UNIX_EPOCH,
            execution_id: None,
            chosen: None,
        }
    }

    #[test]
    fn only_an_offered_card_can_be_chosen() {
        let proposal = proposal(false);
        assert_eq!(
            chosen(&proposal, Some("pm_1BethVisa4242")),
            Ok(Some("pm_1BethVisa4242"))
        );
        for choice in [
            None,
            Some(""),
            Some("another"),
            Some("pm_made_up"),
            Some("pm_1BethVisa4242 "),
        ] {
            assert_eq!(
                chosen(&proposal, choice),
                Err(ErrorCode::ValidationFailed.into()),
                "{choice:?}"
            );
        }
        let nothing = Proposal {
            chooses: None,
            choices: Vec::new(),
            ..proposal
        };
        assert_eq!(
            chosen(&nothing, Some("pm_made_up")),
            Ok(None),
            "what there is nothing to choose for is left out"
        );
    }

    #[test]
    fn a_new_card_is_accepted_only_where_the_proposal_allows_it() {
        let takes = proposal(true);
        assert_eq!(chosen(&takes, Some("pm_1Typed")), Ok(Some("pm_1Typed")));
        assert_eq!(
            chosen(&takes, Some("pm_1BethVisa4242")),
            Ok(Some("pm_1BethVisa4242"))
        );
        for choice in [
            None,
            Some(""),
            Some("another"),
            Some("4242424242424242"),
            Some("pm_"),
            Some("pm_1;drop"),
        ] {
            assert_eq!(
                chosen(&takes, choice),
                Err(ErrorCode::ValidationFailed.into()),
                "{choice:?}"
            );
        }
        let other_tool = Proposal {
            tool: "post_charge".to_owned(),
            ..proposal(true)
        };
        assert_eq!(
            chosen(&other_tool, Some("pm_1Typed")),
            Err(ErrorCode::ValidationFailed.into())
        );
        let other_field = Proposal {
            chooses: Some("room_number".to_owned()),
            ..proposal(true)
        };
        assert_eq!(
            chosen(&other_field, Some("pm_1Typed")),
            Err(ErrorCode::ValidationFailed.into())
        );
    }

    #[test]
    fn the_chosen_card_fills_its_field() {
        let chosen = Proposal {
            chosen: Some("pm_1Typed".to_owned()),
            ..proposal(true)
        };
        assert_eq!(
            with_choice(&chosen),
            json!({ "amount": 25000, "payment_method_id": "pm_1Typed" })
        );
    }
}
