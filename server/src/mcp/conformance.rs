//! Fixtures for the public MCP conformance suite, at `/mcp/conformance`: a third persona behind the
//! same layers and the same tool-call wrapper as guests and staff, so that the suite's results hold
//! for them. Built only with the feature `conformance`; nothing here touches the hotel. Requires a
//! staff token.
//!
//! The suite's 2025 scenarios ask people and models in the middle of a call, through requests from
//! the server to the client. Those need a session, so only this persona uses rmcp's session mode;
//! the hotel's personas never ask that way.

#![expect(deprecated, reason = "the 2025 scenarios use what 2026 no longer has")]

mod fixtures;
mod input_required;
mod interactive_tools;
mod resources_and_prompts;
mod tasks;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::Router;
use dewy_domain::caller::Persona;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams,
        CompleteResult, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult,
        Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
        ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams,
        SubscriptionFilter, Tool, UnsubscribeRequestParams, UpdateTaskParams,
    },
    service::{RequestContext, SubscriptionContext, SubscriptionSink},
    task_manager::TaskManager,
    transport::streamable_http_server::{
        StreamableHttpService, session::local::LocalSessionManager,
    },
};

use super::{
    McpParts, cancel_on_disconnect::run_until_disconnect, config, elicit_confirmation::Confirm,
    layered,
};
use fixtures::{Fixtures, data};

pub fn router(parts: &McpParts) -> Router {
    let fixture = Fixture {
        confirm: parts.confirm.clone(),
        listeners: Arc::default(),
        count: Arc::default(),
        tasks: TaskManager::new(),
    };
    let config = config(parts).with_legacy_session_mode(true);
    let service = StreamableHttpService::new(
        move || Ok(fixture.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    layered("/mcp/conformance", Persona::Staff, parts, true, service)
}

#[derive(Clone)]
struct Fixture {
    /// Seals states the same way as the hotel's confirmations.
    confirm: Confirm,
    listeners: Arc<Mutex<BTreeMap<u64, SubscriptionSink>>>,
    count: Arc<AtomicU64>,
    tasks: TaskManager,
}

impl Fixture {
    fn data(&self) -> Result<&'static Fixtures, ErrorData> {
        data().ok_or_else(|| ErrorData::internal_error("the fixtures can't be read", None))
    }

    fn listeners(&self) -> MutexGuard<'_, BTreeMap<u64, SubscriptionSink>> {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn run(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let data = self.data()?;
        if let Some(result) = data.results.get(request.name.as_ref()) {
            return Ok(result.clone().into());
        }
        if let Some(job) = data.tasks.get(request.name.as_ref()) {
            return tasks::call(self, data, job, request, context).await;
        }
        if let Some(rounds) = data.rounds.get(request.name.as_ref()) {
            return input_required::call(&self.confirm, rounds, request, context).await;
        }
        interactive_tools::call(self, data, request, context).await
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_logging()
            .enable_completions()
            .enable_tasks();
        ServerConfig::new(can.build())
            .with_server_info(Implementation::new(
                "dewy-conformance",
                env!("CARGO_PKG_VERSION"),
            ))
            .with_instructions("Fixtures of the conformance suite.")
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        data()?.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(resources_and_prompts::private(
            ListToolsResult::with_all_items(self.data()?.tools.clone()),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        run_until_disconnect(&context, false, self.run(request, &context)).await
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(resources_and_prompts::private(
            ListResourcesResult::with_all_items(self.data()?.resources.clone()),
        ))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(resources_and_prompts::private(
            ListResourceTemplatesResult::with_all_items(self.data()?.templates.clone()),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources_and_prompts::read(self.data()?, &request.uri)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(resources_and_prompts::private(
            ListPromptsResult::with_all_items(self.data()?.prompts.clone()),
        ))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let data = self.data()?;
        match data.rounds.get(request.name.as_str()) {
            Some(rounds) => input_required::prompt(&self.confirm, rounds, request, &context).await,
            None => resources_and_prompts::prompt(data, &request),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        resources_and_prompts::complete(&request)
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        Ok(GetTaskResult::new(self.tasks.get_task(&request.task_id)?))
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks
            .update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        self.listeners().insert(number, context.sink().clone());
        context.cancelled().await;
        self.listeners().remove(&number);
        Ok(())
    }
}
