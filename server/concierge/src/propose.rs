//! Turns a change requested by the model into a proposal based on the hotel's own facts, or into an
//! error that says why not.

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::{Entry, Proposal, ProposalEvent, ProposalState},
    error_code::ErrorCode,
    money::Cents,
    ports::Confirmation,
    said,
    search_key::search_words,
    sentence::Sentence,
    tool::{Tool, ToolCall},
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::{CheckInGuest, ManageBookings, PostCharge, ProcessGuestCheckout, UndoCheckIn},
};
use serde_json::{Value, json};

use crate::{
    check_out_folio::{FolioFacts, with_folio},
    concierge_service::Inner,
    deferral::deferral_reason,
    failure::Failure,
    proposal_guard::{act_of, is_wished, unasked},
    proposal_text::{self, ProposalText},
    stay_reference::StayReference,
};

/// Maximum number of open proposals: more than a person would read.
const MAX_OPEN_PROPOSALS: usize = 6;

impl Inner {
    /// Creates and stores the proposal. An identical open proposal is reused.
    ///
    /// # Errors
    /// The tool's error for this input.
    pub async fn propose(
        &self,
        caller: &Caller,
        conversation: &str,
        call_id: &str,
        tool: &Tool,
        input: &Value,
    ) -> Result<Proposal, ToolAnswer> {
        let now = self.now();
        let entries = self
            .store()
            .entries(conversation)
            .await
            .map_err(Failure::from)?;
        let last = entries.iter().rev().find_map(|placed| match &placed.entry {
            Entry::Said { text, .. } => Some((placed.at, text.as_str())),
            _ => None,
        });
        if let Some(error) = last.and_then(|(_, said)| deferral_reason(tool, input, said)) {
            return Err(error.into());
        }
        if last.is_some_and(|(_, said)| is_own_order(tool, input, said)) {
            return Err(unnamed_charge().into());
        }
        let earlier: Vec<Proposal> = self
            .store()
            .proposals(conversation)
            .await
            .map_err(Failure::from)?;
        let unasked = act_of(tool, input, self.today())
            .filter(|act| !is_wished(caller, *act, tool, input, &entries, &earlier))
            .map(|act| unasked(caller, act, input, &entries, &self.parts.settings));
        let open: Vec<Proposal> = earlier
            .into_iter()
            .filter(|proposal| proposal.state_at(now) == ProposalState::Proposed)
            .collect();
        self.other_case(caller, tool, input, &entries).await?;
        // What waits already may be shown again
        let waits = open.iter().any(|other| other.tool == tool.name);
        if let Some(mut error) = unasked.clone().filter(|_| !waits) {
            error.details["facts"] = json!(self.known_facts(caller, tool, input).await);
            return Err(error.into());
        }
        let proposal = self
            .draft(caller, conversation, call_id, tool, input)
            .await?;
        if let Some(same) = open
            .iter()
            .find(|other| other.tool == proposal.tool && other.input == proposal.input)
        {
            return Ok(same.clone());
        }
        if let Some(error) = unasked {
            return Err(error.into());
        }
        // Calls in the same round coexist. A new version of an earlier request replaces it; at the
        // limit, the oldest is dropped
        let before = |other: &&Proposal| {
            contradict(other, &proposal) || last.is_none_or(|(at, _)| other.created_at < at)
        };
        let (same, others): (Vec<&Proposal>, Vec<&Proposal>) = open
            .iter()
            .filter(before)
            .partition(|other| other.tool == proposal.tool || contradict(other, &proposal));
        let now_open = open.len() - same.len();
        let too_many = (now_open + 1).saturating_sub(MAX_OPEN_PROPOSALS);
        if too_many > others.len() {
            let why = json!({ "why": "Enough proposals wait for the person; they have to be answered first." });
            return Err(ToolError::with(ErrorCode::Overloaded, why).into());
        }
        for other in same.into_iter().chain(others.into_iter().take(too_many)) {
            self.store()
                .transition_proposal(&other.id, ProposalEvent::Supersede, None)
                .await
                .map_err(Failure::from)?;
        }
        self.store()
            .add_proposal(&proposal)
            .await
            .map_err(Failure::from)?;
        Ok(proposal)
    }

