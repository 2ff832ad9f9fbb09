//! The log says of every request which execution it was about.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tracing::{
    Subscriber,
    field::{Field, Visit},
    span::{Id, Record},
};
use tracing_subscriber::{
    layer::{Context, Layer, SubscriberExt},
    registry::LookupSpan,
};

use crate::{hotel::TestHotel, mcp::Era};

/// What was recorded on requests' spans.
#[derive(Clone, Default)]
struct Named(Arc<Mutex<Vec<String>>>);

struct Execution<'a>(&'a Named);

impl Visit for Execution<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "execution" {
            self.0.0.lock().unwrap().push(value.to_owned());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.record_str(field, &format!("{value:?}"));
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Named {
    fn on_record(&self, span: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if context.span(span).is_some_and(|span| span.name() == "request") {
            values.record(&mut Execution(self));
        }
    }
}

impl Named {
    fn take(&self) -> Vec<String> {
        let mut named = std::mem::take(&mut *self.0.lock().unwrap());
        named.dedup();
        named
    }
}

/// Started over MCP, joined, read as a page, and heard of by an event.
#[tokio::test]
async fn a_request_is_named_after_its_execution() {
    let named = Named::default();
    // The whole server runs on this test's thread.
    let _here = tracing::subscriber::set_default(tracing_subscriber::registry().with(named.clone()));
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    guest.call(Era::Modern, "get_folio", json!({})).await;
    assert_eq!(named.take(), Vec::<String>::new());
    let order = json!({ "amount": 25000, "idempotency_token": "b" });
    let done = guest.call(Era::Modern, "process_guest_checkout", order).await;
    let id = done["structuredContent"]["execution_id"].as_str().unwrap_or_else(|| panic!("{done}")).to_owned();
    assert_eq!(named.take(), std::slice::from_ref(&id));
    let browser = hotel.browser().guest("beth.gibbs@email.com").await;
    named.take();
    assert_eq!(browser.open(&format!("/guest/execution/{id}")).await.status, 200);
    assert_eq!(named.take(), std::slice::from_ref(&id));
    hotel.get(&format!("/guest/pay/return?execution={id}")).await;
    assert_eq!(named.take(), [id]);
    hotel.close().await;
}
