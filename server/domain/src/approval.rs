//! Question that a person approves before a tool acts for them.

use serde_json::Value;

use crate::caller::Persona;

/// Question of one kind of call, and the label of the button that approves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Kind of call: each is the name of a field that is given, a field with its value
    /// (`action=cancel`), or a persona.
    when: &'static [&'static str],
    /// `Void charge {charge_number}?`; what is in brackets is left out if a field in it is missing.
    pub question: &'static str,
    /// Label of the button.
    pub yes: &'static str,
    /// Whether approval gives something up: its button must not look like a gain.
    pub loses: bool,
}

impl Approval {
    /// Question of this kind of call.
    pub(crate) const fn of(
        when: &'static [&'static str],
        question: &'static str,
        yes: &'static str,
    ) -> Self {
        Self {
            when,
            question,
            yes,
            loses: false,
        }
    }

    /// The same question, about giving something up.
    pub(crate) const fn loses(self) -> Self {
        Self {
            loses: true,
            ..self
        }
    }

    /// Whether this is the kind of the call.
    #[must_use]
    pub fn fits(&self, persona: Persona, input: &Value) -> bool {
        self.when
            .iter()
            .all(|condition| match condition.split_once('=') {
                Some((field, "true")) => input[field] == true,
                Some((field, value)) => input[field] == value,
                None => {
                    *condition == persona.name()
                        || input[condition]
                            .as_str()
                            .is_some_and(|text| !text.is_empty())
                }
            })
    }

    /// A template with the values of fields, as `value` words them.
    pub fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
        let mut filled = String::new();
        for (n, part) in template.split(['[', ']']).enumerate() {
            let pieces = part.split(['{', '}']).enumerate();
            let pieces: Vec<String> = pieces
                .map(|(n, piece)| {
                    if n % 2 == 1 {
                        value(piece)
                    } else {
                        piece.to_owned()
                    }
                })
                .collect();
            let missing = pieces.iter().skip(1).step_by(2).any(String::is_empty);
            if n % 2 == 0 || !missing {
                filled.extend(pieces);
            }
        }
        filled
    }
}
