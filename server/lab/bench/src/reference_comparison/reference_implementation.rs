//! Reference implementation: the same work with its recipe's sequential calls, over the same
//! transport.
//!
//! ```text
//! check-out: contact ► booking ► customer ► intent ► confirm ► booking ► room ► opportunity
//! check-in:  contact ► booking ► room ► booking ► room ► opportunity
//! ```
//!
//! Its mistakes are left out (it searches for the booking after the charge, and for the wrong
//! date), and so is everything that would make it slower: no journal, and no checks of responses
//! beyond what the next call needs.

use std::time::Duration;

use anyhow::{Context, ensure};
use dewy_connectors::HttpTransport;
use dewy_domain::ports::{HttpRequest, Transport};
use jiff::civil::Date;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::{
    scenario::{BALANCE, Scenario, text},
    slow_systems::{Run, SlowSystems},
};

const API: &str = "/services/data/v62.0";

/// Longer than any call takes.
const DEADLINE: Duration = Duration::from_secs(30);

/// Runs the job once.
pub async fn run(scene: &SlowSystems, job: Scenario) -> anyhow::Result<Run> {
    scene.reset().await?;
    let mut client = Client {
        http: HttpTransport::new(),
        base: scene.server.sandbox.url.clone(),
        session: String::new(),
    };
    // Not measured: a running integration has its session and its connections.
    let form = encoded(&[
        ("grant_type", "client_credentials"),
        ("client_id", "reference"),
        ("client_secret", "sandbox"),
    ]);
    let token = client
        .call("POST", "/services/oauth2/token", Body::Form(form))
        .await?;
    client.session = text(&token, "access_token")?.to_owned();
    match job {
        Scenario::CheckOut => scene.measure(job, check_out(&client)).await,
        Scenario::CheckIn => {
            scene
                .measure(
                    job,
                    check_in(
                        &client,
                        jiff::Timestamp::now()
                            .to_zoned(jiff::tz::TimeZone::UTC)
                            .date(),
                    ),
                )
                .await
        }
    }
}

async fn check_in(client: &Client, today: Date) -> anyhow::Result<()> {
    let contact = client.contact(Scenario::CheckIn.guest()).await?;
    let id = text(&contact, "Id")?;
    let booking = client
        .query(&format!(
            "SELECT Id, Name, Room__c, Opportunity__c FROM Booking__c WHERE Primary_Guest__c = '{id}' AND Check_In_Date__c = {today} AND Status__c = 'Reserved' LIMIT 1"
        ))
        .await?;
    let room = text(&booking, "Room__c")?;
    let ready = client
        .query(&format!(
            "SELECT Id, Name, Status__c FROM Hotel_Room__c WHERE Id = '{room}' LIMIT 1"
        ))
        .await?;
    ensure!(
        ready["Status__c"] == "Vacant",
        "the room is not ready: {ready}"
    );
    client
        .update([
            (
                "Booking__c",
                text(&booking, "Id")?,
                json!({ "Status__c": "Checked In" }),
            ),
            (
                "Hotel_Room__c",
                room,
                json!({ "Status__c": "Occupied", "Current_Guest__c": id }),
            ),
            (
                "Opportunity",
                text(&booking, "Opportunity__c")?,
                json!({ "StageName": "Checked In" }),
            ),
        ])
        .await
}

async fn check_out(client: &Client) -> anyhow::Result<()> {
    let email = Scenario::CheckOut.guest();
    let contact = client.contact(email).await?;
    let contact = text(&contact, "Id")?;
    let booking = client
        .query(&format!(
            "SELECT Id, Name, Room__c, Opportunity__c FROM Booking__c WHERE Primary_Guest__c = '{contact}' AND Status__c = 'Checked In' LIMIT 1"
        ))
        .await?;
    let customers = client
        .call(
            "GET",
            &format!("/v1/customers?{}", encoded(&[("email", email)])),
            Body::None,
        )
        .await?;
    let customer = &customers["data"][0];
    let amount = BALANCE.to_string();
    let intent = encoded(&[
        ("amount", amount.as_str()),
        ("currency", "usd"),
        ("customer", text(customer, "id")?),
        (
            "payment_method",
            text(&customer["invoice_settings"], "default_payment_method").unwrap_or("pm_card_visa"),
        ),
        ("automatic_payment_methods[enabled]", "true"),
        ("automatic_payment_methods[allow_redirects]", "never"),
    ]);
    let intent = client
        .call("POST", "/v1/payment_intents", Body::Form(intent))
        .await?;
    let confirm = format!("/v1/payment_intents/{}/confirm", text(&intent, "id")?);
    let paid = client
        .call("POST", &confirm, Body::Form(String::new()))
        .await?;
    ensure!(paid["status"] == "succeeded", "not paid: {paid}");
    client
        .update([
            (
                "Booking__c",
                text(&booking, "Id")?,
                json!({ "Status__c": "Checked Out" }),
            ),
            (
                "Hotel_Room__c",
                text(&booking, "Room__c")?,
                json!({ "Status__c": "Cleaning", "Current_Guest__c": null }),
            ),
            (
                "Opportunity",
                text(&booking, "Opportunity__c")?,
                json!({ "StageName": "Closed Won", "Payment_ID__c": paid["latest_charge"] }),
            ),
        ])
        .await
}

enum Body {
    None,
    Form(String),
    Json(Value),
}

struct Client {
    http: HttpTransport,
    base: String,
    session: String,
}

impl Client {
    /// Contact of the guest.
    async fn contact(&self, email: &str) -> anyhow::Result<Value> {
        self.query(&format!(
            "SELECT Id, FirstName, LastName FROM Contact WHERE Email = '{email}' LIMIT 1"
        ))
        .await
    }

    /// Updates each record with a separate call.
    async fn update(&self, changes: [(&str, &str, Value); 3]) -> anyhow::Result<()> {
        for (object, id, fields) in changes {
            self.call(
                "PATCH",
                &format!("{API}/sobjects/{object}/{id}"),
                Body::Json(fields),
            )
            .await?;
        }
        Ok(())
    }

    /// First row of a query.
    async fn query(&self, soql: &str) -> anyhow::Result<Value> {
        let answer = self
            .call(
                "GET",
                &format!("{API}/query?{}", encoded(&[("q", soql)])),
                Body::None,
            )
            .await?;
        answer["records"]
            .get(0)
            .cloned()
            .with_context(|| format!("nothing found: {soql}"))
    }

    async fn call(&self, method: &str, path: &str, body: Body) -> anyhow::Result<Value> {
        let bearer = if path.starts_with("/v1/") {
            "sk_test_sandbox"
        } else {
            self.session.as_str()
        };
        let mut headers = Vec::new();
        if !bearer.is_empty() {
            headers.push(("authorization".to_owned(), format!("Bearer {bearer}")));
        }
        let body = match body {
            Body::None => String::new(),
            Body::Form(text) => {
                headers.push((
                    "content-type".to_owned(),
                    "application/x-www-form-urlencoded".to_owned(),
                ));
                text
            }
            Body::Json(value) => {
                headers.push(("content-type".to_owned(), "application/json".to_owned()));
                value.to_string()
            }
        };
        let url = format!("{}{path}", self.base);
        let request = HttpRequest {
            method: method.to_owned(),
            url,
            headers,
            body: body.into_bytes(),
        };
        let answer = self.http.send(request, DEADLINE).await?;
        let said = String::from_utf8_lossy(&answer.body).into_owned();
        ensure!(
            (200..300).contains(&answer.status),
            "{method} {path}: {} {said}",
            answer.status
        );
        Ok(if said.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(&said)?
        })
    }
}

fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .finish()
}
