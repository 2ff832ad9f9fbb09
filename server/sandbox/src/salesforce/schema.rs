//! Objects and fields of the org: the metadata behind validation, queries and describe.

mod objects;

pub use objects::{COUNT, CURRENCY_FIELD, DEFAULT_CURRENCY_FIELD, OBJECTS};

/// Object, such as `Booking__c`.
#[derive(Debug)]
pub struct Object {
    /// Index in [`OBJECTS`] and among the org's tables.
    pub index: usize,
    pub name: &'static str,
    /// First three characters of its record ids.
    pub prefix: &'static str,
    /// Its own fields; those common to all objects are in [`SYSTEM`].
    pub fields: &'static [Field],
    /// Whether it is read-only for API clients (`User`).
    pub read_only: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether it must not be null.
    pub required: bool,
    /// Whether it can be the key of an upsert.
    pub external: bool,
    /// Whether its values are unique.
    pub unique: bool,
    /// Whether text comparison is case-sensitive.
    pub case_sensitive: bool,
    /// Default value of a new record.
    pub default: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Id,
    /// One line of text with this maximum length.
    Text(usize),
    /// Long text, which can be neither filtered nor sorted.
    LongText(usize),
    Email,
    Phone,
    /// Web address.
    Url,
    /// Checkbox.
    Bool,
    /// Number: digits before and after the decimal point.
    Number(u32, u32),
    /// Amount: digits before and after the decimal point.
    Currency(u32, u32),
    Date,
    DateTime,
    /// Picklist value; a restricted picklist accepts no other value.
    Picklist(&'static [&'static str], Restricted),
    /// Record of another object.
    Reference(Reference),
    /// Auto-number: prefix, minimum number of digits.
    AutoNumber(&'static str, usize),
    /// Computed on read, never stored.
    Computed(Computed),
}

/// Whether a picklist accepts only its own values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restricted {
    /// Only its own values.
    Yes,
    /// Any text, as in the standard fields of an org.
    No,
}

/// Lookup or master-detail field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    pub to: &'static str,
    /// Relationship name of the parent in a query.
    pub parent: &'static str,
    /// Relationship name of the children in a query; empty if there is none.
    pub children: &'static str,
    /// What happens to this record when the other is deleted.
    pub on_delete: OnDelete,
}

/// Effect of deleting a referenced record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDelete {
    /// The reference is cleared.
    SetNull,
    /// The deletion is rejected.
    Restrict,
    /// Master-detail: the detail is deleted too, and the reference can never be changed.
    Cascade,
}

/// Formula or roll-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computed {
    /// First and last name.
    FullName,
    /// `Check_Out_Date__c - Check_In_Date__c`.
    BookingNights,
    /// Sum of its bookings' nights.
    OpportunityNights,
    /// Won or lost.
    OpportunityClosed,
    OpportunityWon,
    /// Status `Closed`.
    CaseClosed,
}

/// Location of a value in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Id,
    /// `CreatedDate`.
    CreatedDate,
    /// `CreatedById`.
    CreatedById,
    /// `LastModifiedDate`, `SystemModstamp`.
    ModifiedDate,
    /// `LastModifiedById`.
    ModifiedById,
    /// `IsDeleted`: always false for visible records.
    IsDeleted,
    /// The object's own field with this index.
    Own(usize),
}

const fn user(parent: &'static str) -> Kind {
    Kind::Reference(Reference {
        to: "User",
        parent,
        children: "",
        on_delete: OnDelete::Restrict,
    })
}

/// Fields common to all objects, all read-only.
pub static SYSTEM: [(Field, Column); 7] = [
    (Field::new("Id", Kind::Id), Column::Id),
    (Field::new("IsDeleted", Kind::Bool), Column::IsDeleted),
    (
        Field::new("CreatedDate", Kind::DateTime),
        Column::CreatedDate,
    ),
    (
        Field::new("CreatedById", user("CreatedBy")),
        Column::CreatedById,
    ),
    (
        Field::new("LastModifiedDate", Kind::DateTime),
        Column::ModifiedDate,
    ),
    (
        Field::new("LastModifiedById", user("LastModifiedBy")),
        Column::ModifiedById,
    ),
    (
        Field::new("SystemModstamp", Kind::DateTime),
        Column::ModifiedDate,
    ),
];

