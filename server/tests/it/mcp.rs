//! MCP endpoints over raw HTTP, in both protocol generations.

use std::sync::atomic::Ordering;

use dewy_domain::{tool::Tool, tool_catalog};

use crate::{fake_dispatcher::mcp_over_fake, prelude::*};

/// One endpoint and one token.
pub struct Mcp {
    pub url: String,
    pub token: String,
    pub client: reqwest::Client,
}

/// Which era a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    Legacy,
    Modern,
}

pub const ERAS: [Era; 2] = [Era::Legacy, Era::Modern];

impl Mcp {
    pub fn new(base: &str, persona: &str, token: &str) -> Self {
        Self {
            url: format!("{base}/mcp/{persona}"),
            token: token.to_owned(),
            client: crate::fake_dispatcher::client(),
        }
    }

    pub fn post(&self) -> reqwest::RequestBuilder {
        self.client
            .post(&self.url)
            .bearer_auth(&self.token)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
    }

    /// What is in `params._meta` already stays there: a progress token, the client's capabilities.
    pub fn message(&self, era: Era, method: &str, mut params: Value) -> reqwest::RequestBuilder {
        let mut request = self.post();
        match era {
            Era::Legacy => request = request.header("mcp-protocol-version", "2025-06-18"),
            Era::Modern => {
                let mut meta = json!({
                    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {},
                    "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" }
                });
                if let (Some(meta), Some(given)) =
                    (meta.as_object_mut(), params["_meta"].as_object())
                {
                    meta.extend(given.clone());
                }
                params["_meta"] = meta;
                request = request
                    .header("mcp-protocol-version", "2026-07-28")
                    .header("mcp-method", method);
                if let Some(name) = ["name", "uri", "taskId"]
                    .iter()
                    .find_map(|key| params[*key].as_str())
                {
                    request = request.header("mcp-name", name);
                }
            }
        }
        request.body(
            json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }).to_string(),
        )
    }

    pub async fn send(&self, era: Era, method: &str, params: Value) -> (u16, Value) {
        let response = self.message(era, method, params).send().await.unwrap();
        let status = response.status().as_u16();
        let text = response.text().await.unwrap();
        (
            status,
            serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status} {text}")),
        )
    }

    /// Calls a tool and returns its result, which must be one.
    pub async fn call(&self, era: Era, tool: &str, arguments: Value) -> Value {
        let (status, body) = self
            .send(
                era,
                "tools/call",
                json!({ "name": tool, "arguments": arguments }),
            )
            .await;
        assert_eq!(status, 200, "{body}");
        let result = &body["result"];
        assert!(result.is_object(), "{body}");
        // Clients refuse a result that breaks the schema they were told.
        let listed = tool_catalog::all()
            .iter()
            .find(|entry| entry.name == tool)
            .unwrap()
            .output_schema();
        if let Err(fault) = jsonschema::validate(&listed, &result["structuredContent"]) {
            panic!(
                "{tool} breaks its own outputSchema at {}: {fault}",
                fault.instance_path()
            );
        }
        result.clone()
    }

    /// The same in the modern era; returns what programs read of the result.
    pub async fn tool(&self, tool: &str, arguments: Value) -> Value {
        self.call(Era::Modern, tool, arguments).await["structuredContent"].take()
    }
}

