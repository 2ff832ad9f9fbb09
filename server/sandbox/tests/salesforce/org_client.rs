//! Test org with helper methods.

use dewy_domain::ports::{HttpRequest, HttpResponse};
use dewy_sandbox::salesforce::Org;
use jiff::Timestamp;
use serde_json::{Value, json};

/// Seed day of every test.
pub const TODAY: jiff::civil::Date = jiff::civil::date(2026, 3, 10);
const BASE: &str = "/services/data/v62.0";

/// Org with a session, and a clock that is set by hand.
pub struct OrgClient {
    pub org: Org,
    pub now: Timestamp,
    token: String,
}

impl OrgClient {
    /// Seeded org with a session.
    pub fn open() -> Self {
        Self::of(Org::seeded(1, TODAY))
    }

    /// Session on this org.
    pub fn of(org: Org) -> Self {
        let now = "2026-03-10T12:00:00.250Z".parse().unwrap();
        let mut desk = Self {
            org,
            now,
            token: String::new(),
        };
        let form = "grant_type=client_credentials&client_id=app&client_secret=s3cret";
        let answer = desk.raw("POST", "/services/oauth2/token", &[], form);
        desk.token = text_of(&body(&answer)["access_token"]);
        desk
    }

    /// Advances the clock.
    pub fn later(&mut self, seconds: i64) {
        self.now = Timestamp::from_millisecond(self.now.as_millisecond() + seconds * 1000).unwrap();
    }

    /// Any request.
    pub fn raw(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> HttpResponse {
        let mut all = vec![("authorization".to_owned(), format!("Bearer {}", self.token))];
        if headers.iter().any(|(n, _)| *n == "authorization") {
            all.clear();
        }
        all.extend(
            headers
                .iter()
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned())),
        );
        let url = format!("http://127.0.0.1:4010{path}");
        let request = HttpRequest {
            method: method.into(),
            url,
            headers: all,
            body: body.as_bytes().to_vec(),
        };
        self.org.handle(&request, self.now)
    }

    /// Data call; the path starts after the version.
    pub fn call(&mut self, method: &str, path: &str, fields: &Value) -> (u16, Value) {
        self.call_with(method, path, fields, &[])
    }

    /// Data call with headers.
    pub fn call_with(
        &mut self,
        method: &str,
        path: &str,
        fields: &Value,
        headers: &[(&str, &str)],
    ) -> (u16, Value) {
        let sent = if fields.is_null() {
            String::new()
        } else {
            fields.to_string()
        };
        let answer = self.raw(method, &format!("{BASE}{path}"), headers, &sent);
        (answer.status, body(&answer))
    }

    pub fn query(&mut self, soql: &str) -> (u16, Value) {
        let q: String = url::form_urlencoded::byte_serialize(soql.as_bytes()).collect();
        self.call("GET", &format!("/query?q={q}"), &Value::Null)
    }

    /// Records of a query that must succeed.
    pub fn records(&mut self, soql: &str) -> Vec<Value> {
        let (status, answer) = self.query(soql);
        assert_eq!(status, 200, "{soql}: {answer}");
        items(&answer["records"]).clone()
    }

    /// The only record of a query.
    pub fn one(&mut self, soql: &str) -> Value {
        let mut found = self.records(soql);
        assert_eq!(found.len(), 1, "{soql}");
        found.remove(0)
    }

    /// Id of the only record of a query.
    pub fn id_of(&mut self, soql: &str) -> String {
        id(&self.one(soql))
    }

    pub fn booking(&mut self, number: &str) -> String {
        id(&self.one(&format!(
            "SELECT Id FROM Booking__c WHERE Name = '{number}'"
        )))
    }

    /// Composite, in order, all or none.
    pub fn composite(&mut self, parts: &Value) -> Vec<Value> {
        let sent =
            json!({"allOrNone": true, "collateSubrequests": false, "compositeRequest": parts});
        let (status, answer) = self.call("POST", "/composite", &sent);
        assert_eq!(status, 200, "{answer}");
        items(&answer["compositeResponse"]).clone()
    }
}

/// Body as JSON; null if there is none.
pub fn body(answer: &HttpResponse) -> Value {
    if answer.body.is_empty() {
        Value::Null
    } else {
        serde_json::from_slice(&answer.body).unwrap()
    }
}

pub fn id(record: &Value) -> String {
    text_of(&record["Id"])
}

/// Path under the version, for composites.
pub fn path(rest: &str) -> String {
    format!("{BASE}{rest}")
}

#[track_caller]
pub fn assert_fields(answer: &Value, fields: Value) {
    for (name, value) in fields.as_object().unwrap() {
        assert_eq!(answer[name], *value, "{name}: {answer}");
    }
}

/// Asserts Salesforce's error.
#[track_caller]
pub fn assert_code((found, answer): (u16, &Value), status: u16, code: &str) {
    let error = answer[0]["errorCode"].as_str();
    assert_eq!((found, error), (status, Some(code)), "{answer}");
}

pub fn items(list: &Value) -> &Vec<Value> {
    list.as_array().unwrap()
}

pub fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// Id of what was made.
pub fn id_of(answer: &Value) -> &str {
    answer["id"].as_str().unwrap()
}
