//! Salesforce simulator: an org with the reference's objects, as a pure state machine.
//!
//! ```text
//! request ──▶ route ──▶ token | query ─▶ soql | rows, composite, collections, describe ──▶ answer
//!                                     └────────── world: records, copied on write ──────────┘
//! ```
//! It must be at least as strict as the real system: what a real org rejects is rejected here, with
//! the same code.

mod api_call;
mod api_usage;
mod auto_number_format;
mod call;
mod call_result;
mod collate_subrequests;
mod collections;
mod composite;
mod composite_part;
mod composite_reference;
mod decimal;
mod describe;
mod error;
mod field_input;
mod field_permissions;
mod field_value;
mod id;
mod org_records;
mod org_settings;
mod org_users;
mod persist;
mod query;
mod record_writes;
mod route;
mod save_record;
mod schema;
mod soap;
mod soql;
mod token;
mod unmodified_since;

use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::json_response::with_charset as respond;
use api_usage::ApiUsage;
pub use auto_number_format::AutoNumberFormat;
use call::Call;
use call_result::CallResult;
use error::{ApiError, ApiResult};
use field_permissions::FieldPermissions;
use id::SfId;
use org_records::{OrgRecords, Stamp};
pub use org_settings::{
    Condition, DuplicateRule, Flow, FlowTiming, OrgSettings, TimestampPrecision, TokenRefusal,
    ValidationRule,
};
use query::Cursors;
use route::{Resource, Target};
use schema::Object;
use token::Sessions;

/// Salesforce org. Cloning is cheap: clones share their records until one of them writes.
#[derive(Clone, Debug, Default)]
pub struct Org {
    records: OrgRecords,
    settings: OrgSettings,
    sessions: Sessions,
    cursors: Cursors,
    /// Data calls counted against the quota.
    usage: ApiUsage,
    /// Whether sessions, quota or numbering changed since the last save.
    pub(crate) meta_dirty: bool,
}

impl Org {
    /// Initializes an org for a seed: its users and its numbering.
    pub(crate) fn initialize(&mut self, seed: u64, at: Timestamp) {
        org_users::add_users(&mut self.records, at);
        for (object, counter) in schema::OBJECTS.iter().zip(&mut self.records.counters) {
            if object.name != "User" {
                // Ids differ from seed to seed, so that nothing relies on a particular one.
                counter.serial = (seed % 100_000) * 1_000;
            }
            if object.name == "Case" {
                counter.number = 1_000;
            }
        }
    }

    /// Creates a record as the setup user, and returns its id.
    pub(crate) fn create_as_setup_user(
        &mut self,
        object: &str,
        fields: &Value,
        at: Timestamp,
    ) -> Result<String, String> {
        let object = Object::named(object).ok_or_else(|| format!("there is no {object}"))?;
        let fields = fields.as_object().ok_or("a record is an object")?;
        let stamp = Stamp {
            at,
            by: org_users::setup(),
        };
        self.records
            .create(object, fields, stamp)
            .map(|id| id.to_string())
            .map_err(|e| format!("{}: {}", e.code, e.message))
    }

