//! `Organization`: the org itself.

use super::field_constructors::f;
use crate::salesforce::schema::{
    Field,
    Kind::{Bool, Text},
};

pub(super) static FIELDS: &[Field] = &[
    f("Name", Text(80)),
    f("DefaultLocaleSidKey", Text(40)),
    f("IsSandbox", Bool),
    f("OrganizationType", Text(40)),
    f("TimeZoneSidKey", Text(40)),
];
