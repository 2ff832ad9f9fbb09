//! Resolved SELECT list, and the records in that shape.

use serde_json::{Map, Value, json};

use super::super::error::{ApiError, ApiResult};
use super::super::org_records::{OrgRecords, Record};
use super::super::schema::{Column, Object};
use super::ast::{Item, Select};
use super::field_path::{FieldPath, ParentStep};
use super::filter::Scope;
use super::matching;

/// Selected fields of an object, its parents and its children.
#[derive(Debug, Default)]
pub struct ResultShape<'q> {
    fields: Vec<(&'static str, Column)>,
    parents: Vec<(ParentStep, ResultShape<'q>)>,
    children: Vec<Child<'q>>,
}

/// Child query without its parent.
#[derive(Debug)]
struct Child<'q> {
    name: &'static str,
    object: &'static Object,
    /// Field of the child that refers to the parent.
    reference: Column,
    query: &'q Select,
    shape: ResultShape<'q>,
}

impl<'q> ResultShape<'q> {
    /// Resolves all names.
    ///
    /// # Errors
    /// `INVALID_FIELD`, also for a field named twice; `MALFORMED_QUERY` for a child query inside
    /// another.
    pub fn resolve(
        records: &OrgRecords,
        object: &'static Object,
        query: &'q Select,
        nested: bool,
    ) -> ApiResult<Self> {
        let mut shape = Self::default();
        for item in &query.items {
            match item {
                Item::Path(path) => {
                    let access = FieldPath::find(records, object, query.alias.as_deref(), path)?;
                    if !shape.add(&access.hops, access.field.name, access.column) {
                        return Err(ApiError::bad(
                            "INVALID_FIELD",
                            format!("duplicate field selected: {path}"),
                        ));
                    }
                }
                Item::Child(child) if !nested => shape.add_child(records, object, child)?,
                Item::Child(_) => {
                    return Err(ApiError::malformed("child queries do not nest here"));
                }
            }
        }
        Ok(shape)
    }

    fn add(&mut self, hops: &[ParentStep], name: &'static str, column: Column) -> bool {
        let Some((hop, rest)) = hops.split_first() else {
            let new = self.fields.iter().all(|(n, _)| *n != name);
            self.fields.push((name, column));
            return new;
        };
        let at = match self.parents.iter().position(|(h, _)| h.name == hop.name) {
            Some(at) => at,
            None => {
                self.parents.push((*hop, Self::default()));
                self.parents.len() - 1
            }
        };
        self.parents[at].1.add(rest, name, column)
    }

    fn add_child(
        &mut self,
        records: &OrgRecords,
        object: &'static Object,
        query: &'q Select,
    ) -> ApiResult<()> {
        let (reference, own, child) = object.child(&query.from).ok_or_else(|| {
            let message = format!(
                "Didn't understand relationship '{}' in FROM part of query call. If you are attempting to use a custom \
                 relationship, be sure to append the '__r' after the custom relationship name. Please reference your \
                 WSDL or the describe call for the appropriate names.",
                query.from
            );
            ApiError::bad("INVALID_TYPE", message)
        })?;
        let shape = ResultShape::resolve(records, child, query, true)?;
        let (name, reference) = (reference.children, Column::Own(own));
        self.children.push(Child {
            name,
            object: child,
            reference,
            query,
            shape,
        });
        Ok(())
    }

    /// Record in this shape: parents nested or null, children as a nested result or null.
    ///
    /// # Errors
    /// Errors of a child query's filter.
    pub fn show(
        &self,
        records: &OrgRecords,
        object: &'static Object,
        record: &Record,
        base: &str,
    ) -> ApiResult<Value> {
        let mut shown = Map::new();
        let url = format!("{base}/sobjects/{}/{}", object.name, record.id);
        shown.insert(
            "attributes".to_owned(),
            json!({"type": object.name, "url": url}),
        );
        for (name, column) in &self.fields {
            shown.insert(
                (*name).to_owned(),
                records.value(object, record, *column).to_json(),
            );
        }
        for (hop, shape) in &self.parents {
            let id = records.value(object, record, hop.column).as_id();
            let parent = match id.and_then(|id| records.get(hop.object, id)) {
                Some(parent) => shape.show(records, hop.object, parent, base)?,
                None => Value::Null,
            };
            shown.insert(hop.name.to_owned(), parent);
        }
        for child in &self.children {
            shown.insert(child.name.to_owned(), child.show(records, record, base)?);
        }
        Ok(Value::Object(shown))
    }
}

impl Child<'_> {
    fn show(&self, records: &OrgRecords, parent: &Record, base: &str) -> ApiResult<Value> {
        let scope = Scope {
            records,
            object: self.object,
            alias: self.query.alias.as_deref(),
        };
        let mine =
            |r: &Record| records.value(self.object, r, self.reference).as_id() == Some(parent.id);
        let rows = matching::matching_of(scope, self.query, mine)?;
        if rows.is_empty() {
            return Ok(Value::Null);
        }
        let records = rows
            .iter()
            .map(|r| self.shape.show(records, self.object, r, base))
            .collect::<ApiResult<Vec<_>>>()?;
        Ok(json!({"totalSize": records.len(), "done": true, "records": records}))
    }
}