    /// Operation name, for faults and the call log; `None` if the path isn't Salesforce's.
    #[must_use]
    pub fn operation(request: &HttpRequest) -> Option<&'static str> {
        let target = Target::read(&request.url)?;
        if target.resource == Resource::Composite && composite::only_reads(&request.body) {
            return Some("query");
        }
        Some(target.operation(&request.method))
    }

    /// Answers a call and applies its effect.
    pub fn handle(&mut self, request: &HttpRequest, now: Timestamp) -> HttpResponse {
        let Some(target) = Target::read(&request.url) else {
            return CallResult::from(ApiError::no_resource()).into_response();
        };
        // After a restart only the settings are known.
        if self.records.booking_numbers.is_none() {
            let form = AutoNumberFormat::read(&self.settings.booking_numbers);
            self.records.booking_numbers = form.ok().map(std::sync::Arc::new);
            self.records.permissions = permissions(&self.settings);
        }
        self.meta_dirty = true;
        match target.resource {
            Resource::Token => return self.token(request, now),
            Resource::Versions => return respond(200, &describe::versions()),
            Resource::Soap => {
                self.usage.count(now);
                return self.soap(request);
            }
            _ => {}
        }
        if let Some(instance) = &self.settings.instance
            && *instance != token::origin(request)
        {
            return moved();
        }
        if !self.sessions.admits(request.header("authorization")) {
            let (status, body) = token::expired();
            return respond(status, &body);
        }
        self.usage.forget(now);
        let answer = if self.settings.api_disabled {
            ApiError::api_disabled().into()
        } else if self.usage.calls() >= self.settings.daily_calls {
            ApiError::request_limit().into()
        } else {
            self.usage.count(now);
            self.answer(request, target, now)
                .unwrap_or_else(CallResult::from)
        };
        let mut response = answer.into_response();
        let usage = format!(
            "api-usage={}/{}",
            self.usage.calls(),
            self.settings.daily_calls
        );
        response
            .headers
            .push(("sforce-limit-info".to_owned(), usage));
        response
    }

    fn answer(
        &mut self,
        request: &HttpRequest,
        target: Target,
        now: Timestamp,
    ) -> ApiResult<CallResult> {
        let body = if request.body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&request.body)
                .map_err(|e| ApiError::bad("JSON_PARSER_ERROR", e.to_string()))?
        };
        let call = Call {
            method: request.method.clone(),
            target,
            headers: request.headers.clone(),
            body,
        };
        let stamp = self.stamp(now, org_users::integration());
        let answer = self.execute(&call, stamp);
        self.run_asynchronous(stamp);
        answer
    }

    fn stamp(&self, now: Timestamp, by: SfId) -> Stamp {
        let at = self.settings.stamps.of(now, 0);
        Stamp { at, by }
    }

    /// Revokes all tokens issued so far.
    pub fn expire_sessions(&mut self) {
        self.sessions.era += 1;
        self.meta_dirty = true;
    }

    /// Change by another user, under the usual rules.
    ///
    /// # Errors
    /// A message, if the object, the record or a field doesn't exist, or a value doesn't fit.
    pub fn edit(
        &mut self,
        object: &str,
        id: &str,
        fields: &Map<String, Value>,
        now: Timestamp,
    ) -> Result<(), String> {
        let object = named(object)?;
        let id = record_id(id)?;
        let stamp = self.stamp(now, org_users::front_desk());
        self.records
            .update(object, id, fields, stamp)
            .map_err(|e| format!("fields: {}: {}", e.code, e.message))
    }

    #[must_use]
    pub fn settings(&self) -> &OrgSettings {
        &self.settings
    }

    pub fn set_settings(&mut self, settings: OrgSettings) {
        let several = |of: &OrgSettings| of.multi_currency.then(|| of.currency.clone());
        if several(&settings) != several(&self.settings) {
            org_users::set_currencies(
                &mut self.records,
                several(&settings).as_deref(),
                Timestamp::UNIX_EPOCH,
            );
        }
        if settings.booking_numbers != self.settings.booking_numbers
            && let Ok(form) = AutoNumberFormat::read(&settings.booking_numbers)
        {
            self.records.number_bookings(form);
        }
        self.records.permissions = permissions(&settings);
        self.settings = settings;
        self.meta_dirty = true;
    }

    /// Clears optional fields, as users leave them empty: the given fields or all, of this record
    /// or of every record of the object. Returns the number of changed records.
    ///
    /// # Errors
    /// A message that starts with the input's name and a colon.
    pub fn blank(
        &mut self,
        object: &str,
        id: Option<&str>,
        fields: Option<&[String]>,
        now: Timestamp,
    ) -> Result<usize, String> {
        let object = named(object)?;
        let only = id.map(record_id).transpose()?;
        for name in fields.unwrap_or_default() {
            let field = object
                .fields
                .iter()
                .find(|field| field.name.eq_ignore_ascii_case(name));
            if !field.is_some_and(schema::Field::can_be_empty) {
                return Err(format!(
                    "fields: {name} is no optional field of {}",
                    object.name
                ));
            }
        }
        let stamp = self.stamp(now, org_users::front_desk());
        Ok(self.records.blank(object, only, fields, stamp))
    }

    /// Sets a picklist field of a record to a word that the org has added to its picklist.
    ///
    /// # Errors
    /// A message that starts with the input's name and a colon.
    pub fn set_word(
        &mut self,
        object: &str,
        id: &str,
        field: &str,
        word: &str,
        now: Timestamp,
    ) -> Result<(), String> {
        let object = named(object)?;
        let id = record_id(id)?;
        let picklist = object
            .fields
            .iter()
            .find(|one| one.name == field && matches!(one.kind, schema::Kind::Picklist(..)))
            .ok_or_else(|| format!("field: {field} is no picklist of {}", object.name))?;
        let stamp = self.stamp(now, org_users::front_desk());
        if self.records.set_word(object, id, picklist, word, stamp) {
            Ok(())
        } else {
            Err(format!("id: there is no {id}"))
        }
    }

    /// Marks every record as last modified by the integration user at this moment, so that no stamp
    /// distinguishes the writes of this second.
    pub fn stamp_all(&mut self, now: Timestamp) {
        let stamp = self.stamp(now, org_users::integration());
        for object in schema::OBJECTS.iter().filter(|object| !object.read_only) {
            for record in self.records.table(object).clone().into_values() {
                self.records
                    .amend(object, record.id, |record| record.modified = stamp);
            }
        }
    }

    /// Every record with all its fields, by object.
    #[must_use]
    pub fn state(&self) -> Value {
        self.records.dump()
    }

    /// Every record of an object with all its fields; none of an unknown object.
    #[must_use]
    pub fn rows(&self, object: &str) -> Vec<Value> {
        Object::named(object).map_or_else(Vec::new, |object| self.records.rows(object))
    }
}

fn named(object: &str) -> Result<&'static Object, String> {
    Object::named(object).ok_or_else(|| format!("object: there is no {object}"))
}

fn record_id(id: &str) -> Result<SfId, String> {
    SfId::parse(id).ok_or_else(|| format!("id: {id} is not a record id"))
}

fn permissions(settings: &OrgSettings) -> std::sync::Arc<FieldPermissions> {
    std::sync::Arc::new(FieldPermissions::new(
        &settings.hidden_fields,
        &settings.read_only_fields,
    ))
}

/// Answer of a host that is not the org's any more.
fn moved() -> HttpResponse {
    HttpResponse {
        status: 404,
        headers: vec![(
            "content-type".to_owned(),
            "text/html;charset=UTF-8".to_owned(),
        )],
        body: b"<!DOCTYPE html><html><head><title>URL No Longer Exists</title></head></html>"
            .to_vec(),
    }
}
