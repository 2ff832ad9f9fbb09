//! Saves a record in the order of execution of a real org.
//!
//! ```text
//! write ─▶ flows before the save ─▶ validation rules ─▶ duplicate rules ─▶ flows after the save ─▶ (later) asynchronous
//!            any error: the record is unchanged
//! ```

use std::{borrow::Cow, sync::Arc};

use serde_json::{Map, Value};

use super::Org;
use super::call::Call;
use super::error::{ApiError, ApiResult};
use super::id::SfId;
use super::org_records::{AsynchronousEdit, Record, Stamp};
use super::org_settings::{Flow, FlowTiming};
use super::org_users;
use super::schema::{Column, Object};

/// Context of a save within its call.
#[derive(Clone, Debug)]
pub struct Save {
    stamp: Stamp,
    /// Whether alerts of duplicate rules are ignored.
    allow_duplicates: bool,
    /// Prefix of record URLs.
    base: String,
}

impl Save {
    /// Save requested by this call. A composite's own headers don't apply to its parts, as in a
    /// real org.
    #[must_use]
    pub fn of(call: &Call, stamp: Stamp) -> Self {
        let header = call
            .header("sforce-duplicate-rule-header")
            .unwrap_or_default();
        let allows = |part: &str| {
            part.split_once('=')
                .is_some_and(|(n, v)| n.trim() == "allowSave" && v.trim() == "true")
        };
        Self {
            stamp,
            allow_duplicates: header.split([';', ',']).any(allows),
            base: call.target.base(),
        }
    }
}

impl Org {
    /// Inserts a new record.
    ///
    /// # Errors
    /// As in a real org; nothing is changed then.
    pub(super) fn insert(
        &mut self,
        object: &'static Object,
        fields: &Map<String, Value>,
        save: &Save,
    ) -> ApiResult<SfId> {
        self.records.permissions.check(object, fields)?;
        let before = self.records.clone();
        let fields = self.with_line_ends(fields);
        let made = self.records.create(object, &fields, save.stamp);
        let saved = made.and_then(|id| self.automate(object, id, None, save).map(|()| id));
        if saved.is_err() {
            self.records = before;
        }
        saved
    }

    /// Saves changes of a record.
    ///
    /// # Errors
    /// As in a real org; nothing is changed then.
    pub(super) fn change(
        &mut self,
        object: &'static Object,
        id: SfId,
        fields: &Map<String, Value>,
        save: &Save,
    ) -> ApiResult<()> {
        self.records.permissions.check(object, fields)?;
        let before = self.records.clone();
        let old = self.records.get(object, id).cloned();
        let fields = self.with_line_ends(fields);
        let written = self.records.update(object, id, &fields, save.stamp);
        let saved = written.and_then(|()| self.automate(object, id, old.as_deref(), save));
        if saved.is_err() {
            self.records = before;
        }
        saved
    }

