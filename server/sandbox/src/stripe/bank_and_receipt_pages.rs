//! HTML pages: the bank's (Complete or Fail, then back to the hotel) and receipts.

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::Value;

use super::{Call, Stripe, form_encoding, route};

impl Stripe {
    /// Answers `/3ds/{pi}`: the page on GET, the decision on POST.
    pub fn bank_page(&mut self, request: &HttpRequest, base: &str, now: Timestamp) -> HttpResponse {
        let id = route::path(&request.url)
            .trim_start_matches("/3ds/")
            .to_owned();
        let Ok(intent) = self.intent(&id) else {
            return page(404, "<h1>No such payment</h1>");
        };
        if intent["status"] != "requires_action" {
            return page(
                409,
                "<h1>Nothing to confirm</h1><p>This payment does not wait for you.</p>",
            );
        }
        match request.method.as_str() {
            "GET" => page(200, &asking(&intent)),
            "POST" => self.decide(&id, &intent, request, base, now),
            _ => page(405, "<h1>GET or POST</h1>"),
        }
    }

    /// Answers `/receipts/{charge}`.
    #[must_use]
    pub fn receipt_page(&self, request: &HttpRequest) -> HttpResponse {
        let id = route::path(&request.url).trim_start_matches("/receipts/");
        match self
            .ledger
            .get("charges", id)
            .filter(|charge| charge["paid"] == true)
        {
            Some(charge) => page(
                200,
                &format!("<h1>Receipt</h1><p>{} paid.</p>", money(charge)),
            ),
            None => page(404, "<h1>No such receipt</h1>"),
        }
    }

    fn decide(
        &mut self,
        id: &str,
        intent: &Value,
        request: &HttpRequest,
        base: &str,
        now: Timestamp,
    ) -> HttpResponse {
        let call = Call::by_itself(now, base);
        let decision = form_encoding::decode(&request.body);
        let outcome = match decision.get("decision").and_then(Value::as_str) {
            Some("complete") if self.paid(id, &call).is_ok() => "succeeded",
            // Confirmed, but the money arrives, or bounces, later. The page has no button for it.
            Some("processing") if self.stay_processing(id, true, &call).is_ok() => "processing",
            Some("bouncing") if self.stay_processing(id, false, &call).is_ok() => "processing",
            Some("fail") => {
                self.unauthenticated(id, &call);
                "failed"
            }
            _ => return page(400, "<h1>Complete or Fail?</h1>"),
        };
        let back = intent["next_action"]["redirect_to_url"]["return_url"]
            .as_str()
            .and_then(|text| url::Url::parse(text).ok());
        let Some(mut back) = back else {
            return page(200, "<h1>Done</h1><p>You can close this page.</p>");
        };
        back.query_pairs_mut()
            .append_pair("payment_intent", id)
            .append_pair(
                "payment_intent_client_secret",
                intent["client_secret"].as_str().unwrap_or_default(),
            )
            .append_pair("redirect_status", outcome);
        HttpResponse {
            status: 303,
            headers: vec![("location".to_owned(), back.to_string())],
            body: Vec::new(),
        }
    }
}

fn asking(intent: &Value) -> String {
    format!(
        "<h1>Your bank asks</h1><p>Is this payment of <strong>{}</strong> yours?</p>\
         <form method=\"post\"><button name=\"decision\" value=\"complete\">Complete</button> \
         <button name=\"decision\" value=\"fail\">Fail</button></form>",
        money(intent)
    )
}

fn money(object: &Value) -> String {
    let amount = object["amount"].as_i64().unwrap_or(0);
    let currency = object["currency"]
        .as_str()
        .unwrap_or_default()
        .to_uppercase();
    format!("{}.{:02} {currency}", amount / 100, amount % 100)
}

fn page(status: u16, inside: &str) -> HttpResponse {
    let body = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>3-D Secure (sandbox)</title></head><body><main>{inside}</main></body></html>"
    );
    HttpResponse {
        status,
        headers: vec![(
            "content-type".to_owned(),
            "text/html; charset=utf-8".to_owned(),
        )],
        body: body.into_bytes(),
    }
}
