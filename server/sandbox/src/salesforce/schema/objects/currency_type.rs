//! `CurrencyType`: a currency of the org. Exists only in an org with several currencies: see
//! [`Object::needs_multi_currency`](crate::salesforce::schema::Object::needs_multi_currency).

use super::field_constructors::f;
use crate::salesforce::schema::{
    Field,
    Kind::{Bool, Number, Text},
};

pub(super) static FIELDS: &[Field] = &[
    f("IsoCode", Text(3)),
    f("ConversionRate", Number(12, 6)),
    f("DecimalPlaces", Number(1, 0)),
    f("IsActive", Bool),
    f("IsCorporate", Bool),
];
