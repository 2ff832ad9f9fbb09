//! Execution of a call of the data API.

use serde_json::{Map, Value, json};

use super::call::Call;
use super::call_result::CallResult;
use super::error::{ApiError, ApiResult};
use super::field_input;
use super::id::SfId;
use super::org_records::{Record, Stamp};
use super::route::Resource;
use super::save_record::Save;
use super::schema::{Field, Object};
use super::{Org, collections, composite, describe, unmodified_since};

impl Org {
    /// Executes the call as the integration user.
    ///
    /// # Errors
    /// As in the real API.
    pub(super) fn execute(&mut self, call: &Call, stamp: Stamp) -> ApiResult<CallResult> {
        let base = call.target.base();
        let ok = |body| Ok(CallResult::new(200, body));
        match (&call.target.resource, call.method.as_str()) {
            (Resource::Versions, "GET") => ok(describe::versions()),
            (Resource::Limits, "GET") => ok(describe::limits(
                self.usage.calls(),
                self.settings.daily_calls,
            )),
            (Resource::Global, "GET") => ok(describe::global(&base)),
            (Resource::Index, "GET") => ok(describe::index(&base)),
            (Resource::Object(object), "GET") => ok(describe::brief(object_at(object)?, &base)),
            (Resource::Describe(object), "GET") => {
                ok(describe::object(&self.records, object_at(object)?, &base))
            }
            (Resource::Query, "GET") => self.query(call),
            (Resource::More(locator), "GET") => self.more(locator, &base),
            (Resource::Composite, "POST") => composite::run(self, call, stamp),
            (Resource::Collections, _) => collections::run(self, call, stamp),
            (Resource::Many(object), "GET" | "POST") => {
                collections::retrieve(self, call, object_at(object)?)
            }
            (Resource::ManyExternal(object, field), "PATCH") => {
                collections::upsert(self, call, object_at(object)?, field, stamp)
            }
            (Resource::Object(object), "POST") => {
                self.create_at(call, object_at(object)?, call.fields()?, stamp)
            }
            (Resource::Row(object, id), method) => {
                self.row(call, method, object_at(object)?, id, stamp)
            }
            (Resource::External(object, field, value), method) => {
                self.external(call, method, object_at(object)?, (field, value), stamp)
            }
            (Resource::Unknown | Resource::Token | Resource::Soap, _) => {
                Err(ApiError::no_resource())
            }
            (Resource::Composite, method) => Err(ApiError::method(method, "POST")),
            (Resource::Object(_) | Resource::Many(_), method) => {
                Err(ApiError::method(method, "HEAD, GET, POST"))
            }
            (Resource::ManyExternal(..), method) => Err(ApiError::method(method, "PATCH")),
            (_, method) => Err(ApiError::method(method, "GET, HEAD")),
        }
    }

    fn create_at(
        &mut self,
        call: &Call,
        object: &'static Object,
        fields: &Map<String, Value>,
        stamp: Stamp,
    ) -> ApiResult<CallResult> {
        let id = self.insert(object, fields, &Save::of(call, stamp))?;
        let location = Some(format!(
            "{}/sobjects/{}/{id}",
            call.target.base(),
            object.name
        ));
        Ok(CallResult {
            location,
            ..CallResult::new(
                201,
                json!({"id": id.as_str(), "success": true, "errors": []}),
            )
        })
    }

    fn row(
        &mut self,
        call: &Call,
        method: &str,
        object: &'static Object,
        id: &str,
        stamp: Stamp,
    ) -> ApiResult<CallResult> {
        let id = SfId::parse(id).ok_or_else(|| match method {
            // A name instead of an id: not found, as in a real org.
            "GET" => ApiError::no_external(id),
            _ => ApiError::bad(
                "MALFORMED_ID",
                format!("{}: id value of incorrect type: {id}", object.name),
            ),
        })?;
        let record = self.records.find(object, id)?;
        if matches!(method, "GET" | "PATCH" | "DELETE") {
            need_unmodified(call, record)?;
        }
        match method {
            "GET" => self.show(call, object, record),
            "PATCH" => {
                self.change(object, id, call.fields()?, &Save::of(call, stamp))?;
                Ok(CallResult::empty())
            }
            "DELETE" => {
                self.records.delete(object, id)?;
                Ok(CallResult::empty())
            }
            other => Err(ApiError::method(other, "HEAD, GET, PATCH, DELETE")),
        }
    }

