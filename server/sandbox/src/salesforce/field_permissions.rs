//! Field-level security: what the integration user may see and write.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::error::{ApiError, ApiResult};
use super::schema::{Field, Object};

/// Fields that administrators keep from the integration user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPermissions {
    hidden: BTreeSet<String>,
    read_only: BTreeSet<String>,
}

impl FieldPermissions {
    /// Permissions with these fields hidden and read-only, as `Object.Field`.
    #[must_use]
    pub fn new(hidden: &[String], read_only: &[String]) -> Self {
        let names = |names: &[String]| names.iter().map(|name| name.to_lowercase()).collect();
        Self {
            hidden: names(hidden),
            read_only: names(read_only),
        }
    }

    /// Whether the user sees the field.
    #[must_use]
    pub fn shows(&self, object: &Object, field: &Field) -> bool {
        self.hidden.is_empty() || !self.hidden.contains(&key(object, field))
    }

    /// Whether the user may write a field that it sees.
    #[must_use]
    pub fn lets_write(&self, object: &Object, field: &Field) -> bool {
        self.read_only.is_empty() || !self.read_only.contains(&key(object, field))
    }

    /// Checks a record's fields before they are written.
    ///
    /// # Errors
    /// As in a real org: a hidden field is none, a read-only one is refused.
    pub fn check(&self, object: &'static Object, fields: &Map<String, Value>) -> ApiResult<()> {
        for name in fields.keys() {
            let field = object.field(name).or_else(|| {
                let (_, column, _) = object.parent(name)?;
                object.columns().find(|(_, own)| *own == column)
            });
            let Some((field, _)) = field else { continue };
            if !self.shows(object, field) {
                return Err(ApiError::no_column(name, object.name));
            }
            if !self.lets_write(object, field) {
                return Err(ApiError::not_writeable(field.name));
            }
        }
        Ok(())
    }
}

fn key(object: &Object, field: &Field) -> String {
    format!("{}.{}", object.name, field.name).to_lowercase()
}