#[tokio::test]
async fn both_protocol_generations_list_and_call() {
    let (base, _) = mcp_over_fake().await;
    let guest = Mcp::new(&base, "guest", "beth");
    let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let (_, opened) = guest.send(Era::Legacy, "initialize", hello).await;
    assert_eq!(opened["result"]["protocolVersion"], "2025-06-18");
    assert!(
        opened["result"]["instructions"]
            .as_str()
            .unwrap()
            .contains("get_folio")
    );
    let (_, found) = guest.send(Era::Modern, "server/discover", json!({})).await;
    assert!(
        found["result"]["supportedVersions"]
            .as_array()
            .unwrap()
            .contains(&json!("2026-07-28")),
        "{found}"
    );
    assert_eq!(
        found["result"]["capabilities"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["tools"]
    );
    assert_eq!(
        found["result"]["instructions"], opened["result"]["instructions"],
        "each persona's own"
    );
    assert!(
        found["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["title"]
            .as_str()
            .unwrap()
            .contains("guest")
    );
    assert_eq!(
        (&found["result"]["cacheScope"], &found["result"]["ttlMs"]),
        (&json!("private"), &json!(60_000))
    );

    for era in ERAS {
        let (_, first) = guest.send(era, "tools/list", json!({})).await;
        let (_, second) = guest.send(era, "tools/list", json!({})).await;
        assert_eq!(first, second, "the order is the same each time");
        let tools = first["result"]["tools"].as_array().unwrap();
        let names: Vec<&str> = tools.iter().filter_map(|t| t["name"].as_str()).collect();
        let all = tool_catalog::all()
            .iter()
            .filter(|tool| tool.personas.contains(&Persona::Guest));
        assert_eq!(
            names,
            all.map(|tool| tool.name).collect::<Vec<_>>(),
            "in the catalog's order"
        );
        if era == Era::Modern {
            assert_eq!(first["result"]["cacheScope"], "private");
            assert_eq!(first["result"]["resultType"], "complete");
        }
        let result = guest.call(era, "get_folio", json!({})).await;
        assert_eq!(result["isError"], false);
        assert_eq!(
            result["structuredContent"]["data"]["asked_by"],
            "guest:beth.gibbs@email.com"
        );
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("$250.00") && text.contains("25000"), "{text}");
    }
}

#[tokio::test]
async fn business_errors_are_results_with_next_steps() {
    let (base, _) = mcp_over_fake().await;
    let guest = Mcp::new(&base, "guest", "beth");
    for era in ERAS {
        let missing = guest
            .call(era, "get_folio", json!({ "booking_number": "BK-0404" }))
            .await;
        assert_eq!(missing["isError"], true);
        assert_eq!(
            missing["structuredContent"]["error_code"],
            "BOOKING_NOT_FOUND"
        );
        assert_eq!(missing["structuredContent"]["retry_safe"], false);
        let text = missing["content"][0]["text"].as_str().unwrap();
        assert!(
            text.contains("BOOKING_NOT_FOUND")
                && text.contains("Next:")
                && text.contains("retry_safe: false"),
            "{text}"
        );

        for arguments in [
            json!({ "amount": 1 }),
            json!({ "amount": 1, "idempotency_token": 5 }),
        ] {
            let faulty = guest.call(era, "process_guest_checkout", arguments).await;
            assert_eq!(faulty["isError"], true);
            assert_eq!(
                faulty["structuredContent"]["details"]["problems"][0]["field"],
                "idempotency_token"
            );
            assert!(
                faulty["content"][0]["text"]
                    .as_str()
                    .unwrap()
                    .contains("idempotency_token")
            );
        }
        let pending = guest
            .call(
                era,
                "process_guest_checkout",
                json!({ "amount": 1, "booking_number": "BK-0202", "idempotency_token": "t" }),
            )
            .await;
        assert_eq!(pending["isError"], false, "not finished yet is no error");
        assert!(
            pending["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("get_execution")
        );
        let done = guest
            .call(
                era,
                "process_guest_checkout",
                json!({ "amount": 1, "idempotency_token": "t-1" }),
            )
            .await;
        assert_eq!(done["structuredContent"]["data"]["token"], "t-1");
        assert_eq!(
            done["structuredContent"]["data"]["extra"],
            json!({ "amount": 1 }),
            "the token is no part of the input"
        );
    }
}

#[tokio::test]
async fn tools_that_a_role_lacks_do_not_exist_for_it() {
    let (base, seen) = mcp_over_fake().await;
    for era in ERAS {
        for (token, tool) in [
            ("broom", "process_guest_checkout"),
            ("desk", "drop_all_tables"),
        ] {
            let staff = Mcp::new(&base, "staff", token);
            let (_, body) = staff
                .send(era, "tools/call", json!({ "name": tool, "arguments": {} }))
                .await;
            assert_eq!(body["error"]["code"], -32602, "{body}");
            assert_eq!(body["error"]["message"], format!("unknown tool: {tool}"));
        }
        for params in [
            json!({ "name": "get_folio", "arguments": [] }),
            json!({ "name": "get_folio", "arguments": "BK-0042" }),
            json!({ "arguments": {} }),
            json!({ "name": 7 }),
        ] {
            let (_, body) = Mcp::new(&base, "guest", "beth")
                .send(era, "tools/call", params.clone())
                .await;
            // A 2026 client has to repeat the name in a header, and may be told of that first.
            let code = body["error"]["code"].as_i64().unwrap();
            assert!(
                code == -32602 || (code == -32020 && !params["name"].is_string()),
                "{params}: {body}"
            );
        }
        let (_, list) = Mcp::new(&base, "staff", "broom")
            .send(era, "tools/list", json!({}))
            .await;
        let listed: Vec<_> = list["result"]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].clone())
            .collect();
        let theirs = |tool: &&Tool| {
            tool.personas.contains(&Persona::Staff) && tool.roles.contains(&Role::Housekeeping)
        };
        assert_eq!(
            listed,
            tool_catalog::all()
                .iter()
                .filter(theirs)
                .map(|tool| json!(tool.name))
                .collect::<Vec<_>>()
        );
        assert!(listed.len() < tool_catalog::all().len() / 2, "{listed:?}");
        let guest = Mcp::new(&base, "guest", "beth");
        for (method, params) in [
            ("prompts/list", json!({})),
            ("prompts/get", json!({ "name": "x" })),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("resources/read", json!({ "uri": "x:y" })),
            ("resources/subscribe", json!({ "uri": "x:y" })),
            ("logging/setLevel", json!({ "level": "info" })),
            ("tasks/get", json!({ "taskId": "x" })),
            (
                "completion/complete",
                json!({ "ref": { "type": "ref/prompt", "name": "x" }, "argument": { "name": "a", "value": "b" } }),
            ),
            ("no/such", json!({})),
        ] {
            let (status, body) = guest.send(era, method, params).await;
            assert_eq!(body["error"]["code"], -32601, "{method}: {body}");
            assert_eq!(
                status,
                if era == Era::Modern { 404 } else { 200 },
                "{method}"
            );
        }
    }
    assert_eq!(seen.begun.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn without_a_valid_token_the_response_is_401() {
    let (base, _) = mcp_over_fake().await;
    for (persona, token) in [
        ("guest", "desk"),
        ("staff", "beth"),
        ("guest", "nonsense"),
        ("guest", ""),
    ] {
        let mcp = Mcp::new(&base, persona, token);
        let response = mcp
            .message(Era::Legacy, "tools/list", json!({}))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), 401, "{persona} {token}");
        assert!(
            response.headers()["www-authenticate"]
                .to_str()
                .unwrap()
                .starts_with("Bearer")
        );
        assert_eq!(response.headers()["content-type"], "application/json");
        let body: Value = response.json().await.unwrap();
        assert_eq!(
            (&body["jsonrpc"], &body["id"]),
            (&json!("2.0"), &Value::Null)
        );
        assert!(body["error"]["code"].is_i64(), "{body}");
        assert!(body["error"]["message"].is_string(), "{body}");
    }
    let bare = crate::fake_dispatcher::client()
        .post(format!("{base}/mcp/guest"))
        .body("{}")
        .send()
        .await
        .unwrap();
    assert_eq!(bare.status(), 401);
    assert_eq!(bare.headers()["www-authenticate"], "Bearer realm=\"dewy\"");
    // A body that would be refused is not even looked at without a token.
    let big = crate::fake_dispatcher::client()
        .post(format!("{base}/mcp/staff"))
        .body(vec![b'x'; 600_000])
        .send()
        .await;
    assert!(big.is_err() || big.unwrap().status() == 401);
}

