//! Fixture data from `fixtures.json`.

use std::{collections::BTreeMap, sync::LazyLock};

use rmcp::model::{
    CallToolResult, ElicitRequestParams, GetPromptResult, InputRequests, Prompt, Resource,
    ResourceContents, ResourceTemplate, Tool,
};
use serde::Deserialize;

static DATA: LazyLock<Option<Fixtures>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("fixtures.json"))
        .inspect_err(|error| tracing::error!(%error, "the fixtures can't be read"))
        .ok()
});

/// Rounds of requests, and whether the position is sealed into a state.
#[derive(Debug, Deserialize)]
pub struct Rounds {
    pub asks: Vec<InputRequests>,
    /// Whether the request carries a state.
    #[serde(default)]
    pub sealed: bool,
}

/// Tool that runs as a task if the client supports tasks.
#[derive(Debug, Deserialize)]
pub struct TaskFixture {
    /// Whether it only runs as a task.
    #[serde(default)]
    pub required: bool,
    /// Duration in milliseconds, unless the caller sets it.
    #[serde(default)]
    pub lasts_ms: u64,
    /// Requests made while it runs, all at once.
    #[serde(default)]
    pub asks: InputRequests,
    /// Its result, if it has a fixed one.
    pub result: Option<CallToolResult>,
    /// Protocol error that it ends with, if any.
    pub error: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Fixtures {
    pub tools: Vec<Tool>,
    /// Results of tools with a fixed result.
    pub results: BTreeMap<String, CallToolResult>,
    /// Forms shown to clients with a session.
    pub forms: BTreeMap<String, ElicitRequestParams>,
    /// Rounds that tools and prompts ask through `input_required`.
    pub rounds: BTreeMap<String, Rounds>,
    /// Tools that run as tasks.
    pub tasks: BTreeMap<String, TaskFixture>,
    pub resources: Vec<Resource>,
    /// Contents of resources by URI.
    pub contents: BTreeMap<String, ResourceContents>,
    pub templates: Vec<ResourceTemplate>,
    pub prompts: Vec<Prompt>,
    /// Messages of prompts without arguments.
    pub messages: BTreeMap<String, GetPromptResult>,
}

/// Fixtures, parsed once.
pub fn data() -> Option<&'static Fixtures> {
    DATA.as_ref()
}
