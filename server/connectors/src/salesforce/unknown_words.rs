//! Words of the org that we don't know, in the picklists that decide something: shown as they are,
//! and never taken for a harmless one.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde_json::Value;

use super::{OrgVocabulary, Picklist, org_check::Described, soql};

/// Picklists whose words decide what may be done or what is owed.
const DECIDING: [Picklist; 8] = [
    Picklist::BookingStatus,
    Picklist::RoomStatus,
    Picklist::Stage,
    Picklist::LineType,
    Picklist::LineStatus,
    Picklist::CaseStatus,
    Picklist::CasePriority,
    Picklist::CaseType,
];

/// Maximum number of records that are looked at for each picklist.
const MAX_RECORDS: usize = 200;

/// Record with one field.
pub(super) type Row = BTreeMap<String, Value>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWords {
    /// API name.
    pub object: &'static str,
    /// API name.
    pub field: &'static str,
    /// Words in the org's own spelling.
    pub words: BTreeSet<String>,
}

impl fmt::Display for UnknownWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.words.iter().map(String::as_str).collect();
        write!(f, "{}.{}: {}", self.object, self.field, words.join(", "))
    }
}

pub(super) struct Collected<'a> {
    vocabulary: &'a OrgVocabulary,
    present: Vec<Picklist>,
    found: BTreeMap<Picklist, BTreeSet<String>>,
}

impl<'a> Collected<'a> {
    /// Those that the org's own description names.
    pub(super) fn described(
        org: &BTreeMap<&'static str, Option<Described>>,
        vocabulary: &'a OrgVocabulary,
    ) -> Self {
        let mut collected = Self {
            vocabulary,
            present: Vec::new(),
            found: BTreeMap::new(),
        };
        for list in DECIDING {
            let (object, field) = list.place();
            let described = org.get(object).and_then(Option::as_ref);
            if let Some(described) = described.filter(|described| described.shows(field)) {
                collected.present.push(list);
                collected.add(list, described.values(field));
            }
        }
        collected
    }

    /// For each picklist the records that have an unknown word: one can be written without being a
    /// value of the picklist.
    pub(super) fn queries(&self) -> Vec<(Picklist, String)> {
        let query = |list: &Picklist| {
            let (object, field) = list.place();
            let known: Vec<_> = self.known(*list).map(soql::text).collect();
            let soql = format!(
                "SELECT {field} FROM {object} WHERE {field} != null AND {field} NOT IN ({}) ORDER BY Id LIMIT {MAX_RECORDS}",
                known.join(", ")
            );
            (*list, soql)
        };
        self.present.iter().map(query).collect()
    }

    /// Adds those of these records.
    pub(super) fn add_rows(&mut self, list: Picklist, rows: &[Row]) {
        let (_, field) = list.place();
        let words = rows.iter().filter_map(|row| row.get(field)?.as_str());
        self.add(list, words);
    }

    /// All of them, by picklist.
    pub(super) fn finish(self) -> Vec<UnknownWords> {
        let unknown = |(list, words): (Picklist, BTreeSet<String>)| {
            let (object, field) = list.place();
            UnknownWords {
                object,
                field,
                words,
            }
        };
        self.found.into_iter().map(unknown).collect()
    }

    fn add<'w>(&mut self, list: Picklist, words: impl Iterator<Item = &'w str>) {
        // An org compares picklist values without regard to case
        let known: Vec<_> = self.known(list).map(str::to_lowercase).collect();
        let unknown = words
            .filter(|word| !known.contains(&word.to_lowercase()))
            .map(str::to_owned);
        let unknown: BTreeSet<_> = unknown.collect();
        if !unknown.is_empty() {
            self.found.entry(list).or_default().extend(unknown);
        }
    }

    fn known(&self, list: Picklist) -> impl Iterator<Item = &'a str> {
        self.vocabulary
            .all()
            .filter(move |word| word.list == list)
            .map(|word| word.theirs)
    }
}
