//! Transport that returns canned responses and records its requests.

use std::{collections::VecDeque, sync::Mutex};

use async_trait::async_trait;

use crate::{prelude::*, recorded_soql};

pub type Response = Result<HttpResponse, TransportError>;

#[derive(Debug, Default)]
pub struct Canned {
    answers: Mutex<VecDeque<Response>>,
    seen: Mutex<Vec<HttpRequest>>,
}

impl Canned {
    pub fn new(answers: impl IntoIterator<Item = Response>) -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::new(answers.into_iter().collect()),
            seen: Mutex::default(),
        })
    }

    /// Recorded requests, except token requests.
    pub fn seen(&self) -> Vec<HttpRequest> {
        self.seen.lock().unwrap().clone()
    }
}

#[async_trait]
impl Transport for Canned {
    async fn send(&self, request: HttpRequest, _: Duration) -> Response {
        if request.url.ends_with("/services/oauth2/token") {
            let token = r#"{"access_token":"00D!token","instance_url":"https://na1.example","token_type":"Bearer"}"#;
            return status(200, token);
        }
        recorded_soql::record(&request);
        self.seen.lock().unwrap().push(request);
        self.answers
            .lock()
            .unwrap()
            .pop_front()
            .unwrap_or_else(|| Err(TransportError::Connect("nothing prepared".to_owned())))
    }
}

pub fn status(status: u16, body: &str) -> Response {
    Ok(HttpResponse {
        status,
        headers: Vec::new(),
        body: body.as_bytes().to_vec(),
    })
}

pub fn with_header(response: Response, name: &str, value: &str) -> Response {
    response.map(|mut response| {
        response.headers.push((name.to_owned(), value.to_owned()));
        response
    })
}

pub fn salesforce_config() -> SalesforceConfig {
    SalesforceConfig::new(
        "https://hotel.my.salesforce.example",
        "client",
        "s3cr&t".to_owned().into(),
    )
}

pub fn salesforce(transport: Arc<dyn Transport>) -> Salesforce {
    Salesforce::new(salesforce_config(), transport, Arc::new(TestClock::new()))
}

pub fn stripe(transport: Arc<dyn Transport>) -> Stripe {
    Stripe::new(
        StripeConfig::new("sk_test_hidden".to_owned().into()),
        transport,
        Arc::new(TestClock::new()),
    )
}