    fn show(&self, call: &Call, object: &'static Object, record: &Record) -> ApiResult<CallResult> {
        let names: Option<Vec<&str>> = call
            .target
            .param("fields")
            .map(|names| names.split(',').collect());
        self.shown(&call.target.base(), object, record, names.as_deref())
            .map(|shown| CallResult::new(200, shown))
    }

    /// Record with these fields, or with all of them.
    ///
    /// # Errors
    /// `INVALID_FIELD` for an unknown name.
    pub(super) fn shown(
        &self,
        base: &str,
        object: &'static Object,
        record: &Record,
        names: Option<&[&str]>,
    ) -> ApiResult<Value> {
        let mut shown = match names {
            None => {
                let mut whole = self.records.whole(object, record);
                let shows = |name: &str| {
                    let field = object.field(name);
                    field.is_none_or(|(field, _)| self.records.permissions.shows(object, field))
                };
                whole.retain(|name, _| shows(name));
                whole
            }
            Some(names) => {
                let mut some = Map::new();
                for name in names.iter().map(|name| name.trim()) {
                    let there = object
                        .field(name)
                        .filter(|(field, _)| self.records.has(field))
                        .filter(|(field, _)| self.records.permissions.shows(object, field));
                    let (field, column) =
                        there.ok_or_else(|| ApiError::no_column(name, object.name))?;
                    some.insert(
                        field.name.to_owned(),
                        self.records.value(object, record, column).to_json(),
                    );
                }
                if !some.contains_key("Id") {
                    some.insert("Id".to_owned(), json!(record.id.as_str()));
                }
                some
            }
        };
        let url = format!("{base}/sobjects/{}/{}", object.name, record.id);
        shown.insert(
            "attributes".to_owned(),
            json!({"type": object.name, "url": url}),
        );
        Ok(Value::Object(shown))
    }

    fn external(
        &mut self,
        call: &Call,
        method: &str,
        object: &'static Object,
        (name, value): (&str, &str),
        stamp: Stamp,
    ) -> ApiResult<CallResult> {
        let (field, column) = field_input::external(object, name)?;
        let key = field_input::cell(field, &json!(value))?;
        let found: Vec<SfId> = self
            .records
            .containing(object, field, column, &key)
            .map(|r| r.id)
            .collect();
        if found.len() > 1 {
            let base = call.target.base();
            let urls = found
                .iter()
                .map(|id| json!(format!("{base}/sobjects/{}/{id}", object.name)));
            return Ok(CallResult::new(300, urls.collect()));
        }
        match (method, found.first()) {
            ("GET", Some(id)) => self.show(call, object, self.records.find(object, *id)?),
            ("DELETE", Some(id)) => self
                .records
                .delete(object, *id)
                .map(|()| CallResult::empty()),
            ("GET" | "DELETE", None) => Err(ApiError::no_resource()),
            ("PATCH", found) => self.upsert(call, object, (field, value), found.copied(), stamp),
            (other, _) => Err(ApiError::method(other, "HEAD, GET, PATCH, DELETE")),
        }
    }

    fn upsert(
        &mut self,
        call: &Call,
        object: &'static Object,
        (field, value): (&'static Field, &str),
        found: Option<SfId>,
        stamp: Stamp,
    ) -> ApiResult<CallResult> {
        let mut fields = call.fields()?.clone();
        if fields.keys().any(|k| k.eq_ignore_ascii_case(field.name)) {
            let message = format!(
                "The {} field should not be specified in the sobject data.",
                field.name
            );
            return Err(ApiError::field("INVALID_FIELD", message, field.name));
        }
        // Before v46 an update returned 204.
        let told = call.target.version >= 46;
        if let Some(id) = found {
            need_unmodified(call, self.records.find(object, id)?)?;
            self.change(object, id, &fields, &Save::of(call, stamp))?;
            let body = json!({"id": id.as_str(), "success": true, "errors": [], "created": false});
            return Ok(if told {
                CallResult::new(200, body)
            } else {
                CallResult::empty()
            });
        }
        if call.target.param("updateOnly") == Some("true") {
            return Err(ApiError::no_resource());
        }
        fields.insert(field.name.to_owned(), json!(value));
        let mut answer = self.create_at(call, object, &fields, stamp)?;
        if let (true, Some(body)) = (told, &mut answer.body) {
            body["created"] = json!(true);
        }
        Ok(answer)
    }
}

fn need_unmodified(call: &Call, record: &Record) -> ApiResult<()> {
    unmodified_since::unmodified_since(call.header("if-unmodified-since"), record.modified.at)
}

fn object_at(name: &str) -> ApiResult<&'static Object> {
    Object::named(name).ok_or_else(ApiError::no_resource)
}
