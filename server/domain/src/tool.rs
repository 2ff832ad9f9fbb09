//! Tool definitions. One entry per tool defines its form action, chat tool, MCP tool, REST route
//! and documentation.

mod schemas;

use std::{any::TypeId, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    approval::Approval,
    caller::{Caller, Interface, Persona, Role},
    error_code::ErrorCode,
    tool_answer::ToolError,
    vocabulary::BookingAction,
};

/// Tool that creates the contact of a new guest, after their code was verified.
pub const REGISTRATION: &str = "create_contact_if_not_found";

/// A call to the dispatcher.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    pub tool: String,
    /// Input, as sent.
    pub input: Value,
    /// The caller's idempotency token; required on every tool that writes.
    pub idempotency_token: Option<String>,
    /// How long the caller waits for a final answer; `None` for the configured time, zero for no
    /// wait.
    pub wait: Option<Duration>,
}

/// Whether a tool's effect can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reversibility {
    /// Read-only.
    Read,
    /// Another call can undo it.
    Reversible,
    /// Moves money, or the caller cannot undo it.
    Irreversible,
}

/// Where a field's value comes from. An interface's schema omits the fields it fills itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The caller.
    Words,
    /// The caller's own words; today where they say nothing.
    Calendar,
    /// The session or token, for guests.
    Session,
    /// The hotel's contact record, for guests who have one.
    Contact,
    /// A header or a hidden field.
    Header,
    /// The card form.
    Card,
    /// The folio or the price: what the person sees before approving. An interface that shows it fills
    /// it itself.
    Folio,
    /// A page's form, which sends what it displayed. Other interfaces lack the field.
    Form,
    /// A person's consent, for which only a page asks: refused from every other interface.
    Consent,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    pub name: &'static str,
    /// Whether staff must provide it (guests need not provide what the session or the hotel knows).
    pub required: bool,
    /// Where its value comes from.
    pub source: Source,
    /// The only persona that has it; `None` for every caller of the tool.
    pub only: Option<Persona>,
    pub schema: Value,
}

impl Field {
    /// Whether this persona must provide it: guests may leave out what the session or the hotel
    /// knows.
    #[must_use]
    pub const fn is_required(&self, persona: Persona) -> bool {
        let known = matches!(self.source, Source::Session | Source::Contact);
        self.required && !(matches!(persona, Persona::Guest) && known)
    }
}

/// Rule of the tools that start from a guest or a booking.
pub(crate) fn guest_or_booking() -> Value {
    serde_json::json!({ "anyOf": [{ "required": ["guest_email"] }, { "required": ["booking_number"] }] })
}

/// Rule of the tools that also accept a room, for the guest who stays there.
pub(crate) fn guest_booking_or_room() -> Value {
    serde_json::json!({ "anyOf": [{ "required": ["guest_email"] }, { "required": ["booking_number"] },
        { "required": ["room_number"] }] })
}

/// Rule of a tool that also accepts new guests. A guest without an email is identified by name and
/// phone, or by another booking of theirs.
pub(crate) fn known_or_named_guest() -> Value {
    serde_json::json!({ "anyOf": [{ "required": ["guest_email"] }, { "required": ["same_guest_as"] },
        { "required": NAMED_GUEST }] })
}

/// Fields of a new guest without an email.
const NAMED_GUEST: [&str; 3] = ["guest_first_name", "guest_last_name", "guest_phone"];

#[derive(Clone, Debug, Serialize)]
pub struct Tool {
    /// Tool name: `process_guest_checkout`.
    pub name: &'static str,
    /// Title for people.
    pub title: &'static str,
    /// Description for people and models: what it does, when to use it, what it needs.
    pub description: &'static str,
    /// Personas that see it.
    pub personas: &'static [Persona],
    /// Staff roles that see it.
    pub roles: &'static [Role],
    pub input: Vec<Field>,
    /// Whether an input that matches the schema can be read as the tool's typed input.
    #[serde(skip)]
    pub check: fn(&Value) -> Result<(), ToolError>,
    /// Constraints across fields, as JSON schemas that must all hold for the input. Models' tools
    /// take no such schemas; for them the description says it.
    pub rules: Vec<Value>,
    /// A valid input, as staff send it.
    pub example: Value,
    /// JSON schema of the answer's `data`.
    pub output: Value,
    /// Errors it may return in addition to those of every tool.
    pub errors: &'static [ErrorCode],
    /// Whether its effect can be undone.
    pub reversibility: Reversibility,
    /// Questions that approve its calls, the most special first; without one, its title asks.
    #[serde(skip)]
    pub approvals: Vec<Approval>,
    /// Id of the sentence that a person reads before they approve a call that can't be undone.
    #[serde(skip)]
    pub finality: &'static str,
    /// Name of the guests' request form that has its fields.
    #[serde(skip)]
    pub guest_form: Option<&'static str>,
    #[serde(skip)]
    pub(crate) result: TypeId,
    pub moves_money: bool,
    /// Whether it writes, and so needs a token and has an execution.
    pub writes: bool,
}

