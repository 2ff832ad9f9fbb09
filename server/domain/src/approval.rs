//! Question that a person approves before a tool acts for them.

use serde_json::Value;

use crate::{caller::Persona, sentence::Sentence};

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
    pub fn fill(list: &str, template: &str, value: impl Fn(&str) -> String) -> Sentence {
        let (mut english, mut values) = (String::new(), Vec::new());
        for (n, part) in template.split(['[', ']']).enumerate() {
            let names = part.split(['{', '}']).skip(1).step_by(2);
            let given: Vec<_> = names
                .map(|name| (name.to_owned().into(), value(name)))
                .collect();
            if n % 2 == 0 || given.iter().all(|(_, value)| !value.is_empty()) {
                english.push_str(part);
                values.extend(given);
            }
        }
        Sentence::named_with(list, &english, values)
    }
}