#[tokio::test]
async fn the_accepted_response_format_is_used() {
    let (base, _) = mcp_over_fake().await;
    let beth = Mcp::new(&base, "guest", "beth");
    let list = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list" }).to_string();
    let ask = async |accept: &str| {
        let request = beth
            .client
            .post(&beth.url)
            .bearer_auth("beth")
            .header("content-type", "application/json");
        let response = request
            .header("accept", accept)
            .body(list.clone())
            .send()
            .await
            .unwrap();
        let kind = response.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        (
            response.status().as_u16(),
            kind,
            response.text().await.unwrap(),
        )
    };
    for accept in [
        "application/json",
        "application/json, text/event-stream",
        "*/*",
    ] {
        let (status, kind, text) = ask(accept).await;
        assert_eq!(
            (status, kind.as_str()),
            (200, "application/json"),
            "{accept} {text}"
        );
        assert!(
            serde_json::from_str::<Value>(&text).unwrap()["result"]["tools"].is_array(),
            "{text}"
        );
    }
    let (status, kind, text) = ask("text/event-stream").await;
    assert_eq!(
        (status, kind.as_str()),
        (200, "text/event-stream"),
        "{text}"
    );
    let data = text
        .lines()
        .find_map(|line| line.strip_prefix("data: "))
        .unwrap();
    assert!(
        serde_json::from_str::<Value>(data).unwrap()["result"]["tools"].is_array(),
        "{text}"
    );
    let (status, kind, text) = ask("text/html").await;
    assert_eq!((status, kind.as_str()), (406, "application/json"), "{text}");
}

