//! What one server understands, learned from its own refusals and remembered while the process
//! runs.
//!
//! ```text
//! request ─► refused: "Unsupported parameter: 'parallel_tool_calls'" ─► learn ─► the same request without it
//! ```

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{endpoint::Api, error_body::ErrorBody};

/// Members of a request that a server may do without.
const OPTIONAL: [&str; 12] = [
    "max_completion_tokens",
    "max_tokens",
    "max_output_tokens",
    "parallel_tool_calls",
    "stream_options",
    "include",
    "store",
    "user",
    "safety_identifier",
    "reasoning_effort",
    "reasoning",
    "strict",
];
/// Keywords of a schema that every server understands.
const PLAIN: [&str; 6] = [
    "type",
    "description",
    "properties",
    "required",
    "items",
    "enum",
];

/// What is done with the opaque parts of earlier answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Opaque {
    /// Sent back where they came from.
    #[default]
    Back,
    /// Also an empty `reasoning_content` on messages that the server did not write: it wants one on
    /// all.
    Reasoned,
    /// Also a made-up signature on calls that the server did not make: only for Google's own.
    Signed,
    /// Left out: the server refuses them.
    Out,
}

/// Profile of a server and model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Profile {
    pub api: Api,
    /// The interfaces are at the other one of the two addresses.
    pub other_address: bool,
    /// The model spends tokens on reasoning, for which there must be room beside the answer.
    pub reasons: bool,
    pub opaque: Opaque,
    /// Reasoning must be switched off explicitly.
    effort_none: bool,
    /// The limit has its older name, `max_tokens`.
    older_limit: bool,
    /// Schemas with [`PLAIN`] keywords only.
    plain_schemas: bool,
    /// Members that are left out.
    without: BTreeSet<&'static str>,
    /// The other interface was tried and does not exist.
    only_chat: bool,
}

impl Profile {
    /// Nothing is known yet.
    pub(super) fn new(api: Api) -> Self {
        Self {
            api,
            ..Self::default()
        }
    }

    pub(super) const fn limit_name(&self) -> &'static str {
        match (self.api, self.older_limit) {
            (Api::Responses, _) => "max_output_tokens",
            (Api::Chat, false) => "max_completion_tokens",
            (Api::Chat, true) => "max_tokens",
        }
    }

    /// Reasoning effort to ask for.
    pub(super) fn effort<'a>(&self, configured: Option<&'a str>) -> Option<&'a str> {
        if self.effort_none {
            Some("none")
        } else {
            configured
        }
    }

    /// The body as this server takes it.
    pub(super) fn fit(&self, mut body: Value) -> Value {
        if let Some(members) = body.as_object_mut() {
            members.retain(|name, _| !self.without.contains(name.as_str()));
        }
        let tools = body.get_mut("tools").and_then(Value::as_array_mut);
        for tool in tools.into_iter().flatten() {
            if self.without.contains("strict")
                && let Some(members) = tool.as_object_mut()
            {
                members.remove("strict");
            }
            if self.plain_schemas {
                for pointer in ["/parameters", "/function/parameters"] {
                    if let Some(schema) = tool.pointer_mut(pointer) {
                        *schema = plain(schema);
                    }
                }
            }
        }
        body
    }

    /// Learns from a refusal of what was sent; false when it teaches nothing, so that the same
    /// request would be refused again.
    pub(super) fn learn(&mut self, status: u16, said: &ErrorBody, sent: &Value) -> bool {
        let before = self.clone();
        let model = sent["model"]
            .as_str()
            .is_some_and(|model| said.reason.contains(model));
        let wants_responses = said.reason.contains("/responses");
        match status {
            400 | 404 if self.api == Api::Chat && wants_responses && !self.only_chat => {
                self.api = Api::Responses;
            }
            404 | 405 if !model => self.learn_address(),
            _ if said.is_page && status == 200 => self.learn_address(),
            400 | 422 | 501 => self.learn_members(said, sent),
            _ => {}
        }
        *self != before
    }

    fn learn_address(&mut self) {
        if !self.other_address {
            self.other_address = true;
        } else if self.api == Api::Responses && !self.only_chat {
            *self = Self {
                only_chat: true,
                effort_none: true,
                ..Self::default()
            };
        }
    }

    fn learn_members(&mut self, said: &ErrorBody, sent: &Value) {
        let parts = [
            "thought_signature",
            "reasoning_content",
            "reasoning_details",
            "extra_content",
        ];
        if parts
            .iter()
            .any(|part| said.reason.contains(part) || said.names(part))
        {
            self.opaque = match self.opaque {
                Opaque::Back if said.names("reasoning_content") => Opaque::Reasoned,
                Opaque::Back if said.names("thought_signature") && said.is_googles => {
                    Opaque::Signed
                }
                // What a gateway misses is not made up for it
                Opaque::Back if said.reason.contains("missing") => return,
                _ => Opaque::Out,
            };
            return;
        }
        let mut found = false;
        for name in OPTIONAL {
            let sent_effort = name == "reasoning_effort" || name == "reasoning";
            let there = sent.get(name).is_some() || name == "strict";
            if !(there || sent_effort) || !said.names(name) {
                continue;
            }
            let off = said.reason.contains("none") || said.reason.contains("/chat/completions");
            found |= match name {
                "max_completion_tokens" if !self.without.contains("max_tokens") => {
                    self.older_limit = true;
                    true
                }
                "reasoning_effort" if !self.effort_none && off => {
                    self.effort_none = true;
                    true
                }
                _ if there => {
                    self.effort_none &= !sent_effort;
                    self.without.insert(name)
                }
                _ => false,
            };
        }
        let schema = [
            "schema",
            "function_declarations",
            "parameters",
            "additionalProperties",
        ];
        if !found
            && schema.iter().any(|word| {
                said.reason.contains(word) || said.named.iter().any(|path| path.contains(word))
            })
        {
            self.plain_schemas = true;
        }
    }

    /// What was learned about the server, for the log.
    pub(super) fn summary(&self) -> Value {
        json!({ "api": self.api.path(), "limit": self.limit_name(), "without": self.without, "effort_none": self.effort_none,
            "plain_schemas": self.plain_schemas, "other_address": self.other_address })
    }
}

