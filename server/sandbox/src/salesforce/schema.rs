//! What objects the org has and what their fields are: the metadata behind validation, queries and
//! describe.

mod objects;

pub use objects::{COUNT, CURRENCY_FIELD, DEFAULT_CURRENCY_FIELD, OBJECTS};

/// One object, such as `Booking__c`.
#[derive(Debug)]
pub struct Object {
    /// Its place in [`OBJECTS`] and among the org's tables.
    pub index: usize,
    /// API name.
    pub name: &'static str,
    /// The first three characters of its records' ids.
    pub prefix: &'static str,
    /// Its own fields; those every object has are in [`SYSTEM`].
    pub fields: &'static [Field],
    /// Whether programs may not write it (`User`).
    pub read_only: bool,
}

/// One field of an object.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// API name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// May not be empty.
    pub required: bool,
    /// Can be the key of an upsert.
    pub external: bool,
    /// No two records share a value.
    pub unique: bool,
    /// Text that differs only in case is different.
    pub case_sensitive: bool,
    /// What a new record holds if nothing is said.
    pub default: Option<&'static str>,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The record's own id.
    Id,
    /// One line of text of at most so many characters.
    Text(usize),
    /// Long text, which can be neither filtered nor sorted.
    LongText(usize),
    /// An email address.
    Email,
    /// A phone number.
    Phone,
    /// A web address.
    Url,
    /// A checkbox.
    Bool,
    /// A number: digits before and after the point.
    Number(u32, u32),
    /// An amount: digits before and after the point.
    Currency(u32, u32),
    /// A day.
    Date,
    /// A moment.
    DateTime,
    /// One of a list; if restricted, no other value is taken.
    Picklist(&'static [&'static str], Restricted),
    /// A record of another object.
    Reference(Reference),
    /// Numbered by the org: text before, least digits.
    AutoNumber(&'static str, usize),
    /// Never stored, worked out on reading.
    Computed(Computed),
}

/// Whether a picklist takes only its own values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restricted {
    /// Only its own.
    Yes,
    /// Any text, as the standard fields of an org do.
    No,
}

/// A lookup or master-detail field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The object referred to.
    pub to: &'static str,
    /// The way to the parent in a query.
    pub parent: &'static str,
    /// The way from the parent to its children in a query; empty if there is none.
    pub children: &'static str,
    /// What becomes of this record when the other is deleted.
    pub on_delete: OnDelete,
}

/// What the deletion of a referred record does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDelete {
    /// The reference is emptied.
    SetNull,
    /// The deletion is refused.
    Restrict,
    /// Master-detail: the detail goes too, and the reference can never be written again.
    Cascade,
}

/// A formula or roll-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Computed {
    /// First and last name.
    FullName,
    /// `Check_Out_Date__c - Check_In_Date__c`.
    BookingNights,
    /// The sum of its bookings' nights.
    OpportunityNights,
    /// Won or lost.
    OpportunityClosed,
    /// Won.
    OpportunityWon,
    /// Status `Closed`.
    CaseClosed,
}

/// Where a value is found in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The id.
    Id,
    /// `CreatedDate`.
    CreatedDate,
    /// `CreatedById`.
    CreatedById,
    /// `LastModifiedDate`, `SystemModstamp`.
    ModifiedDate,
    /// `LastModifiedById`.
    ModifiedById,
    /// `IsDeleted`: never, for what can be seen.
    IsDeleted,
    /// The object's own field of this number.
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

/// The fields every object has, all read only.
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

impl Field {
    /// A field that may be empty and has nothing special.
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

    /// What a person reads above it.
    #[must_use]
    pub fn label(&self) -> String {
        self.name
            .strip_suffix("__c")
            .unwrap_or(self.name)
            .replace('_', " ")
    }

    /// The reference, if it is one.
    #[must_use]
    pub fn reference(&self) -> Option<&Reference> {
        match &self.kind {
            Kind::Reference(reference) => Some(reference),
            _ => None,
        }
    }

    /// Whether only an org with several currencies has it.
    #[must_use]
    pub fn is_currency_code(&self) -> bool {
        [CURRENCY_FIELD, DEFAULT_CURRENCY_FIELD].contains(&self.name)
    }

    /// Whether a person can leave it empty.
    #[must_use]
    pub fn can_be_empty(&self) -> bool {
        let optional = !self.required && self.name != "Name" && !self.is_currency_code();
        optional && self.createable() && self.kind != Kind::Bool
    }

    /// Whether it can be given when a record is made.
    #[must_use]
    pub fn createable(&self) -> bool {
        !matches!(
            self.kind,
            Kind::Id | Kind::AutoNumber(..) | Kind::Computed(_)
        )
    }

    /// Whether it can be given when a record is changed.
    #[must_use]
    pub fn updateable(&self) -> bool {
        self.createable()
            && self
                .reference()
                .is_none_or(|r| r.on_delete != OnDelete::Cascade)
    }
}

impl Object {
    /// The object of this API name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        OBJECTS.iter().find(|o| o.name.eq_ignore_ascii_case(name))
    }

    /// The object whose records' ids begin so.
    #[must_use]
    pub fn of_prefix(prefix: &str) -> Option<&'static Self> {
        OBJECTS.iter().find(|o| o.prefix == prefix)
    }

    /// Whether only an org with several currencies has it.
    #[must_use]
    pub fn needs_multi_currency(&self) -> bool {
        self.name == "CurrencyType"
    }

    /// The field of this name, in any case, and where its value is.
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

    /// The reference that a query follows under this name.
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

    /// The object and column whose records a child query of this name reads.
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

    /// The number of an own field; for code that names fields itself.
    #[must_use]
    pub fn own(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sound() {
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
