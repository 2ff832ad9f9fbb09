//! What the model is told before anything else: its instructions, by persona and role, and the facts of the one who asks.

use std::fmt::Write;

use dewy_domain::{
    caller::{Caller, Persona, Role},
    ports::ModelMessage,
    tool::ToolCall,
};
use serde_json::{Value, json};

use crate::service::Inner;

const GUEST: &str = include_str!("../prompts/guest.md");
const STAFF: &str = include_str!("../prompts/staff.md");

/// The stay that matters to a guest now: the one they are in, or else the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct StayFacts(pub Value);

impl Inner {
    /// A guest's present stay, or the next one; nothing when there is none, it cannot be read, or staff ask.
    pub async fn stay(&self, caller: &Caller) -> StayFacts {
        if caller.persona != Persona::Guest {
            return StayFacts::default();
        }
        for filter in ["current", "upcoming"] {
            let call = ToolCall {
                tool: "search_rooms_on_behalf_of_guest".to_owned(),
                input: json!({ "filter": filter, "limit": 2 }),
                idempotency_token: None,
                wait: None,
            };
            let body = self.parts.dispatcher.dispatch(caller, call).await.body(caller.persona);
            if let Some(stay) = body["data"]["stays"].get(0) {
                return StayFacts(stay.clone());
            }
        }
        StayFacts::default()
    }

    /// The system message.
    pub fn instructions(&self, caller: &Caller, stay: &StayFacts) -> ModelMessage {
        let mut facts = String::new();
        let mut fact = |name: &str, value: &str| {
            // A line is a fact: nothing that comes from outside may make two of one
            let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
            if !value.is_empty() {
                let _ = writeln!(facts, "{name}: {value}");
            }
        };
        let now = self.now().to_zoned(self.parts.settings.time_zone.clone());
        fact("today", &now.date().to_string());
        fact("now", &now.strftime("%H:%M, %A").to_string());
        fact("time_zone", now.time_zone().iana_name().unwrap_or("UTC"));
        fact("persona", caller.persona.name());
        fact("role", caller.role.map_or("", Role::name));
        match caller.persona {
            Persona::Guest => fact("guest_email", &caller.email),
            Persona::Staff => fact("staff_email", &caller.email),
        }
        for (name, field) in [
            ("booking_number", "booking_number"),
            ("stay_status", "booking_status"),
            ("room_number", "room_number"),
            ("check_in_date", "check_in_date"),
            ("check_out_date", "check_out_date"),
        ] {
            fact(name, stay.0[field].as_str().unwrap_or_default());
        }
        let prompt = if caller.persona == Persona::Guest { GUEST } else { STAFF };
        ModelMessage::System(prompt.replace("{{facts}}", facts.trim_end()))
    }
}
