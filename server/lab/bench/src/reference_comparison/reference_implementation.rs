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

use anyhow::{Context, ensure};
use dewy_test_kit::JsonClient;
use jiff::civil::Date;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::{
    scenario::{BALANCE, Scenario, text},
    slow_systems::{Run, SlowSystems},
};

const API: &str = "/services/data/v62.0";
const STRIPE_KEY: &str = "sk_test_sandbox";

/// Runs the job once.
pub async fn run(scene: &SlowSystems, job: Scenario) -> anyhow::Result<Run> {
    scene.reset().await?;
    let http = JsonClient::default();
    let base = scene.server.sandbox.url.clone();
    // Not measured: a running integration has its session and its connections.
    let session = http.session(&base).await?;
    let client = Client {
        http,
        base,
        session,
    };
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    match job {
        Scenario::CheckOut => scene.measure(job, check_out(&client)).await,
        Scenario::CheckIn => scene.measure(job, check_in(&client, today.date())).await,
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
    let customers = format!("/v1/customers?{}", encoded(&[("email", email)]));
    let customers = client.call("GET", &customers, None).await?;
    let customer = &customers["data"][0];
    let amount = BALANCE.to_string();
    let method = text(&customer["invoice_settings"], "default_payment_method");
    let intent = [
        ("amount", amount.as_str()),
        ("currency", "usd"),
        ("customer", text(customer, "id")?),
        ("payment_method", method.unwrap_or("pm_card_visa")),
        ("automatic_payment_methods[enabled]", "true"),
        ("automatic_payment_methods[allow_redirects]", "never"),
    ];
    let intent = client.form("/v1/payment_intents", &intent).await?;
    let confirm = format!("/v1/payment_intents/{}/confirm", text(&intent, "id")?);
    let paid = client.form(&confirm, &[]).await?;
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

struct Client {
    http: JsonClient,
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
            let path = format!("{API}/sobjects/{object}/{id}");
            self.call("PATCH", &path, Some(&fields)).await?;
        }
        Ok(())
    }

    /// First row of a query.
    async fn query(&self, soql: &str) -> anyhow::Result<Value> {
        let path = format!("{API}/query?{}", encoded(&[("q", soql)]));
        let answer = self.call("GET", &path, None).await?;
        let first = answer["records"].get(0).cloned();
        first.with_context(|| format!("nothing found: {soql}"))
    }

    async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let bearer = if path.starts_with("/v1/") {
            STRIPE_KEY
        } else {
            &self.session
        };
        let url = format!("{}{path}", self.base);
        self.http
            .send_successfully(method, &url, bearer, body)
            .await
    }

    async fn form(&self, path: &str, fields: &[(&str, &str)]) -> anyhow::Result<Value> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let fields: Vec<_> = fields.iter().map(owned).collect();
        let url = format!("{}{path}", self.base);
        let (status, answer) = self.http.form(&url, STRIPE_KEY, "", &fields).await?;
        ensure!(status == 200, "{path}: {status} {answer}");
        Ok(answer)
    }
}

fn encoded(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .finish()
}