    /// Fields with the line ends that the org stores.
    fn with_line_ends<'a>(&self, fields: &'a Map<String, Value>) -> Cow<'a, Map<String, Value>> {
        if !self.settings.crlf_line_ends {
            return Cow::Borrowed(fields);
        }
        let mut fields = fields.clone();
        for value in fields.values_mut() {
            if let Value::String(text) = value {
                *text = text.replace("\r\n", "\n").replace('\n', "\r\n");
            }
        }
        Cow::Owned(fields)
    }

    /// Runs the org's automation for a save.
    fn automate(
        &mut self,
        object: &'static Object,
        id: SfId,
        before: Option<&Record>,
        save: &Save,
    ) -> ApiResult<()> {
        for flow in self.started(object, id, before, FlowTiming::BeforeSave) {
            let same = Stamp {
                ..self.records.find(object, id)?.modified
            };
            self.records
                .update(object, id, &flow.fields, same)
                .map_err(|e| failed(&e))?;
        }
        self.validate(object, id)?;
        self.need_no_duplicate(object, id, before, save)?;
        for flow in self.started(object, id, before, FlowTiming::AfterSave) {
            if let Some((object, id)) = self.target(&flow, object, id) {
                self.records
                    .update(object, id, &flow.fields, save.stamp)
                    .map_err(|e| failed(&e))?;
            }
        }
        for flow in self.started(object, id, before, FlowTiming::Asynchronous) {
            if let Some((object, id)) = self.target(&flow, object, id) {
                self.records.asynchronous.push(AsynchronousEdit {
                    object,
                    id,
                    fields: flow.fields,
                });
            }
        }
        Ok(())
    }

    /// Runs the asynchronous paths of flows, after the transaction that started them.
    pub(super) fn run_asynchronous(&mut self, stamp: Stamp) {
        for edit in std::mem::take(&mut self.records.asynchronous) {
            // Errors of such a path are not reported.
            drop(self.records.update(
                edit.object,
                edit.id,
                &edit.fields,
                Stamp {
                    by: org_users::automated(),
                    ..stamp
                },
            ));
        }
    }

    fn started(
        &mut self,
        object: &'static Object,
        id: SfId,
        before: Option<&Record>,
        timing: FlowTiming,
    ) -> Vec<Flow> {
        let Some(after) = self.records.get(object, id).map(Arc::clone) else {
            return Vec::new();
        };
        let mut started = Vec::new();
        for flow in &mut self.settings.flows {
            let meant = flow.timing == timing && flow.object.eq_ignore_ascii_case(object.name);
            if meant && flow.when.begins(&self.records, object, before, &after) && flow.spend() {
                started.push(flow.clone());
            }
        }
        started
    }

    /// Record that a flow changes; `None` if its lookup is empty.
    fn target(
        &self,
        flow: &Flow,
        object: &'static Object,
        id: SfId,
    ) -> Option<(&'static Object, SfId)> {
        let Some(lookup) = &flow.target else {
            return Some((object, id));
        };
        let record = self.records.get(object, id)?;
        let (field, column) = object.field(lookup)?;
        let to = Object::named(field.reference()?.to)?;
        Some((to, self.records.value(object, record, column).as_id()?))
    }

    fn validate(&mut self, object: &'static Object, id: SfId) -> ApiResult<()> {
        let record = Arc::clone(
            self.records
                .get(object, id)
                .ok_or_else(ApiError::no_resource)?,
        );
        for rule in &mut self.settings.validation_rules {
            let meant = rule.object.eq_ignore_ascii_case(object.name)
                && rule.when.holds(&self.records, object, &record);
            if meant && rule.spend() {
                let fields = Some(rule.field.iter().cloned().collect());
                return Err(ApiError {
                    fields,
                    ..ApiError::bad("FIELD_CUSTOM_VALIDATION_EXCEPTION", &*rule.message)
                });
            }
        }
        Ok(())
    }

    fn need_no_duplicate(
        &self,
        object: &'static Object,
        id: SfId,
        before: Option<&Record>,
        save: &Save,
    ) -> ApiResult<()> {
        let Some(record) = self.records.get(object, id) else {
            return Ok(());
        };
        let value = |record: &Record, column: Column| self.records.value(object, record, column);
        for rule in self
            .settings
            .duplicate_rules
            .iter()
            .filter(|rule| rule.object.eq_ignore_ascii_case(object.name))
        {
            let mut compared = rule
                .matching
                .iter()
                .flatten()
                .filter_map(|name| object.field(name));
            let is_news =
                before.is_none_or(|old| compared.any(|(_, c)| value(old, c) != value(record, c)));
            let found = if is_news {
                rule.matches(&self.records, object, record)
            } else {
                Vec::new()
            };
            if !(found.is_empty() || rule.alert && save.allow_duplicates) {
                let result = Some(rule.result(object, &found, &save.base));
                return Err(ApiError {
                    duplicate_result: result,
                    ..ApiError::bad("DUPLICATES_DETECTED", &*rule.message)
                });
            }
        }
        Ok(())
    }
}

/// A failing flow fails the save.
fn failed(error: &ApiError) -> ApiError {
    let message = format!(
        "We can't save this record because a process failed. {}: {}. You can look up ExceptionCode values in the SOAP API \
         Developer Guide.",
        error.code, error.message
    );
    ApiError {
        fields: Some(Vec::new()),
        ..ApiError::bad("CANNOT_EXECUTE_FLOW_TRIGGER", message)
    }
}
