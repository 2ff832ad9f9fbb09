//! Creates, updates and deletes a record, under the rules of a real org.

use serde_json::{Map, Value};

use super::error::{ApiError, ApiResult};
use super::field_input::{self, Changes, Intent};
use super::field_value::FieldValue;
use super::id::SfId;
use super::org_records::{OrgRecords, Record, Stamp};
use super::schema::{Column, Field, Kind, OBJECTS, Object, OnDelete};

impl OrgRecords {
    /// Creates a record.
    ///
    /// # Errors
    /// As in a real org; nothing is changed then.
    pub fn create(
        &mut self,
        object: &'static Object,
        body: &Map<String, Value>,
        stamp: Stamp,
    ) -> ApiResult<SfId> {
        need_writeable(object)?;
        let changes = field_input::changes(self, object, body, Intent::Create)?;
        let mut cells: Vec<FieldValue> = object
            .fields
            .iter()
            .map(|f| match f.kind {
                Kind::Bool => FieldValue::Bool(false),
                _ => f.default.map_or(FieldValue::Null, FieldValue::text),
            })
            .collect();
        self.apply(object, &mut cells, changes, None)?;
        for (field, cell) in object.fields.iter().zip(&mut cells) {
            if let Kind::AutoNumber(before, width) = field.kind {
                *cell = self.next_number(object, before, width);
            }
        }
        Ok(self.add(object, cells, stamp))
    }

    /// Updates a record; writing an unchanged value still counts as a change.
    ///
    /// # Errors
    /// As in a real org; nothing is changed then.
    pub fn update(
        &mut self,
        object: &'static Object,
        id: SfId,
        body: &Map<String, Value>,
        stamp: Stamp,
    ) -> ApiResult<()> {
        need_writeable(object)?;
        let mut record = Record::clone(self.find(object, id)?);
        let changes = field_input::changes(self, object, body, Intent::Update)?;
        self.apply(object, &mut record.cells, changes, Some(id))?;
        // Time never runs backward for a row, whatever its stamp.
        record.modified = Stamp {
            at: stamp.at.max(record.modified.at),
            ..stamp
        };
        self.put(object, record);
        Ok(())
    }

    /// Clears optional fields: the given ones or all, of one record or all. Returns the number of
    /// changed records.
    pub fn blank(
        &mut self,
        object: &'static Object,
        only: Option<SfId>,
        fields: Option<&[String]>,
        stamp: Stamp,
    ) -> usize {
        let meant = |name: &str| {
            fields.is_none_or(|some| some.iter().any(|field| field.eq_ignore_ascii_case(name)))
        };
        let ids: Vec<SfId> = self
            .table(object)
            .keys()
            .copied()
            .filter(|id| only.is_none_or(|o| o == *id))
            .collect();
        let mut changed = 0;
        for id in ids {
            let Some(mut record) = self.get(object, id).map(|record| Record::clone(record)) else {
                continue;
            };
            let mut touched = false;
            for (field, cell) in object.fields.iter().zip(&mut record.cells) {
                if field.can_be_empty() && meant(field.name) && !cell.is_null() {
                    *cell = FieldValue::Null;
                    touched = true;
                }
            }
            if touched {
                record.modified = stamp;
                self.put(object, record);
                changed += 1;
            }
        }
        changed
    }

    /// Sets a picklist field to any word, as after an administrator has added it.
    pub fn set_word(
        &mut self,
        object: &'static Object,
        id: SfId,
        field: &Field,
        word: &str,
        stamp: Stamp,
    ) -> bool {
        self.amend(object, id, |record| {
            for (known, cell) in object.fields.iter().zip(&mut record.cells) {
                if known.name == field.name {
                    *cell = FieldValue::text(word);
                }
            }
            record.modified = stamp;
        })
    }

