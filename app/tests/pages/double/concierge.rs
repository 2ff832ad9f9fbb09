//! Concierge of the double: one read-only conversation with one item of each kind.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona, Role},
    concierge::{
        CallState, Choice, Item, Live, ProposalState, ProposalView, Spent, Standing, Switch,
        Thread, ThreadLine, UsageLine,
    },
    error_code::ErrorCode,
    money::{Cents, Currency, Money},
    ports::{Concierge, Decision, UsageView},
};
use serde_json::json;

use super::{House, born};

/// Id of its conversation.
const ONE: &str = "cnv_1";

fn card(state: ProposalState, live: bool) -> ProposalView {
    let own = Choice {
        value: "pm_1BethVisa4242".to_owned(),
        label: "Saved card: Visa •••• 4242".to_owned(),
        note: String::new(),
    };
    let test = Choice {
        value: "pm_card_visa".to_owned(),
        label: "Visa •••• 4242, which pays".to_owned(),
        note: "Test card".to_owned(),
    };
    ProposalView {
        id: "crd_1".to_owned(),
        title: "Check out and pay".to_owned(),
        question: "Check out of room 302 (booking BK-0042) and pay $250.00, the whole balance?"
            .to_owned(),
        yes: "Pay $250.00".to_owned(),
        facts: vec![
            "A check-out is final.".to_owned(),
            "Amount: $250.00".to_owned(),
        ],
        choices: vec![if live { own } else { test }],
        new_card: live.then_some(Money {
            cents: Cents(25000),
            currency: Currency::USD,
        }),
        nonce: if state == ProposalState::Proposed {
            "0".repeat(32)
        } else {
            String::new()
        },
        state,
        expires_at: born() + jiff::SignedDuration::from_mins(15),
        weighty: true,
        loses: false,
        execution: None,
        outcome: String::new(),
        next_action_url: None,
    }
}

fn items(live: bool) -> Vec<Item> {
    let at = born();
    vec![
        Item::Said {
            at,
            text: "I'd like to check out\nplease <b>now</b>".to_owned(),
        },
        Item::Call {
            at,
            title: "Show the folio".to_owned(),
            state: Some(CallState::Done),
            arguments: json!({}),
            answer: json!({ "success": true }),
            execution_id: None,
        },
        Item::Proposal(Box::new(card(ProposalState::Declined, live))),
        Item::Proposal(Box::new(card(ProposalState::Proposed, live))),
        Item::Answered {
            at,
            text: "A card waits for your decision.".to_owned(),
            stopped: false,
        },
        Item::Trouble {
            at,
            text: "My line broke.".to_owned(),
        },
        Item::Note {
            at,
            text: "Our front desk has been called.".to_owned(),
        },
        Item::Staff {
            at,
            by: String::new(),
            text: "This is Frank.".to_owned(),
        },
    ]
}

#[async_trait]
impl Concierge for House {
    async fn thread(&self, caller: &Caller, id: Option<&str>) -> Result<Thread, ErrorCode> {
        let known = match id {
            Some(ONE) => true,
            Some("new") | None => false,
            Some(_) => return Err(ErrorCode::ConversationNotFound),
        };
        Ok(Thread {
            id: if known { ONE.to_owned() } else { String::new() },
            title: if known {
                "I'd like to check out".to_owned()
            } else {
                String::new()
            },
            owner: caller.email.clone(),
            foreign: false,
            standing: Standing::Model,
            case_number: None,
            items: if known {
                items(self.key().is_some())
            } else {
                Vec::new()
            },
            seq: 1,
            busy: false,
            interrupted: false,
            suggestions: if known {
                Vec::new()
            } else {
                vec!["What do I owe?".to_owned()]
            },
            closed: None,
            offline: true,
            emergency: false,
            waiting_since: None,
        })
    }

    async fn threads(&self, caller: &Caller) -> Result<Vec<ThreadLine>, ErrorCode> {
        Ok(vec![ThreadLine {
            id: ONE.to_owned(),
            title: "I'd like to check out".to_owned(),
            owner: caller.email.clone(),
            standing: Standing::Model,
            case_number: None,
            changed_at: born(),
            waiting_since: None,
            emergency: None,
        }])
    }

    async fn waiting(&self, caller: &Caller) -> Result<Vec<ThreadLine>, ErrorCode> {
        if matches!(caller.role, Some(Role::FrontDesk | Role::Manager)) {
            Ok(Vec::new())
        } else {
            Err(ErrorCode::UnknownTool)
        }
    }

    fn prefers(&self, _: &Caller, _: &str) {}

    async fn say(
        &self,
        _: &Caller,
        _: Option<&str>,
        _: &str,
        text: &str,
    ) -> Result<String, ErrorCode> {
        if text.trim().is_empty() {
            Err(ErrorCode::ValidationFailed)
        } else {
            Ok(ONE.to_owned())
        }
    }

    async fn again(&self, _: &Caller, _: &str) -> Result<(), ErrorCode> {
        Ok(())
    }

    async fn stop(&self, _: &Caller, _: &str) -> Result<(), ErrorCode> {
        Ok(())
    }

    async fn decide(&self, _: &Caller, _: &Decision) -> Result<String, ErrorCode> {
        Ok(ONE.to_owned())
    }

    async fn card(&self, _: &Caller, id: &str) -> Result<(String, ProposalView), ErrorCode> {
        let state = match id {
            "crd_1" => ProposalState::Proposed,
            "crd_over" => ProposalState::Declined,
            _ => return Err(ErrorCode::CardNotOpen),
        };
        Ok((ONE.to_owned(), card(state, self.key().is_some())))
    }

    async fn rename(&self, _: &Caller, _: &str, _: &str) -> Result<(), ErrorCode> {
        Ok(())
    }

    async fn delete(&self, _: &Caller, _: &str) -> Result<(), ErrorCode> {
        Ok(())
    }

    async fn hand_over(&self, _: &Caller, _: &str, _: &str) -> Result<(), ErrorCode> {
        Ok(())
    }

    async fn handled(&self, _: &Caller, _: &str, seen: i64) -> Result<bool, ErrorCode> {
        Ok(seen >= 1)
    }

    async fn hand_back(&self, _: &Caller, _: &str) -> Result<(), ErrorCode> {
        Ok(())
    }

    async fn changed(&self, _: &Caller, _: &str, seen: &Live, _: Duration) -> Option<Live> {
        Some(Live {
            seq: 1,
            ..seen.clone()
        })
    }

    async fn desk_rings(&self, at_most: Duration) {
        tokio::time::sleep(at_most).await;
    }

    async fn turn(&self, _: &Caller, _: bool) -> Result<(), ErrorCode> {
        Ok(())
    }

    async fn usage(&self, caller: &Caller) -> Result<UsageView, ErrorCode> {
        if caller.persona != Persona::Staff || caller.role != Some(Role::Manager) {
            return Err(ErrorCode::UnknownTool);
        }
        let spent = Spent {
            turns: 3,
            input: 1200,
            output: 90,
            micros: 234,
            millis: 2100,
        };
        let line = UsageLine {
            day: "2026-11-20".to_owned(),
            person: "guest:beth.gibbs@email.com".to_owned(),
            spent,
        };
        Ok(UsageView {
            switch: Switch {
                on: true,
                by: "manager@dewy.example".to_owned(),
                at: Some(born()),
            },
            model: "dewy-offline".to_owned(),
            today: spent,
            micros_per_day: 20_000_000,
            tokens_per_person: 400_000,
            lines: vec![line],
        })
    }
}