/// Label of an API name.
#[must_use]
pub fn label(name: &str) -> String {
    name.strip_suffix("__c").unwrap_or(name).replace('_', " ")
}

impl Field {
    /// Optional field without special attributes.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            required: false,
            external: false,
            unique: false,
            case_sensitive: false,
            default: None,
        }
    }

    #[must_use]
    pub fn label(&self) -> String {
        label(self.name)
    }

    #[must_use]
    pub fn reference(&self) -> Option<&Reference> {
        match &self.kind {
            Kind::Reference(reference) => Some(reference),
            _ => None,
        }
    }

    /// Whether it exists only in an org with several currencies.
    #[must_use]
    pub fn is_currency_code(&self) -> bool {
        [CURRENCY_FIELD, DEFAULT_CURRENCY_FIELD].contains(&self.name)
    }

    /// Whether it may be left empty.
    #[must_use]
    pub fn can_be_empty(&self) -> bool {
        let optional = !self.required && self.name != "Name" && !self.is_currency_code();
        optional && self.createable() && self.kind != Kind::Bool
    }

    /// Whether it can be set on create.
    #[must_use]
    pub fn createable(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Id | Kind::AutoNumber(..) | Kind::Computed(_)
        )
    }

    /// Whether it can be set on update.
    #[must_use]
    pub fn updateable(&self) -> bool {
        self.createable()
            && self
                .reference()
                .is_none_or(|r| r.on_delete != OnDelete::Cascade)
    }
}

impl Object {
    /// Object with this API name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        OBJECTS.iter().find(|o| o.name.eq_ignore_ascii_case(name))
    }

    /// Object whose record ids have this prefix.
    #[must_use]
    pub fn of_prefix(prefix: &str) -> Option<&'static Self> {
        OBJECTS.iter().find(|o| o.prefix == prefix)
    }

    /// Whether it exists only in an org with several currencies.
    #[must_use]
    pub fn needs_multi_currency(&self) -> bool {
        self.name == "CurrencyType"
    }

    /// Field with this name, in any case, and the location of its value.
    #[must_use]
    pub fn field(&'static self, name: &str) -> Option<(&'static Field, Column)> {
        self.columns()
            .find(|(f, _)| f.name.eq_ignore_ascii_case(name))
    }

    /// All fields, the common ones first.
    pub fn columns(&'static self) -> impl Iterator<Item = (&'static Field, Column)> {
        let own = self
            .fields
            .iter()
            .enumerate()
            .map(|(i, f)| (f, Column::Own(i)));
        SYSTEM.iter().map(|(f, c)| (f, *c)).chain(own)
    }

    /// Parent reference with this relationship name.
    #[must_use]
    pub fn parent(
        &'static self,
        relationship: &str,
    ) -> Option<(&'static Reference, Column, &'static Self)> {
        self.columns().find_map(|(f, c)| {
            let reference = f
                .reference()
                .filter(|r| r.parent.eq_ignore_ascii_case(relationship))?;
            Some((reference, c, Self::named(reference.to)?))
        })
    }

    /// Object and column of the child relationship with this name.
    #[must_use]
    pub fn child(&self, relationship: &str) -> Option<(&'static Reference, usize, &'static Self)> {
        OBJECTS.iter().find_map(|child| {
            child.fields.iter().enumerate().find_map(|(i, f)| {
                let r = f.reference()?;
                (r.to == self.name
                    && r.children.eq_ignore_ascii_case(relationship)
                    && !r.children.is_empty())
                .then_some((r, i, child))
            })
        })
    }

    /// Index of an own field; for code that names fields itself.
    #[must_use]
    pub fn own(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_tables_are_valid() {
        for (i, object) in OBJECTS.iter().enumerate() {
            assert_eq!(object.index, i);
            assert_eq!(object.prefix.len(), 3);
            for field in object.fields {
                if let Some(r) = field.reference() {
                    assert!(Object::named(r.to).is_some(), "{}", field.name);
                }
            }
        }
        let booking = Object::named("booking__C").unwrap();
        assert_eq!(
            booking.parent("opportunity__r").unwrap().2.name,
            "Opportunity"
        );
        assert_eq!(
            Object::named("Opportunity")
                .unwrap()
                .child("Bookings__r")
                .unwrap()
                .2
                .name,
            "Booking__c"
        );
        assert!(!booking.field("Opportunity__c").unwrap().0.updateable());
    }
}
