//! Records of the org, copied on write: a clone shares every table until one of the two writes to
//! it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::auto_number_format::AutoNumberFormat;
use super::decimal::Decimal;
use super::field_permissions::FieldPermissions;
use super::field_value::FieldValue;
use super::id::SfId;
use super::schema::{COUNT, Column, Computed, Field, Kind, OBJECTS, Object};

const BOOKING: &str = "Booking__c";

/// Record: system fields, and a value for each of its object's own fields.
#[derive(Clone, Debug)]
pub struct Record {
    pub id: SfId,
    /// Time and author of its creation.
    pub created: Stamp,
    /// Time and author of its last change.
    pub modified: Stamp,
    /// Values of its own fields, in the schema's order.
    pub cells: Vec<FieldValue>,
}

/// Time and user of a write.
#[derive(Clone, Copy, Debug)]
pub struct Stamp {
    /// Always a whole second in a real org.
    pub at: Timestamp,
    /// Id of a `User`.
    pub by: SfId,
}

/// Records of one object.
pub type Table = BTreeMap<SfId, Arc<Record>>;

/// Numbering of an object.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counter {
    /// Serial of the last id issued.
    pub serial: u64,
    /// Last auto-number issued.
    pub number: u64,
}

/// All records, with numbering and deleted ids.
#[derive(Clone, Debug, Default)]
pub struct OrgRecords {
    tables: [Arc<Table>; COUNT],
    /// Numbering by object.
    pub counters: [Counter; COUNT],
    /// Deleted ids; their error differs from that of ids that never existed.
    pub deleted: Arc<BTreeSet<SfId>>,
    /// Records written or deleted since the last save.
    pub dirty: BTreeSet<SfId>,
    /// Corporate currency, in an org with several.
    pub currencies: Option<Arc<str>>,
    /// Display format of booking numbers, if it is not the schema's.
    pub booking_numbers: Option<Arc<AutoNumberFormat>>,
    /// What the integration user may see and write.
    pub permissions: Arc<FieldPermissions>,
    /// Pending writes of flows' asynchronous paths.
    pub asynchronous: Vec<AsynchronousEdit>,
}

/// Write of a flow's asynchronous path.
#[derive(Clone, Debug)]
pub struct AsynchronousEdit {
    pub object: &'static Object,
    pub id: SfId,
    /// New values.
    pub fields: Map<String, Value>,
}

impl OrgRecords {
    /// Records of an object, ordered by id.
    #[must_use]
    pub fn table(&self, object: &Object) -> &Table {
        &self.tables[object.index]
    }

    #[must_use]
    pub fn get(&self, object: &Object, id: SfId) -> Option<&Arc<Record>> {
        self.tables[object.index].get(&id)
    }

    pub fn add(&mut self, object: &Object, cells: Vec<FieldValue>, stamp: Stamp) -> SfId {
        let id = self.next_id(object);
        let (created, modified) = (stamp, stamp);
        self.put(
            object,
            Record {
                id,
                created,
                modified,
                cells,
            },
        );
        id
    }

    /// Changes a record, if it exists.
    pub fn amend(&mut self, object: &Object, id: SfId, change: impl FnOnce(&mut Record)) -> bool {
        let Some(record) = self.get(object, id) else {
            return false;
        };
        let mut record = Record::clone(record);
        change(&mut record);
        self.put(object, record);
        true
    }

    pub fn put(&mut self, object: &Object, record: Record) {
        self.dirty.insert(record.id);
        Arc::make_mut(&mut self.tables[object.index]).insert(record.id, Arc::new(record));
    }

    pub fn remove(&mut self, object: &Object, id: SfId) {
        self.dirty.insert(id);
        Arc::make_mut(&mut self.tables[object.index]).remove(&id);
        Arc::make_mut(&mut self.deleted).insert(id);
    }

    pub fn next_id(&mut self, object: &Object) -> SfId {
        let counter = &mut self.counters[object.index];
        counter.serial += 1;
        SfId::new(object.prefix, counter.serial)
    }

    pub fn next_number(&mut self, object: &Object, before: &str, width: usize) -> FieldValue {
        let counter = &mut self.counters[object.index];
        counter.number += 1;
        match &self.booking_numbers {
            Some(form) if object.name == BOOKING => FieldValue::text(&form.number(counter.number)),
            _ => FieldValue::text(&format!("{before}{:0width$}", counter.number)),
        }
    }

    /// Changes the display format of booking numbers, and renumbers the bookings in the order of
    /// their creation.
    pub fn number_bookings(&mut self, form: AutoNumberFormat) {
        self.booking_numbers = Some(Arc::new(form));
        let Some(object) = Object::named(BOOKING) else {
            return;
        };
        let name = object
            .fields
            .iter()
            .position(|field| matches!(field.kind, Kind::AutoNumber(..)));
        let Some(name) = name else {
            return;
        };
        self.counters[object.index].number = 0;
        for record in self.table(object).clone().into_values() {
            let mut record = Record::clone(&record);
            record.cells[name] = self.next_number(object, "", 0);
            self.put(object, record);
        }
    }

