//! Complete hotel in this process: the real server on a free port, with its own store and sandbox
//! files.

use std::{
    ffi::OsStr,
    path::PathBuf,
    process::{Command, Stdio},
};

use dewy_saga::{ExecutionId, journal::ExecutionRecord};
use dewy_sandbox::Sandbox;
use dewy_server::{
    auth::create_token,
    config::Config,
    startup::{overrides::Overrides, server::Server},
};
use dewy_store::StaffAccount;

use crate::{fake_dispatcher, prelude::*};

/// Tests count days in UTC, at any hour.
const DAYS: [(&str, &str); 2] = [
    ("HOTEL_TIME_ZONE", "UTC"),
    ("HOTEL_DAY_CHANGES_AT", "00:00"),
];

/// Running hotel; its files are deleted when it is dropped.
pub struct TestHotel {
    pub server: Server,
    folder: tempfile::TempDir,
    client: reqwest::Client,
}

impl TestHotel {
    /// With nothing changed.
    pub async fn open() -> Self {
        Self::with(&[]).await
    }

    pub async fn with(variables: &[(&str, &str)]) -> Self {
        Self::reopen(tempfile::tempdir().unwrap(), variables).await
    }

    /// On the files of one that was closed.
    pub async fn reopen(folder: tempfile::TempDir, variables: &[(&str, &str)]) -> Self {
        Self::start(folder, variables, Overrides::default()).await
    }

    /// With other sagas or tools.
    pub async fn changed(changes: Overrides) -> Self {
        Self::start(tempfile::tempdir().unwrap(), &[], changes).await
    }

    async fn start(
        folder: tempfile::TempDir,
        variables: &[(&str, &str)],
        changes: Overrides,
    ) -> Self {
        let config = config(folder.path().to_owned(), variables);
        let server = Server::start_with(&config, changes).await.unwrap();
        Self {
            server,
            folder,
            client: fake_dispatcher::client(),
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.server.public_url)
    }

    /// The environment another process needs to use the same store.
    pub fn environment(&self) -> Vec<(String, String)> {
        let file = |name: &str| self.folder.path().join(name).display().to_string();
        vec![
            (
                "DATABASE_URL".to_owned(),
                format!("sqlite://{}", file("dewy.db")),
            ),
            ("SANDBOX_DATA".to_owned(), file("sandbox.db")),
        ]
    }

    pub async fn token(&self, persona: Persona, email: &str) -> String {
        self.token_for(persona, email, Duration::from_secs(86_400))
            .await
    }

    /// One that is good for so long.
    pub async fn token_for(&self, persona: Persona, email: &str, lasts: Duration) -> String {
        let store = &self.server.store;
        create_token(store, &RealClock, &OsEntropy, persona, &email.into(), lasts)
            .await
            .unwrap()
    }

    pub async fn guest_mcp(&self, email: &str) -> Mcp {
        let token = self.token(Persona::Guest, email).await;
        Mcp::new(&self.server.public_url, "guest", &token)
    }

    pub async fn staff_mcp(&self, email: &str) -> Mcp {
        let token = self.token(Persona::Staff, email).await;
        Mcp::new(&self.server.public_url, "staff", &token)
    }

    pub async fn guest_rest(&self, email: &str) -> Rest {
        let token = self.token(Persona::Guest, email).await;
        Rest::new(&self.server.public_url, "guest", &token)
    }

    pub async fn staff_rest(&self, email: &str) -> Rest {
        let token = self.token(Persona::Staff, email).await;
        Rest::new(&self.server.public_url, "staff", &token)
    }

    pub fn browser(&self) -> Browser {
        Browser::new(&self.server.public_url)
    }

    /// A browser on the network of this address.
    pub fn browser_on(&self, address: &str) -> Browser {
        Browser::on(&self.server.public_url, address)
    }

    /// Changes rows of the store, as time or other instances would.
    pub async fn change_store(&self, sql: &str) {
        use sqlx::Connection;
        let (_, url) = self.environment().remove(0);
        let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
        let changed = sqlx::query(sqlx::AssertSqlSafe(sql))
            .execute(&mut connection)
            .await
            .unwrap();
        assert_ne!(changed.rows_affected(), 0, "{sql}");
        connection.close().await.unwrap();
    }

    /// Changes a staff account; returns it as it was.
    pub async fn change_staff(
        &self,
        email: &str,
        change: impl FnOnce(&mut StaffAccount),
    ) -> StaffAccount {
        let store = &self.server.store;
        let account = store.staff_by_email(&email.into()).await.unwrap().unwrap();
        let mut changed = account.clone();
        change(&mut changed);
        store.upsert_staff(&changed).await.unwrap();
        account
    }

    pub async fn get(&self, path: &str) -> reqwest::Response {
        self.client.get(self.url(path)).send().await.unwrap()
    }

