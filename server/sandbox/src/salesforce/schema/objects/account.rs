//! `Account`: a party that the hotel deals with.

use super::field_constructors::{f, open, required};
use crate::salesforce::schema::{
    Field,
    Kind::{Phone, Text},
};

pub(super) static FIELDS: &[Field] = &[
    required(f("Name", Text(255))),
    f("Type", open(&["Guest", "Hotel", "Vendor"])),
    f("Phone", Phone),
];
