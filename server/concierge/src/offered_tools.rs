//! Tools offered to the model: the caller's own tools, without the fields the model must not set,
//! and a way to call a person.

use dewy_domain::{
    caller::{Caller, Persona},
    concierge::HAND_OVER,
    ports::ModelTool,
    tool_catalog,
};
use serde_json::json;

pub(crate) fn tools(caller: &Caller) -> Vec<ModelTool> {
    let mut tools: Vec<ModelTool> = tool_catalog::for_caller(caller)
        .into_iter()
        .filter(|tool| !tool.needs_card())
        .map(|tool| ModelTool {
            name: tool.name.to_owned(),
            description: squeezed(&tool.full_description()),
            schema: tool.chat_schema(caller.persona),
        })
        .collect();
    if caller.persona == Persona::Guest {
        tools.push(ModelTool {
            name: HAND_OVER.to_owned(),
            description: "Brings a front desk agent into this conversation. Use it when the guest asks for a person, complains, is \
                in danger, or when you failed twice."
                .to_owned(),
            schema: json!({ "type": "object", "additionalProperties": false, "required": ["reason"], "properties": {
                "reason": { "type": "string", "minLength": 3, "maxLength": 500, "description": "Why, in one sentence." } } }),
        });
    }
    tools
}

/// Collapses line breaks in a description.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use dewy_domain::caller::{Interface, Role};

    use super::*;

    #[test]
    fn identity_amount_card_and_token_are_hidden_from_the_model() {
        let callers = Role::ALL.map(|role| Caller::staff("a@dewy.example", role, Interface::Chat));
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        for caller in callers.iter().chain([&guest]) {
            for tool in tools(caller) {
                let fields = tool.schema["properties"].as_object().unwrap();
                assert!(
                    !fields.contains_key("idempotency_token")
                        && !fields.contains_key("payment_method_id")
                );
                if tool.name == "process_guest_checkout" {
                    assert!(!fields.contains_key("amount"));
                }
                if caller.persona == Persona::Guest {
                    assert!(!fields.contains_key("guest_email"), "{}", tool.name);
                }
                for name in tool.schema["required"].as_array().unwrap() {
                    assert!(
                        fields.contains_key(name.as_str().unwrap()),
                        "{}: {name}",
                        tool.name
                    );
                }
            }
        }
        let names = |caller: &Caller| {
            tools(caller)
                .into_iter()
                .map(|tool| tool.name)
                .collect::<Vec<_>>()
        };
        assert!(names(&guest).contains(&HAND_OVER.to_owned()));
        assert!(!names(&guest).contains(&"compensate_checkout_failure".to_owned()));
    }
}
