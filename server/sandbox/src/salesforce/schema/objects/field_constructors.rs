//! Constructors for schema definitions.

use super::super::{Field, Kind, OnDelete, Reference, Restricted};

pub(super) const fn f(name: &'static str, kind: Kind) -> Field {
    Field::new(name, kind)
}

pub(super) const fn required(field: Field) -> Field {
    Field {
        required: true,
        ..field
    }
}

pub(super) const fn external(field: Field) -> Field {
    Field {
        external: true,
        ..field
    }
}

pub(super) const fn unique(field: Field) -> Field {
    Field {
        unique: true,
        ..field
    }
}

pub(super) const fn default(value: &'static str, field: Field) -> Field {
    Field {
        default: Some(value),
        ..field
    }
}

pub(super) const fn only(values: &'static [&'static str]) -> Kind {
    Kind::Picklist(values, Restricted::Yes)
}

pub(super) const fn open(values: &'static [&'static str]) -> Kind {
    Kind::Picklist(values, Restricted::No)
}

pub(super) const fn to(
    object: &'static str,
    parent: &'static str,
    children: &'static str,
    on_delete: OnDelete,
) -> Kind {
    Kind::Reference(Reference {
        to: object,
        parent,
        children,
        on_delete,
    })
}