    /// Creates the proposal from the current facts.
    pub async fn draft(
        &self,
        caller: &Caller,
        conversation: &str,
        call_id: &str,
        tool: &Tool,
        input: &Value,
    ) -> Result<Proposal, ToolAnswer> {
        let input = &self.with_earlier_requests(caller, tool, input).await?;
        let id = self.new_id("crd");
        let settings = &self.parts.settings;
        let folio = match tool.name {
            ProcessGuestCheckout::NAME => Some(self.folio(caller, input).await?),
            _ => None,
        };
        let input = folio
            .as_ref()
            .map_or_else(|| input.clone(), |folio| with_folio(input, folio));
        let call = ToolCall {
            tool: tool.name.to_owned(),
            input: input.clone(),
            idempotency_token: Some(format!("chat-{id}")),
            wait: None,
        };
        let mut input = input;
        // Input errors and violated rules are reported before anybody is asked
        let quote = self
            .parts
            .confirmations
            .confirmation_for(caller, &call)
            .await?;
        if quote == Confirmation::NoChange {
            let facts = self.known_facts(caller, tool, &call.input).await;
            return Err(no_change(&call, &facts).into());
        }
        let mut terms = self.terms(caller, tool, &input).await?;
        terms
            .facts
            .extend(self.subject(caller, tool, &input).await?);
        if let (Some(room), Some(fields)) = (&terms.room, input.as_object_mut()) {
            fields.insert("room_number".to_owned(), json!(room));
            fields.remove("room_type");
        }
        let mut words = match (&folio, quote) {
            (Some(folio), _) => {
                let unseen = folio.choices.is_empty() && !self.takes_new_card(caller, folio);
                check_out(
                    caller,
                    folio,
                    unseen,
                    proposal_text::facts(tool, &input, settings),
                )
            }
            (None, Confirmation::Ask(quote)) => ProposalText {
                question: quote.question.into(),
                yes: quote.yes.into(),
                facts: proposal_text::facts(tool, &input, settings),
            },
            (None, quote) => {
                let mut words = proposal_text::describe(caller, tool, &input, settings);
                if let Confirmation::Reserves(held) = quote {
                    words.facts.push(held);
                }
                words
            }
        };
        words.question = terms.question.unwrap_or(words.question);
        words.yes = terms.yes.unwrap_or(words.yes);
        words = words.without_repetitions(&terms.facts);
        words.facts.splice(0..0, terms.facts);
        let now = self.now();
        let takes_new_card = folio
            .as_ref()
            .is_some_and(|folio| self.takes_new_card(caller, folio));
        let choices = folio.map_or_else(Vec::new, |folio| folio.choices);
        // What runs on the click is what was shown, at its price
        if let Some(price) = terms.price {
            input["amount"] = json!(price);
        }
        Ok(Proposal {
            id,
            conversation: conversation.to_owned(),
            owner: caller.key(),
            call_id: call_id.to_owned(),
            tool: tool.name.to_owned(),
            input,
            question: words.question,
            yes: words.yes,
            facts: words.facts,
            chooses: (takes_new_card || !choices.is_empty())
                .then(|| "payment_method_id".to_owned()),
            choices,
            takes_new_card,
            nonce: self.secret(),
            state: ProposalState::Proposed,
            created_at: now,
            expires_at: now
                .checked_add(self.parts.settings.proposal_ttl)
                .unwrap_or(now),
            execution_id: None,
            chosen: None,
        })
    }
}

/// Whether the text of a charge is the order of staff, with its room or its amount, which no guest should
/// read on a bill. An answer to what it is for may be its text.
fn is_own_order(tool: &Tool, input: &Value, said: &str) -> bool {
    let written = |field: &str| search_words(input[field].as_str().unwrap_or_default());
    let (text, room, said) = (
        written("description"),
        written("room_number"),
        search_words(said),
    );
    let names_room = room.iter().any(|word| text.contains(word));
    let dollars = input["amount"]
        .as_i64()
        .map(|cents| (cents / 100).to_string());
    let names_sum = dollars.is_some_and(|dollars| text.contains(&dollars));
    let repeats = || said.windows(text.len().max(1)).any(|part| part == text);
    tool.name == PostCharge::NAME && (names_room && text == said || names_sum && repeats())
}

/// A charge without its name: the person is asked for it.
fn unnamed_charge() -> ToolError {
    let message = "The description repeats the person's whole order; it is what the guest reads on the bill. Nothing was proposed; \
        give what was bought, or ask.";
    let mut error = ToolError::problem("description", message);
    error.details["ask"] = json!("What is the charge for, as the guest reads it on the bill?");
    error
}

