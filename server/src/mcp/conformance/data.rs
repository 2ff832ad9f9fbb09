//! The fixtures as data: `fixtures.json`.

use std::{collections::BTreeMap, sync::LazyLock};

use rmcp::model::{
    CallToolResult, ElicitRequestParams, GetPromptResult, InputRequests, Prompt, Resource,
    ResourceContents, ResourceTemplate, Tool,
};
use serde::Deserialize;

static DATA: LazyLock<Option<Data>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("fixtures.json"))
        .inspect_err(|error| tracing::error!(%error, "the fixtures can't be read"))
        .ok()
});

/// What is asked for in turn, and whether the place in it is sealed into a state.
#[derive(Debug, Deserialize)]
pub struct Rounds {
    /// The requests of each round.
    pub asks: Vec<InputRequests>,
    /// Whether a state goes with them.
    #[serde(default)]
    pub sealed: bool,
}

/// A tool that runs as a task where the client knows tasks.
#[derive(Debug, Deserialize)]
pub struct Job {
    /// Whether it runs in no other way.
    #[serde(default)]
    pub required: bool,
    /// How long, unless the caller says.
    #[serde(default)]
    pub lasts_ms: u64,
    /// What it asks for meanwhile, all at once.
    #[serde(default)]
    pub asks: InputRequests,
    /// Its result, if it has one of its own.
    pub result: Option<CallToolResult>,
    /// The protocol error it ends with, if it does.
    pub error: Option<String>,
}

/// All of them.
#[derive(Debug, Deserialize)]
pub struct Data {
    /// As listed.
    pub tools: Vec<Tool>,
    /// Of tools that always answer the same.
    pub results: BTreeMap<String, CallToolResult>,
    /// What tools ask people of clients with a session.
    pub forms: BTreeMap<String, ElicitRequestParams>,
    /// What tools and prompts ask through `input_required`.
    pub rounds: BTreeMap<String, Rounds>,
    /// Tools that run as tasks.
    pub tasks: BTreeMap<String, Job>,
    /// As listed.
    pub resources: Vec<Resource>,
    /// By address.
    pub contents: BTreeMap<String, ResourceContents>,
    /// As listed.
    pub templates: Vec<ResourceTemplate>,
    /// As listed.
    pub prompts: Vec<Prompt>,
    /// Of prompts that are always the same.
    pub messages: BTreeMap<String, GetPromptResult>,
}

/// Read once.
pub fn data() -> Option<&'static Data> {
    DATA.as_ref()
}
