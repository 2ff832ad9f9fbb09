//! A tool that panics: every interface returns the same typed error, none claims that nothing
//! happened, and the process survives.

use async_trait::async_trait;
use dewy_domain::{concierge::Entry, stay_overview::StayOverview, tool_answer::ToolError};
use dewy_server::startup::overrides::Overrides;

use crate::{audit::recorded, prelude::*};

const REQUEST: &str = "submit_guest_service_request";
/// Fields of a failure that a caller acts on.
const TYPED: [&str; 4] = ["success", "error_code", "next", "retry_safe"];

/// Panics in every folio, and once per token in every request, when its execution has begun.
#[derive(Debug)]
struct Fragile {
    inner: Arc<dyn Dispatcher>,
    broken: Mutex<BTreeSet<Option<String>>>,
}

#[async_trait]
impl Dispatcher for Fragile {
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer {
        assert_ne!(call.tool, "get_folio", "planted");
        let token = (call.tool == REQUEST).then(|| call.idempotency_token.clone());
        let answer = self.inner.dispatch(caller, call).await;
        let first = token.is_some_and(|token| self.broken.lock().unwrap().insert(token));
        assert!(!first, "planted");
        answer
    }

    async fn stay_overview(&self, caller: &Caller) -> Result<StayOverview, ToolError> {
        self.inner.stay_overview(caller).await
    }
}

async fn fragile() -> TestHotel {
    TestHotel::changed(Overrides {
        tools: |inner| {
            Arc::new(Fragile {
                inner,
                broken: Mutex::default(),
            })
        },
        ..Overrides::default()
    })
    .await
}

fn typed(body: &Value) -> Value {
    TYPED.map(|name| body[name].clone()).into()
}

/// Number of cases about this.
fn cases(hotel: &TestHotel, words: &str) -> usize {
    let state = hotel.state();
    let cases = state["salesforce"]["Case"].as_array().unwrap();
    let about = |case: &&Value| {
        case["Description"]
            .as_str()
            .is_some_and(|text| text.contains(words))
    };
    cases.iter().filter(about).count()
}

/// The folio as the concierge's model received it.
async fn told_in_chat(hotel: &TestHotel, browser: &Browser) -> Value {
    browser
        .post(
            "concierge_say",
            "text=What+do+I+owe%3F&idempotency_token=chat",
        )
        .await;
    let store = &hotel.server.store;
    for _ in 0..100 {
        for scripted in store
            .conversations_of(&format!("guest:{BETH}"))
            .await
            .unwrap()
        {
            let entries = store.entries(&scripted.id).await.unwrap();
            let answer = entries.into_iter().find_map(|placed| match placed.entry {
                Entry::Returned { tool, answer, .. } if tool == "get_folio" => Some(answer),
                _ => None,
            });
            if let Some(answer) = answer {
                return answer;
            }
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the concierge did not read the folio");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_panicking_read_has_the_same_answer_everywhere() {
    let hotel = fragile().await;
    let mcp = hotel.guest_mcp(BETH).await;
    let rest = rest(&hotel).await;
    let browser = hotel.browser().guest(BETH).await;
    let failed = json!([
        false,
        "INTERNAL",
        "Send it again with the same idempotency_token.",
        true
    ]);
    for _ in 0..2 {
        let by_mcp = mcp.call(Era::Modern, "get_folio", json!({})).await;
        assert_eq!(typed(&by_mcp["structuredContent"]), failed, "{by_mcp}");
        let by_rest = rest.call("get_folio", None, &json!({})).await;
        assert_eq!(
            (by_rest.status, typed(&by_rest.body)),
            (500, failed.clone())
        );
        let page = browser.open("/guest/folio").await;
        assert!(
            page.text.contains("Something went wrong on our side")
                && !page.text.contains("planted"),
            "{}",
            page.text
        );
    }
    let by_chat = told_in_chat(&hotel, &browser).await;
    assert_eq!(typed(&by_chat), failed, "{by_chat}");
    let nothing = json!({});
    let stays = rest.call("search_rooms_on_behalf_of_guest", None, &nothing);
    assert_eq!(stays.await.status, 200, "everything else goes on");
}

/// A panic after the execution started: the token still finds it, and nothing runs twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_panics_after_its_start_is_found_again() {
    let hotel = fragile().await;
    let (mcp, rest) = (hotel.guest_mcp(BETH).await, rest(&hotel).await);
    let input = |words: &str| json!({ "type": "Housekeeping", "description": words });

    let mut order = input("One by MCP");
    order["idempotency_token"] = json!("m");
    let broken = mcp.call(Era::Modern, REQUEST, order.clone()).await;
    assert_eq!(broken["structuredContent"]["error_code"], "INTERNAL");
    assert_eq!(broken["structuredContent"]["retry_safe"], true);
    let again = mcp.call(Era::Modern, REQUEST, order).await;
    assert_eq!(again["structuredContent"]["success"], true, "{again}");

    let order = input("One by REST");
    let by_rest = rest.call(REQUEST, Some("r"), &order).await;
    assert_eq!(
        typed(&by_rest.body),
        typed(&broken["structuredContent"]),
        "the same as by MCP"
    );
    let again = rest.call(REQUEST, Some("r"), &order).await;
    assert_eq!(again.body["success"], true, "{}", again.body);

    let browser = hotel.browser().guest(BETH).await;
    let fields = "kind=Housekeeping&priority=Medium&description=One+by+form&idempotency_token=f";
    let sent = browser.post("ask", fields).await;
    assert!(
        sent.location().contains("/guest/execution/exe_"),
        "the form leads to what was begun: {} {}",
        sent.status,
        sent.location()
    );
    assert_eq!(browser.open(&path_of(sent.location())).await.status, 200);

    for words in ["One by MCP", "One by REST", "One by form"] {
        assert_eq!(cases(&hotel, words), 1, "{words}");
    }
}

#[tokio::test]
async fn a_panic_is_audited() {
    let hotel = fragile().await;
    rest(&hotel).await.call("get_folio", None, &json!({})).await;
    let call = &recorded(&hotel, 1).await[0].call;
    assert_eq!((call.status, call.outcome.as_str()), (500, "INTERNAL"));
}

async fn rest(hotel: &TestHotel) -> Rest {
    let token = hotel.token(Persona::Guest, BETH).await;
    Rest::new(&hotel.server.public_url, "guest", &token)
}