/// Whether nothing is left to change after this action.
fn is_ending(action: &Value) -> bool {
    matches!(
        action.as_str().map(BookingAction::from),
        Some(BookingAction::Cancel | BookingAction::NoShow)
    )
}

impl Tool {
    /// Whether this caller may use the tool.
    #[must_use]
    pub fn exists_for(&self, caller: &Caller) -> bool {
        let theirs = self.personas.contains(&caller.persona)
            || (self.registers() && caller.interface == Interface::Form);
        !(caller.read_only && self.writes)
            && theirs
            && match caller.persona {
                Persona::Guest => true,
                Persona::Staff => caller.role.is_some_and(|role| self.roles.contains(&role)),
            }
    }

    /// Whether someone new calls it for themselves, from the registration page and nowhere else.
    #[must_use]
    pub fn registers(&self) -> bool {
        self.name == REGISTRATION
    }

    /// Whether it needs a card's id, which the model never sees.
    #[must_use]
    pub fn needs_card(&self) -> bool {
        let mut fields = self.input.iter();
        fields.any(|field| field.source == Source::Card && field.required)
    }

    /// Whether it has an agreed price, which is compared with the current one.
    #[must_use]
    pub fn has_price(&self) -> bool {
        let mut fields = self.input.iter();
        fields.any(|field| field.source == Source::Folio)
    }

    /// The question that approves this call.
    #[must_use]
    pub fn approval(&self, persona: Persona, input: &Value) -> Option<&Approval> {
        let mut questions = self.approvals.iter();
        questions.find(|question| question.fits(persona, input))
    }

    pub fn fields(&self, persona: Persona) -> impl Iterator<Item = &Field> {
        self.input
            .iter()
            .filter(move |field| field.only.is_none_or(|only| only == persona))
    }

    /// Checks that staff name somebody, for a tool that begins from a person.
    ///
    /// # Errors
    /// The ways to name somebody, if the input has none of them.
    pub fn names_guest(&self, input: &Value) -> Result<(), &'static str> {
        let given = |name: &str| input.get(name).is_some();
        let booking = given("guest_email") || given("booking_number");
        let named =
            given("guest_email") || given("same_guest_as") || NAMED_GUEST.into_iter().all(given);
        let rules = [
            (
                guest_or_booking(),
                booking,
                "Name the guest, or give booking_number alone, for a guest without an email.",
            ),
            (
                guest_booking_or_room(),
                booking || given("room_number"),
                "Name the guest, or give booking_number or room_number alone, for a guest without an email.",
            ),
            (
                known_or_named_guest(),
                named,
                "For a guest without an email give guest_first_name, guest_last_name and guest_phone, or same_guest_as.",
            ),
        ];
        let broken = rules
            .into_iter()
            .find(|(rule, holds, _)| !holds && self.rules.contains(rule));
        broken.map_or(Ok(()), |(.., words)| Err(words))
    }

    /// The rules for this persona: guests are identified by their session.
    pub fn rules_for(&self, persona: Persona) -> impl Iterator<Item = &Value> {
        let said = [
            guest_or_booking(),
            guest_booking_or_room(),
            known_or_named_guest(),
        ];
        self.rules
            .iter()
            .filter(move |rule| persona == Persona::Staff || !said.contains(rule))
    }

    /// [`Self::example`] as this persona sends it: guests omit what the session knows.
    #[must_use]
    pub fn example_for(&self, persona: Persona) -> Value {
        let sends = |name: &str| {
            self.fields(persona).any(|field| {
                field.name == name
                    && !(persona == Persona::Guest && field.source == Source::Session)
            })
        };
        let fields = self.example.as_object().into_iter().flatten();
        Value::Object(
            fields
                .filter(|(name, _)| sends(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        )
    }

    /// Description with the errors specific to this tool, for people and models.
    #[must_use]
    pub fn full_description(&self) -> String {
        if self.errors.is_empty() {
            return self.description.to_owned();
        }
        let codes: Vec<&str> = self.errors.iter().map(|code| code.code()).collect();
        format!("{} Errors: {}.", self.description, codes.join(", "))
    }

    /// Whether a call may end something permanently; some tools do so only with one of their
    /// actions.
    #[must_use]
    pub fn destructive(&self) -> bool {
        let ends = |field: &Field| {
            field.name == "action"
                && field.schema["enum"]
                    .as_array()
                    .is_some_and(|actions| actions.iter().any(is_ending))
        };
        self.writes
            && (self.moves_money
                || self.reversibility == Reversibility::Irreversible
                || self.input.iter().any(ends))
    }

    /// Whether this particular call can be undone; some tools have both kinds of action.
    #[must_use]
    pub fn reversibility_of(&self, input: &Value) -> Reversibility {
        if is_ending(&input["action"]) {
            Reversibility::Irreversible
        } else {
            self.reversibility
        }
    }
}