/// Schema without the keywords that some servers refuse.
fn plain(schema: &Value) -> Value {
    let Value::Object(members) = schema else {
        return schema.clone();
    };
    let kept = members
        .iter()
        .filter(|(name, _)| PLAIN.contains(&name.as_str()));
    let kept = kept.map(|(name, value)| {
        let value = match (name.as_str(), value) {
            ("properties", Value::Object(fields)) => {
                let fields = fields
                    .iter()
                    .map(|(name, field)| (name.clone(), plain(field)));
                Value::Object(fields.collect())
            }
            ("items", items) => plain(items),
            // Several types at once: the first that is not null
            ("type", Value::Array(types)) => types
                .iter()
                .find(|of| *of != "null")
                .cloned()
                .unwrap_or_default(),
            (_, value) => value.clone(),
        };
        (name.clone(), value)
    });
    Value::Object(kept.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(refusals: &[(u16, &str)], sent: &Value) -> Profile {
        let mut profile = Profile::default();
        for (status, body) in refusals {
            let said = ErrorBody::parse(body);
            assert!(
                profile.learn(*status, &said, &profile.fit(sent.clone())),
                "{body} teaches"
            );
        }
        profile
    }

    #[test]
    fn refused_members_are_replaced_or_left_out() {
        let sent = json!({ "model": "m", "max_completion_tokens": 1, "parallel_tool_calls": true, "user": "c", "stream_options": {} });
        let both = r#"{"detail":[{"loc":["body","max_completion_tokens"],"msg":"Extra"},{"loc":["body","user"],"msg":"Extra"}]}"#;
        let profile = learned(&[(422, both)], &sent);
        assert_eq!(profile.limit_name(), "max_tokens");
        assert!(profile.fit(sent.clone()).get("user").is_none());
        let profile = learned(
            &[(
                400,
                r#"{"error":{"message":"Unsupported parameter: 'parallel_tool_calls'","param":"parallel_tool_calls"}}"#,
            )],
            &sent,
        );
        assert!(
            profile
                .fit(sent.clone())
                .get("parallel_tool_calls")
                .is_none()
        );
        let other = ErrorBody::parse(r#"{"error":{"message":"The model `m` does not exist"}}"#);
        for status in [400, 401, 404, 500] {
            assert!(!Profile::default().learn(status, &other, &sent), "{status}");
        }
    }

    #[test]
    fn tools_lead_to_the_other_interface_and_back() {
        let sent = json!({ "model": "gpt-5.6", "tools": [] });
        let refused = "Function tools with reasoning_effort are not supported for gpt-5.6 in /v1/chat/completions. To use function \
            tools, use /v1/responses or set reasoning_effort to 'none'.";
        let profile = learned(&[(400, refused)], &sent);
        assert_eq!(profile.api, Api::Responses);
        // A gateway without it
        let absent = (404, "404 page not found");
        let profile = learned(&[(400, refused), absent, absent], &sent);
        assert_eq!(
            (profile.api, profile.effort(Some("low"))),
            (Api::Chat, Some("none"))
        );
    }

    #[test]
    fn a_signature_is_made_up_for_google_alone() {
        let words = "Function call is missing a thought_signature in functionCall parts.";
        let google =
            json!({ "error": { "code": 400, "message": words, "status": "INVALID_ARGUMENT" } });
        let [listed, passed_on] = [
            json!([google]),
            json!({ "error": { "message": words, "metadata": { "raw": google.to_string() } } }),
        ];
        let needs = "The `reasoning_content` in the thinking mode must be passed back to the API.";
        let strict = "messages.2: extra_content: Extra inputs are not permitted";
        for (said, once, twice) in [
            (google.to_string(), Opaque::Signed, Opaque::Out),
            (listed.to_string(), Opaque::Signed, Opaque::Out),
            (passed_on.to_string(), Opaque::Back, Opaque::Back),
            (words.to_owned(), Opaque::Back, Opaque::Back),
            (needs.to_owned(), Opaque::Reasoned, Opaque::Out),
            (strict.to_owned(), Opaque::Out, Opaque::Out),
        ] {
            let (said, mut profile) = (ErrorBody::parse(&said), Profile::default());
            for learned in [once, twice] {
                profile.learn(400, &said, &json!({ "model": "m" }));
                assert_eq!(profile.opaque, learned, "{said:?}");
            }
        }
    }

    #[test]
    fn schemas_lose_what_is_refused() {
        let schema = json!({ "type": ["string", "null"], "minLength": 3, "enum": ["a"] });
        let schema = json!({ "type": "object", "additionalProperties": false, "properties": { "format": schema }, "required": ["format"] });
        let sent = json!({ "tools": [{ "type": "function", "function": { "name": "t", "parameters": schema } }] });
        let refused = r#"[{"error":{"code":400,"message":"Unknown name \"additionalProperties\" at 'tools[0].function_declarations[0].parameters': Cannot find field."}}]"#;
        let fitted = learned(&[(400, refused)], &sent).fit(sent);
        let field = json!({ "type": "string", "enum": ["a"] });
        let plain =
            json!({ "type": "object", "properties": { "format": field }, "required": ["format"] });
        assert_eq!(fitted["tools"][0]["function"]["parameters"], plain);
    }
}