/// Everything is as requested already: there is nothing to answer yes to.
fn no_change(call: &ToolCall, facts: &[String]) -> ToolError {
    let field = call.input.as_object().and_then(|input| input.keys().next());
    let mut message = "It is so already: nothing would change.".to_owned();
    for fact in facts {
        message = format!("{message} {fact}");
    }
    ToolError::problem(field.unwrap_or(&call.tool), message)
}

/// Whether both are about one stay, and only one of them can be meant: to leave now, to stay longer,
/// to cancel. A stay that is not named is the guest's own.
fn contradict(one: &Proposal, other: &Proposal) -> bool {
    const OF_A_STAY: [&str; 4] = [
        ProcessGuestCheckout::NAME,
        ManageBookings::NAME,
        CheckInGuest::NAME,
        UndoCheckIn::NAME,
    ];
    let stay = |proposal: &Proposal| OF_A_STAY.contains(&proposal.tool.as_str());
    let [a, b] = [one, other].map(|proposal| StayReference::of(&proposal.input));
    let named: Vec<_> = [
        (a.booking_number.zip(b.booking_number)).map(|(one, other)| one == other),
        (a.guest_email.as_ref().zip(b.guest_email.as_ref())).map(|(one, other)| one == other),
    ]
    .into_iter()
    .flatten()
    .collect();
    // Staff name the guest: two stays that are named differently may be two guests
    let own = a.guest_email.is_none() && b.guest_email.is_none();
    one.tool != other.tool
        && stay(one)
        && stay(other)
        && named.iter().all(|same| *same)
        && (own || !named.is_empty())
}

/// `unseen`: no payment card is offered here. If one is on file, it is charged, and the question
/// says so.
fn check_out(
    caller: &Caller,
    folio: &FolioFacts,
    unseen: bool,
    mut facts: Vec<Sentence>,
) -> ProposalText {
    let whom = match caller.persona {
        Persona::Guest => "",
        Persona::Staff => "the guest ",
    };
    let (room, booking, sum) = (
        &folio.room_number,
        &folio.booking_number,
        &folio.balance_text,
    );
    let pay = || said!("yes-pay", sum);
    let (question, yes) = if let Some(held) = folio.held.as_ref().filter(|_| folio.balance >= 0) {
        // Nothing is charged before the guest has left, so nothing has to be given back
        facts.retain(|fact| *fact != said!("fact-final"));
        facts.push(said!("fact-final-held"));
        let (reserved, card) = (&held.amount_text, &held.card);
        match Cents(folio.balance) {
            Cents(0) => {
                let question = said!("ask-check-out-release", whom, room, booking, reserved, card);
                (question, Sentence::named("yes", "Check out"))
            }
            open if open.needs_front_desk() => {
                let question = format!(
                    "Check {whom}out of room {room} (booking {booking}), leave the balance open: {sum}, and release the {reserved} reserved on \
                     {card}? Nothing is charged or refunded."
                );
                (question.into(), "Check out, leave it open".into())
            }
            less if less < held.amount => {
                let question = said!(
                    "ask-check-out-held",
                    whom,
                    room,
                    booking,
                    sum,
                    reserved,
                    card
                );
                (question, pay())
            }
            same if same == held.amount => {
                let question = said!("ask-check-out-all", whom, room, booking, sum, card);
                (question, pay())
            }
            _ => {
                let question = said!(
                    "ask-check-out-more",
                    whom,
                    room,
                    booking,
                    sum,
                    reserved,
                    card
                );
                (question, pay())
            }
        }
    } else if folio.balance == 0 {
        let question = said!("ask-check-out-free", whom, room, booking);
        (question, Sentence::named("yes", "Check out"))
    } else if Cents(folio.balance).needs_front_desk() {
        // The front desk asked to leave it open; otherwise the tool has refused before
        let question = format!(
            "Check {whom}out of room {room} (booking {booking}) and leave the balance open: {sum}? Nothing is charged or refunded."
        );
        (question.into(), "Check out, leave it open".into())
    } else if unseen {
        let question = said!("ask-check-out-unseen", whom, room, booking, sum);
        (question, pay())
    } else {
        let question = said!("ask-check-out", whom, room, booking, sum);
        (question, pay())
    };
    ProposalText {
        question,
        yes,
        facts,
    }
}
