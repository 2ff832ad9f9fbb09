//! Stripe's objects by table, with the set of unsaved ones.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::stored_row::{ChangedRow, Row};

/// Tables of JSON objects; members whose names start with `_` are internal and never shown.
#[derive(Clone, Debug, Default)]
pub struct ObjectTables {
    tables: BTreeMap<String, BTreeMap<String, Value>>,
    dirty: BTreeSet<(String, String)>,
    seed: u64,
    counter: u64,
}

const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

impl ObjectTables {
    /// Empty ledger whose ids derive from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    /// Ledger restored from disk.
    #[must_use]
    pub fn restore(rows: Vec<Row>) -> Self {
        let mut ledger = Self::default();
        for row in rows {
            let Ok(value) = serde_json::from_str::<Value>(&row.json) else {
                continue;
            };
            if row.table == "_counter" {
                ledger.seed = value["seed"].as_u64().unwrap_or(0);
                ledger.counter = value["counter"].as_u64().unwrap_or(0);
            } else {
                ledger
                    .tables
                    .entry(row.table)
                    .or_default()
                    .insert(row.id, value);
            }
        }
        ledger
    }

    /// Next number; it also orders objects created within one second.
    pub fn next(&mut self) -> u64 {
        self.counter += 1;
        self.dirty.insert(("_counter".to_owned(), "0".to_owned()));
        self.counter
    }

    /// Continues numbering after `other`.
    pub fn skip_to(&mut self, other: &Self) {
        self.counter = self.counter.max(other.counter);
        self.dirty.insert(("_counter".to_owned(), "0".to_owned()));
    }

    /// New id such as `pi_3A…`, deterministic for a seed.
    pub fn id(&mut self, prefix: &str, length: usize) -> String {
        let number = self.next();
        let mut state = self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut text = String::with_capacity(prefix.len() + length + 1);
        text.push_str(prefix);
        for _ in 0..length {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut mixed = state;
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            let place = usize::try_from((mixed >> 31) % 62).unwrap_or(0);
            text.push(char::from(LETTERS[place]));
        }
        text
    }

    #[must_use]
    pub fn get(&self, table: &str, id: &str) -> Option<&Value> {
        self.tables.get(table)?.get(id)
    }

    pub fn all(&self, table: &str) -> impl Iterator<Item = &Value> {
        self.tables
            .get(table)
            .into_iter()
            .flat_map(BTreeMap::values)
    }

    /// Writes an object under its own `id`.
    pub fn put(&mut self, table: &str, object: Value) {
        let id = object["id"].as_str().unwrap_or_default().to_owned();
        self.dirty.insert((table.to_owned(), id.clone()));
        self.tables
            .entry(table.to_owned())
            .or_default()
            .insert(id, object);
    }

    /// The object, or null.
    pub fn found(&self, table: &str, id: &Value) -> Value {
        let found = id.as_str().and_then(|id| self.get(table, id));
        found.cloned().unwrap_or_default()
    }

    /// Changes an object in place; returns what it is then.
    pub fn change(&mut self, table: &str, id: &str, change: impl FnOnce(&mut Value)) -> Value {
        let Some(object) = self.tables.get_mut(table).and_then(|rows| rows.get_mut(id)) else {
            return Value::Null;
        };
        change(object);
        self.dirty.insert((table.to_owned(), id.to_owned()));
        object.clone()
    }

    pub fn remove(&mut self, table: &str, id: &str) -> Option<Value> {
        let gone = self.tables.get_mut(table)?.remove(id);
        if gone.is_some() {
            self.dirty.insert((table.to_owned(), id.to_owned()));
        }
        gone
    }

    /// Whether anything but bookkeeping changed since the last drain.
    #[must_use]
    pub fn touched(&self) -> bool {
        self.dirty.iter().any(|(table, _)| !table.starts_with('_'))
    }

    /// Discards the set of unsaved objects.
    pub fn forget_dirty(&mut self) {
        self.dirty.clear();
    }

    /// Unsaved rows.
    pub fn drain_dirty(&mut self) -> Vec<ChangedRow> {
        std::mem::take(&mut self.dirty)
            .into_iter()
            .map(|(table, id)| {
                let json = if table == "_counter" {
                    Some(json!({"seed": self.seed, "counter": self.counter}).to_string())
                } else {
                    self.get(&table, &id).map(Value::to_string)
                };
                ChangedRow { table, id, json }
            })
            .collect()
    }

    /// Public tables, for `/admin/state`.
    #[must_use]
    pub fn state(&self) -> Value {
        let mut tables = Map::new();
        for name in [
            "customers",
            "payment_methods",
            "payment_intents",
            "charges",
            "refunds",
            "disputes",
            "webhook_endpoints",
            "events",
        ] {
            let mut rows: Vec<&Value> = self.all(name).collect();
            rows.sort_by_key(|row| row["_seq"].as_u64());
            tables.insert(
                name.to_owned(),
                Value::Array(rows.into_iter().map(shown).collect()),
            );
        }
        Value::Object(tables)
    }
}

/// Public form of an object.
#[must_use]
pub fn shown(object: &Value) -> Value {
    match object {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(name, _)| !name.starts_with('_'))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect(),
        ),
        other => other.clone(),
    }
}