    /// Orders a failure in the sandbox.
    pub async fn fault(&self, system: &str, operation: &str, kind: &str, count: u32, ms: u64) {
        let fault = json!({ "system": system, "operation": operation, "kind": kind, "count": count, "ms": ms });
        self.add_fault(&fault).await;
    }

    /// The same in the sandbox's own words.
    pub async fn add_fault(&self, fault: &Value) {
        self.admin("faults", fault).await;
    }

    /// An order to the sandbox.
    pub async fn admin(&self, path: &str, order: &Value) {
        let sandbox = self.server.sandbox_url.as_deref().unwrap();
        let url = format!("{sandbox}/admin/{path}");
        let response = self.client.post(url).json(order).send().await.unwrap();
        assert!(
            response.status().is_success(),
            "{}",
            response.text().await.unwrap()
        );
    }

    /// Ends all failures.
    pub async fn heal(&self) {
        self.sandbox().clear_faults();
    }

    pub fn sandbox(&self) -> &Sandbox {
        &self.server.sandbox.as_ref().unwrap().sandbox
    }

    /// The Salesforce record with this value, such as a booking by its `Name`.
    pub fn record(&self, object: &str, field: &str, value: &str) -> Value {
        let records = self.sandbox().records(object);
        let found = records.into_iter().find(|record| record[field] == value);
        found.unwrap_or_else(|| panic!("no {object} whose {field} is {value}"))
    }

    /// The same, once it is there.
    pub async fn wait_for_record(&self, object: &str, field: &str, value: &str) -> Value {
        let here = |record: &Value| record[field] == value;
        for _ in 0..400 {
            if self.sandbox().records(object).iter().any(here) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.record(object, field, value)
    }

    /// Edits that record as another user of Salesforce.
    pub fn edit(&self, object: &str, field: &str, value: &str, changes: &Value) {
        let id = self.record(object, field, value)["Id"].clone();
        let changes = changes.as_object().unwrap();
        self.sandbox()
            .edit(object, id.as_str().unwrap(), changes)
            .unwrap();
    }

    /// An execution, with its journal.
    pub async fn execution(&self, id: ExecutionId) -> ExecutionRecord {
        self.server.store.load(id).await.unwrap().unwrap()
    }

    /// The sandbox's records.
    pub fn state(&self) -> Value {
        self.sandbox().state()
    }

    /// The code of the first text to a phone.
    pub async fn texted_code(&self) -> String {
        for _ in 0..400 {
            if let Some(text) = self.state()["twilio"]["messages"][0]["body"].as_str() {
                return text[..6].to_owned();
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("no text came");
    }

    pub async fn close(self) {
        self.server.stop().await;
    }

    /// Closes it and keeps its files.
    pub async fn close_and_keep(self) -> tempfile::TempDir {
        self.server.stop().await;
        self.folder
    }
}

fn config(folder: PathBuf, variables: &[(&str, &str)]) -> Config {
    let mut map: BTreeMap<String, String> = BTreeMap::from([
        ("LEPTOS_SITE_ADDR".to_owned(), "127.0.0.1:0".to_owned()),
        ("SANDBOX_ADDR".to_owned(), "127.0.0.1:0".to_owned()),
        (
            "DATABASE_URL".to_owned(),
            format!("sqlite://{}", folder.join("dewy.db").display()),
        ),
        (
            "SANDBOX_DATA".to_owned(),
            folder.join("sandbox.db").display().to_string(),
        ),
    ]);
    map.extend(
        DAYS.iter()
            .chain(variables)
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
    );
    Config {
        migrate: true,
        ..Config::read(&|name| map.get(name).cloned()).unwrap()
    }
}

/// The real binary, with this environment alone.
pub fn dewy<N: AsRef<OsStr>, V: AsRef<OsStr>>(
    environment: impl IntoIterator<Item = (N, V)>,
    arguments: &[&str],
) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dewy"));
    command
        .args(arguments)
        .env_clear()
        .envs(DAYS)
        .envs(environment)
        .stdin(Stdio::null());
    command
}

/// The day so many days ahead, as forms send it.
pub fn day(ahead: i64) -> String {
    date(ahead).to_string()
}

/// Two days as forms send them.
pub fn nights(from: i64, to: i64) -> String {
    let (from, to) = (day(from), day(to));
    format!("check_in_date={from}&check_out_date={to}")
}

/// A day as pages show it: `Fri, Nov 20`.
pub fn short_day(ahead: i64) -> String {
    date(ahead).strftime("%a, %b %-d").to_string()
}

fn date(ahead: i64) -> jiff::civil::Date {
    let today = now().to_zoned(jiff::tz::TimeZone::UTC).date();
    today.checked_add(jiff::Span::new().days(ahead)).unwrap()
}

/// The clock the server uses.
pub fn now() -> jiff::Timestamp {
    RealClock.now()
}
