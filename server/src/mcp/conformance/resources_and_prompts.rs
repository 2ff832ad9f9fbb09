//! Resources, prompts and completions.

use rmcp::{
    ErrorData,
    model::{
        CacheScope, CompleteRequestParams, CompleteResult, CompletionInfo, ContentBlock,
        GetPromptRequestParams, GetPromptResponse, GetPromptResult, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PromptMessage,
        ReadResourceResponse, ReadResourceResult, ResourceContents, Role,
    },
};
use serde_json::{Value, json};

use super::fixtures::Fixtures;

/// How long a client may cache a list.
const CACHE_TTL_MS: u64 = 60_000;

/// List with cache hints.
pub trait WithCacheHints: Sized {
    /// Sets the cache hints.
    fn with_cache_hints(self, ttl_ms: u64, scope: CacheScope) -> Self;
}

macro_rules! with_cache_hints {
    ($($list:ty),*) => { $(impl WithCacheHints for $list {
        fn with_cache_hints(self, ttl_ms: u64, scope: CacheScope) -> Self {
            self.with_ttl_ms(ttl_ms).with_cache_scope(scope)
        }
    })* };
}

with_cache_hints!(
    ListToolsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListPromptsResult,
    ReadResourceResult
);

/// Marks a list as private to the caller, like the hotel's own lists.
pub fn private<L: WithCacheHints>(list: L) -> L {
    list.with_cache_hints(CACHE_TTL_MS, CacheScope::Private)
}

/// Resource: fixed, or from the template.
pub fn read(data: &Fixtures, uri: &str) -> Result<ReadResourceResponse, ErrorData> {
    let templated = |uri: &str| {
        let id = uri
            .strip_prefix("test://template/")?
            .strip_suffix("/data")?;
        let text = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") })
            .to_string();
        Some(ResourceContents::text(text, uri).with_mime_type("application/json"))
    };
    let Some(contents) = data.contents.get(uri).cloned().or_else(|| templated(uri)) else {
        let details = json!({ "uri": uri });
        return Err(ErrorData::resource_not_found(
            "there is no such resource",
            Some(details),
        ));
    };
    Ok(private(ReadResourceResult::new(vec![contents])).into())
}

/// Prompt: fixed, or built from its arguments.
pub fn prompt(
    data: &Fixtures,
    request: &GetPromptRequestParams,
) -> Result<GetPromptResponse, ErrorData> {
    if let Some(fixed) = data.messages.get(&request.name) {
        return Ok(fixed.clone().into());
    }
    let given = |name: &str| {
        request
            .arguments
            .as_ref()
            .and_then(|a| a.get(name))
            .and_then(Value::as_str)
    };
    let messages = match request.name.as_str() {
        "test_prompt_with_arguments" => {
            let (one, two) = (
                given("arg1").unwrap_or_default(),
                given("arg2").unwrap_or_default(),
            );
            vec![PromptMessage::new_text(
                Role::User,
                format!("Prompt with arguments: arg1='{one}', arg2='{two}'"),
            )]
        }
        "test_prompt_with_embedded_resource" => {
            let uri = given("resourceUri").unwrap_or("test://static-text");
            let resource =
                ContentBlock::embedded_text(uri, "Embedded resource content for testing.");
            vec![
                PromptMessage::new(Role::User, resource),
                PromptMessage::new_text(Role::User, "Please process the embedded resource above."),
            ]
        }
        other => {
            return Err(ErrorData::invalid_params(
                format!("unknown prompt: {other}"),
                None,
            ));
        }
    };
    Ok(GetPromptResult::new(messages).into())
}

/// Completions that start with the typed text.
pub fn complete(request: &CompleteRequestParams) -> Result<CompleteResult, ErrorData> {
    let typed = request.argument.value.as_str();
    let fitting = ["paris", "park", "party", "test"]
        .into_iter()
        .filter(|word| word.starts_with(typed));
    let info = CompletionInfo::new(fitting.map(str::to_owned).collect());
    Ok(CompleteResult::new(
        info.map_err(|error| ErrorData::internal_error(error, None))?,
    ))
}
