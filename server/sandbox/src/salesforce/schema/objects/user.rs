//! `User`: a member of staff who signs in to the org.

use super::{DEFAULT_CURRENCY_FIELD, field_constructors::f};
use crate::salesforce::schema::{
    Computed, Field,
    Kind::{self, Bool, Email, Text},
};

pub(super) static FIELDS: &[Field] = &[
    f("Username", Text(80)),
    f("FirstName", Text(40)),
    f("LastName", Text(80)),
    f("Name", Kind::Computed(Computed::FullName)),
    f("Email", Email),
    f("IsActive", Bool),
    f(DEFAULT_CURRENCY_FIELD, Text(3)),
];
