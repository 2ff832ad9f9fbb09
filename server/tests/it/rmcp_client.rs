//! The official Rust client of MCP against the real tools, in both generations of the protocol.

use rmcp::{
    ClientLifecycleMode, ClientServiceExt, ServiceError,
    model::{CallToolRequestParams, CallToolResult, ProtocolVersion},
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};

use crate::{fake_dispatcher, prelude::*};

fn call(tool: &'static str, arguments: &Value) -> CallToolRequestParams {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    CallToolRequestParams::new(tool).with_arguments(arguments)
}

/// The answer, and whether it is an error.
fn answer(result: &CallToolResult) -> (Value, bool) {
    let content = result.structured_content.clone();
    (content.unwrap_or_default(), result.is_error == Some(true))
}

#[tokio::test]
async fn the_official_client_reads_writes_once_and_is_refused() {
    let hotel = TestHotel::open().await;
    let token = hotel.token(Persona::Guest, BETH).await;
    let transport = |token: &str| {
        let config = StreamableHttpClientTransportConfig::with_uri(hotel.url("/mcp/guest"));
        StreamableHttpClientTransport::with_client(
            fake_dispatcher::client(),
            config.auth_header(token),
        )
    };
    let modern = vec![ProtocolVersion::V_2026_07_28];
    let mut executions = Vec::new();
    for lifecycle in [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover {
            preferred_versions: modern,
        },
    ] {
        let client = ().serve_with_lifecycle(transport(&token), lifecycle.clone());
        let client = client
            .await
            .unwrap_or_else(|error| panic!("{lifecycle:?} {error}"));
        assert!(client.peer_info().is_some(), "{lifecycle:?}");
        let tools = client.list_all_tools().await.unwrap();
        let listed = |name: &str| tools.iter().any(|tool| tool.name == name);
        assert!(listed("get_folio") && !listed("post_charge"), "{tools:?}");

        let folio = client.call_tool(call("get_folio", &json!({}))).await;
        let (folio, failed) = answer(&folio.unwrap());
        assert!(!failed && folio["data"]["balance"] == 25000, "{folio}");

        let towels = json!({ "type": "Housekeeping", "description": "Two towels",
            "idempotency_token": "towels" });
        let towels = call("submit_guest_service_request", &towels);
        let (written, failed) = answer(&client.call_tool(towels).await.unwrap());
        assert!(!failed, "{written}");
        executions.push(written["execution_id"].clone());

        // A refusal of the tool, and one of the protocol
        let nobody = call(
            "get_folio",
            &json!({ "guest_email": "wei.chen@example.com" }),
        );
        let (refused, failed) = answer(&client.call_tool(nobody).await.unwrap());
        assert!(
            failed && refused["error_code"] == "NOT_YOUR_STAY",
            "{refused}"
        );
        let unknown = client.call_tool(call("post_charge", &json!({}))).await;
        assert!(
            matches!(unknown, Err(ServiceError::McpError(_))),
            "{unknown:?}"
        );
        client.cancel().await.unwrap();
    }
    assert!(executions[0].is_string() && executions[0] == executions[1]);

    let stranger = ().serve_with_lifecycle(transport("wrong"), ClientLifecycleMode::Initialize);
    assert!(stranger.await.is_err(), "a wrong token is refused");
}
