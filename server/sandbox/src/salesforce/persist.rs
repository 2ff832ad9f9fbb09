//! Saves and restores the org.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::Org;
use super::decimal::Decimal;
use super::field_value::{FieldValue, read_date, read_moment};
use super::id::SfId;
use super::org_records::{Counter, OrgRecords, Record, Stamp};
use super::schema::{Kind, Object};
use super::token::Sessions;
use crate::stored_row::{ChangedRow, Row};

/// Row of everything outside records: numbering, sessions, the quota, deleted ids.
const META: &str = "salesforce_org";

impl Org {
    /// Rows changed since the last drain.
    pub fn drain_dirty(&mut self) -> Vec<ChangedRow> {
        let mut rows = Vec::new();
        for id in std::mem::take(&mut self.records.dirty) {
            let Some(object) = Object::of_prefix(id.prefix()) else {
                continue;
            };
            let json = self
                .records
                .get(object, id)
                .map(|record| write(&self.records, object, record).to_string());
            rows.push(ChangedRow {
                table: object.name.to_owned(),
                id: id.to_string(),
                json,
            });
        }
        if self.meta_dirty || !rows.is_empty() {
            self.meta_dirty = false;
            rows.push(ChangedRow {
                table: META.to_owned(),
                id: META.to_owned(),
                json: Some(self.meta().to_string()),
            });
        }
        rows
    }

    /// Discards unsaved changes where there is no disk.
    pub fn forget_dirty(&mut self) {
        self.records.dirty.clear();
        self.meta_dirty = false;
    }

    /// Whether a record changed since the last drain.
    #[must_use]
    pub fn touched(&self) -> bool {
        !self.records.dirty.is_empty()
    }

    #[must_use]
    pub fn restore(rows: Vec<Row>) -> Self {
        let mut org = Self::default();
        for row in rows {
            let Ok(value) = serde_json::from_str::<Value>(&row.json) else {
                continue;
            };
            if row.table == META {
                org.set_meta(&value);
            } else if let Some(object) = Object::named(&row.table)
                && let Some(record) = read(object, &value)
            {
                org.records.put(object, record);
            }
        }
        org.records.dirty.clear();
        org
    }

    fn meta(&self) -> Value {
        let counters =
            |f: fn(&Counter) -> u64| self.records.counters.iter().map(f).collect::<Vec<_>>();
        json!({
            "serials": counters(|c| c.serial),
            "numbers": counters(|c| c.number),
            "deleted": self.records.deleted.iter().map(SfId::as_str).collect::<Vec<_>>(),
            "era": self.sessions.era,
            "issued": self.sessions.issued,
            "usage": self.usage,
            "settings": self.settings,
        })
    }

    fn set_meta(&mut self, meta: &Value) {
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        for (at, counter) in self.records.counters.iter_mut().enumerate() {
            *counter = Counter {
                serial: number(&meta["serials"][at]),
                number: number(&meta["numbers"][at]),
            };
        }
        let deleted = meta["deleted"].as_array().into_iter().flatten();
        self.records.deleted = Arc::new(
            deleted
                .filter_map(|d| d.as_str().and_then(SfId::parse))
                .collect(),
        );
        self.sessions = Sessions {
            era: number(&meta["era"]),
            issued: number(&meta["issued"]),
        };
        // A file of an older release has none.
        self.usage = serde_json::from_value(meta["usage"].clone()).unwrap_or_default();
        self.settings = serde_json::from_value(meta["settings"].clone()).unwrap_or_default();
        self.records.currencies = self
            .settings
            .multi_currency
            .then(|| self.settings.currency.as_str().into());
    }
}

fn write(records: &OrgRecords, object: &'static Object, record: &Record) -> Value {
    let mut row = records.whole(object, record);
    row.retain(|name, value| !value.is_null() && name != "IsDeleted" && name != "SystemModstamp");
    Value::Object(row)
}

fn read(object: &'static Object, row: &Value) -> Option<Record> {
    let id = |name: &str| row[name].as_str().and_then(SfId::parse);
    let stamp = |at: &str, by: &str| {
        Some(Stamp {
            at: row[at].as_str().and_then(read_moment)?,
            by: id(by)?,
        })
    };
    let fields = row.as_object()?;
    Some(Record {
        id: id("Id")?,
        created: stamp("CreatedDate", "CreatedById")?,
        modified: stamp("LastModifiedDate", "LastModifiedById")?,
        cells: object
            .fields
            .iter()
            .map(|f| stored_value(f.kind, f.name, fields))
            .collect(),
    })
}

/// Stored values were valid once, so they are not validated again.
fn stored_value(kind: Kind, name: &str, row: &Map<String, Value>) -> FieldValue {
    let Some(value) = row.get(name) else {
        return FieldValue::Null;
    };
    let text = value.as_str();
    let cell = match kind {
        Kind::Computed(_) => None,
        Kind::Bool => value.as_bool().map(FieldValue::Bool),
        Kind::Number(..) | Kind::Currency(..) => {
            Decimal::parse(&value.to_string()).map(FieldValue::Number)
        }
        Kind::Date => text.and_then(read_date).map(FieldValue::Date),
        Kind::DateTime => text.and_then(read_moment).map(FieldValue::DateTime),
        Kind::Reference(_) | Kind::Id => text.and_then(SfId::parse).map(FieldValue::Id),
        _ => text.map(FieldValue::text),
    };
    cell.unwrap_or(FieldValue::Null)
}