#[tokio::test]
async fn a_disconnected_caller_drops_reads_but_never_writes() {
    let (base, seen) = mcp_over_fake().await;
    let guest = Mcp::new(&base, "guest", "beth");
    let impatient = Duration::from_millis(150);
    let write = json!({ "name": "process_guest_checkout", "arguments": { "amount": 1, "idempotency_token": "t" } });
    let read = json!({ "name": "get_folio", "arguments": { "booking_number": "BK-7777" } });
    for era in ERAS {
        for params in [&write, &read] {
            let gone = guest
                .message(era, "tools/call", params.clone())
                .timeout(impatient)
                .send()
                .await;
            assert!(gone.is_err_and(|e| e.is_timeout()));
        }
    }
    tokio::time::sleep(Duration::from_millis(2500)).await;
    assert_eq!(
        (
            seen.begun.load(Ordering::SeqCst),
            seen.finished.load(Ordering::SeqCst)
        ),
        (2, 2)
    );
    assert_eq!(
        (
            seen.reads.load(Ordering::SeqCst),
            seen.read_ends.load(Ordering::SeqCst)
        ),
        (2, 0)
    );
}

#[tokio::test]
async fn hosts_origins_and_methods_are_checked() {
    let (base, _) = mcp_over_fake().await;
    let guest = Mcp::new(&base, "guest", "beth");
    let list = || guest.message(Era::Legacy, "tools/list", json!({}));
    for (name, value, status) in [
        ("host", "hotel.example", 200),
        ("host", "evil.example", 403),
        ("origin", "https://hotel.example", 200),
        ("origin", "http://localhost:6274", 200),
        ("origin", "https://evil.example", 403),
        ("origin", "http://hotel.example", 403),
        ("accept", "*/*", 200),
    ] {
        let mut request = list().build().unwrap();
        request.headers_mut().insert(
            reqwest::header::HeaderName::from_static(name),
            value.parse().unwrap(),
        );
        let response = guest.client.execute(request).await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{name}: {value}");
    }
    for method in [
        reqwest::Method::GET,
        reqwest::Method::DELETE,
        reqwest::Method::PUT,
    ] {
        let refused = guest
            .client
            .request(method.clone(), &guest.url)
            .bearer_auth("beth")
            .send()
            .await
            .unwrap();
        assert_eq!(
            (
                refused.status().as_u16(),
                refused.headers()["allow"].to_str().unwrap()
            ),
            (405, "POST"),
            "{method}"
        );
    }
    let preflight = |origin: &'static str| {
        guest
            .client
            .request(reqwest::Method::OPTIONS, &guest.url)
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "authorization, mcp-protocol-version",
            )
            .send()
    };
    let friend = preflight("http://localhost:6274").await.unwrap();
    assert_eq!(
        friend.headers()["access-control-allow-origin"],
        "http://localhost:6274"
    );
    assert!(
        !preflight("https://evil.example")
            .await
            .unwrap()
            .headers()
            .contains_key("access-control-allow-origin")
    );
}