    /// Record with this id.
    ///
    /// # Errors
    /// 404, with a different code for a deleted record.
    pub fn find(&self, object: &'static Object, id: SfId) -> ApiResult<&Record> {
        if let Some(record) = self.get(object, id) {
            return Ok(record);
        }
        if self.deleted.contains(&id) {
            return Err(ApiError {
                status: 404,
                ..ApiError::field("ENTITY_IS_DELETED", "entity is deleted", "Id")
            });
        }
        Err(ApiError::not_found("The requested resource does not exist"))
    }

    fn apply(
        &self,
        object: &'static Object,
        cells: &mut [FieldValue],
        changes: Changes,
        own: Option<SfId>,
    ) -> ApiResult<()> {
        let mut written = vec![own.is_none(); cells.len()];
        for (index, _, cell) in changes {
            cells[index] = cell;
            written[index] = true;
        }
        let columns = || {
            object
                .fields
                .iter()
                .zip(&*cells)
                .enumerate()
                .filter(|(i, _)| written[*i])
        };
        let missing = columns()
            .filter(|(_, (f, c))| f.required && c.is_null())
            .map(|(_, (f, _))| f.name);
        let missing: Vec<&str> = missing.collect();
        if !missing.is_empty() {
            let message = format!("Required fields are missing: [{}]", missing.join(", "));
            let fields = Some(missing.into_iter().map(str::to_owned).collect());
            return Err(ApiError {
                fields,
                ..ApiError::bad("REQUIRED_FIELD_MISSING", message)
            });
        }
        for (index, (field, cell)) in columns().filter(|(_, (f, _))| f.unique) {
            let rival = self
                .containing(object, field, Column::Own(index), cell)
                .find(|r| Some(r.id) != own);
            if let Some(rival) = rival {
                let message = format!(
                    "duplicate value found: {} duplicates value on record with id: {}",
                    field.name, rival.id
                );
                return Err(ApiError {
                    fields: Some(Vec::new()),
                    ..ApiError::bad("DUPLICATE_VALUE", message)
                });
            }
        }
        Ok(())
    }

    /// Deletes a record with its details, and clears lookups that allow it.
    ///
    /// # Errors
    /// `DELETE_FAILED` if a lookup restricts it; nothing is changed then.
    pub fn delete(&mut self, object: &'static Object, id: SfId) -> ApiResult<()> {
        need_writeable(object)?;
        let name = {
            let record = self.find(object, id)?;
            let name = object
                .field("Name")
                .or_else(|| object.field("CaseNumber"))
                .map(|(_, c)| self.value(object, record, c));
            name.map_or_else(|| id.to_string(), |n| field_input::show(&n))
        };
        let mut doomed = vec![(object, id)];
        let mut emptied = Vec::new();
        let mut at = 0;
        while let Some(&(_, parent)) = doomed.get(at) {
            at += 1;
            for child in &OBJECTS {
                for (index, reference) in child
                    .fields
                    .iter()
                    .enumerate()
                    .filter_map(|(i, f)| Some((i, f.reference()?)))
                {
                    let holders = self
                        .table(child)
                        .values()
                        .filter(|r| r.cells[index].as_id() == Some(parent));
                    for holder in holders {
                        match reference.on_delete {
                            OnDelete::Cascade => doomed.push((child, holder.id)),
                            OnDelete::SetNull => emptied.push((child, holder.id, index)),
                            OnDelete::Restrict => {
                                let message = format!(
                                    "Your attempt to delete {name} could not be completed because it is associated with \
                                     the following {} records: {}",
                                    child.name, holder.id
                                );
                                return Err(ApiError {
                                    fields: Some(Vec::new()),
                                    ..ApiError::bad("DELETE_FAILED", message)
                                });
                            }
                        }
                    }
                }
            }
        }
        for (child, holder, index) in emptied {
            self.amend(child, holder, |record| {
                record.cells[index] = FieldValue::Null;
            });
        }
        for (object, id) in doomed {
            self.remove(object, id);
        }
        Ok(())
    }
}

fn need_writeable(object: &Object) -> ApiResult<()> {
    if object.read_only {
        let message = format!("entity type {} cannot be written by this user", object.name);
        return Err(ApiError::bad("INSUFFICIENT_ACCESS_OR_READONLY", message));
    }
    Ok(())
}