    /// Value of a column, computed if it is not stored.
    #[must_use]
    pub fn value(&self, object: &Object, record: &Record, column: Column) -> FieldValue {
        match column {
            Column::Id => FieldValue::Id(record.id),
            Column::IsDeleted => FieldValue::Bool(false),
            Column::CreatedDate => FieldValue::DateTime(record.created.at),
            Column::CreatedById => FieldValue::Id(record.created.by),
            Column::ModifiedDate => FieldValue::DateTime(record.modified.at),
            Column::ModifiedById => FieldValue::Id(record.modified.by),
            Column::Own(i) => match object.fields.get(i).map(|f| f.kind) {
                Some(Kind::Computed(formula)) => self.compute(object, record, formula),
                _ => self.stored(object, record, i),
            },
        }
    }

    fn stored(&self, object: &Object, record: &Record, index: usize) -> FieldValue {
        let cell = record.cells.get(index).cloned().unwrap_or(FieldValue::Null);
        match object.fields.get(index) {
            Some(field) if field.is_currency_code() && cell.is_null() => self
                .currencies
                .as_deref()
                .map_or(FieldValue::Null, FieldValue::text),
            _ => cell,
        }
    }

    #[must_use]
    pub fn has(&self, field: &Field) -> bool {
        self.currencies.is_some() || !field.is_currency_code()
    }

    fn compute(&self, object: &Object, record: &Record, formula: Computed) -> FieldValue {
        let own = |name: &str| {
            object
                .own(name)
                .and_then(|i| record.cells.get(i))
                .cloned()
                .unwrap_or(FieldValue::Null)
        };
        let is = |name: &str, wanted: &[&str]| {
            FieldValue::Bool(own(name).as_text().is_some_and(|t| wanted.contains(&t)))
        };
        match formula {
            Computed::FullName => {
                let (first, last) = (own("FirstName"), own("LastName"));
                let parts: Vec<&str> = [&first, &last]
                    .into_iter()
                    .filter_map(FieldValue::as_text)
                    .collect();
                FieldValue::text(&parts.join(" "))
            }
            Computed::BookingNights => nights(&own("Check_In_Date__c"), &own("Check_Out_Date__c"))
                .map_or(FieldValue::Null, |n| FieldValue::Number(Decimal::new(n, 0))),
            Computed::OpportunityNights => self.nights_of(record.id),
            Computed::OpportunityClosed => is("StageName", &["Closed Won", "Closed Lost"]),
            Computed::OpportunityWon => is("StageName", &["Closed Won"]),
            Computed::CaseClosed => is("Status", &["Closed"]),
        }
    }

    /// Roll-up over an opportunity's bookings; 0 without any, like a SUM roll-up.
    fn nights_of(&self, opportunity: SfId) -> FieldValue {
        let Some(booking) = Object::named("Booking__c") else {
            return FieldValue::Null;
        };
        let column = |name: &str| booking.own(name).unwrap_or(usize::MAX);
        let parent = column("Opportunity__c");
        let (from, to) = (column("Check_In_Date__c"), column("Check_Out_Date__c"));
        let nights = self.table(booking).values().filter_map(|b| {
            let own = b.cells.get(parent)?.as_id() == Some(opportunity);
            nights(b.cells.get(from)?, b.cells.get(to)?).filter(|_| own)
        });
        FieldValue::Number(Decimal::new(nights.sum(), 0))
    }

    /// Record with all its fields, as in a response without a field list; without `attributes`.
    #[must_use]
    pub fn whole(&self, object: &'static Object, record: &Record) -> Map<String, Value> {
        let there = object.columns().filter(|(field, _)| self.has(field));
        there
            .map(|(f, c)| (f.name.to_owned(), self.value(object, record, c).to_json()))
            .collect()
    }

    /// Every record of every object, by object name.
    #[must_use]
    pub fn dump(&self) -> Value {
        let there = OBJECTS
            .iter()
            .filter(|o| self.currencies.is_some() || !o.needs_multi_currency());
        let tables = there.map(|o| (o.name.to_owned(), Value::Array(self.rows(o))));
        Value::Object(tables.collect())
    }

    #[must_use]
    pub fn rows(&self, object: &'static Object) -> Vec<Value> {
        let records = self.table(object).values();
        records
            .map(|record| Value::Object(self.whole(object, record)))
            .collect()
    }

    /// Records of an object whose field holds this value; for unique fields and upserts.
    pub fn containing<'a>(
        &'a self,
        object: &'static Object,
        field: &'static Field,
        column: Column,
        wanted: &'a FieldValue,
    ) -> impl Iterator<Item = &'a Arc<Record>> {
        self.table(object).values().filter(move |r| {
            !wanted.is_null()
                && self
                    .value(object, r, column)
                    .compare(wanted, field.case_sensitive)
                    .is_eq()
        })
    }
}

fn nights(arrival: &FieldValue, departure: &FieldValue) -> Option<i64> {
    match (arrival, departure) {
        (FieldValue::Date(from), FieldValue::Date(to)) => Some((*to - *from).get_days().into()),
        _ => None,
    }
}
