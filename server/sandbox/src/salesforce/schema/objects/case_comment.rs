//! `CaseComment`: a comment on a case.

use super::field_constructors::{f, required, to};
use crate::salesforce::schema::{
    Field,
    Kind::{Bool, LongText},
    OnDelete,
};

pub(super) static FIELDS: &[Field] = &[
    required(f(
        "ParentId",
        to("Case", "Parent", "CaseComments", OnDelete::Cascade),
    )),
    f("CommentBody", LongText(4000)),
    f("IsPublished", Bool),
];
