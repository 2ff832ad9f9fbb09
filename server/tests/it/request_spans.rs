//! The log names the execution that each request was about.

use tracing::{
    Subscriber,
    field::{Field, Visit},
    span::{Id, Record},
};
use tracing_subscriber::{
    filter::filter_fn,
    layer::{Context, Layer, SubscriberExt},
    registry::LookupSpan,
};

use crate::prelude::*;

#[derive(Clone, Default)]
struct RecordedSpans(Arc<Mutex<Vec<String>>>);

struct Execution<'a>(&'a RecordedSpans);

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

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for RecordedSpans {
    fn on_record(&self, span: &Id, values: &Record<'_>, context: Context<'_, S>) {
        if context
            .span(span)
            .is_some_and(|span| span.name() == "request")
        {
            values.record(&mut Execution(self));
        }
    }
}

impl RecordedSpans {
    /// How often requests were named after this execution since it was last asked.
    fn take(&self, id: &str) -> usize {
        let mut named = self.0.lock().unwrap();
        let before = named.len();
        named.retain(|name| name != id);
        before - named.len()
    }
}

/// Started over MCP, joined, read as a page, and heard of by an event. The subscriber is global,
/// because tracing caches callsite interest for all threads; a per-test subscriber would miss some
/// spans.
#[tokio::test]
async fn request_spans_name_their_execution() {
    let named = RecordedSpans::default();
    let requests = filter_fn(|metadata| metadata.is_span() && metadata.name() == "request");
    let everywhere = tracing_subscriber::registry().with(named.clone().with_filter(requests));
    tracing::subscriber::set_global_default(everywhere).expect("no other test sets one");
    let hotel = TestHotel::open().await;
    let guest = hotel.guest_mcp("beth.gibbs@email.com").await;
    let order = json!({ "amount": 25000, "idempotency_token": "b" });
    let done = guest
        .call(Era::Modern, "process_guest_checkout", order)
        .await;
    let id = done["structuredContent"]["execution_id"]
        .as_str()
        .unwrap_or_else(|| panic!("{done}"))
        .to_owned();
    assert!(named.take(&id) > 0, "the call that began it");
    let browser = hotel.browser().guest("beth.gibbs@email.com").await;
    named.take(&id);
    assert_eq!(
        browser.open(&format!("/guest/execution/{id}")).await.status,
        200
    );
    assert!(named.take(&id) > 0, "its page");
    hotel
        .get(&format!("/guest/pay/return?execution={id}"))
        .await;
    assert!(named.take(&id) > 0, "the way back from the bank");
}
