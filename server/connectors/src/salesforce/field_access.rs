//! Fields of the org that our user can't see or write, learned from its description of itself and from
//! its refusals, and left out of requests where we can do without them.
//!
//! ```text
//! describe (at the start, and every few minutes while something is hidden) ─┐
//! INVALID_FIELD, INVALID_FIELD_FOR_INSERT_UPDATE ───────────────────────────┴─► hidden, read-only
//! SELECT Id, View_Type__c, Room__r.Floor__c FROM … ──► SELECT Id FROM …
//! ```

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use dewy_domain::{
    ports::{HiddenField, WithoutField},
    upstream_request::Fault,
    vocabulary::FaultCode,
};
use serde_json::{Value, json};

use super::{
    fields::Fields,
    org_check::Described,
    used_fields::{self, Need, USED, Use},
};

type Name = (&'static str, &'static str);

/// What our user can't see or write.
#[derive(Debug, Default)]
pub(crate) struct FieldAccess(RwLock<State>);

#[derive(Debug, Default)]
struct State {
    hidden: BTreeSet<Name>,
    read_only: BTreeSet<Name>,
}

/// What a refusal says about the fields that our user may access.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lesson {
    /// It names no field that we use.
    Nothing,
    /// A field that reads leave out from now on; `rebuild` if a write may be built anew, too.
    LeftOut { rebuild: bool },
    /// A parent can't be followed; only a description tells of which object.
    Relationship,
    /// We can't do without this field.
    Needed(String),
}

impl FieldAccess {
    /// Whether reads name the field: it is seen, or we need it and Salesforce is to say that it is
    /// hidden.
    pub(crate) fn reads(&self, object: &str, field: &str) -> bool {
        let state = self.state();
        state.hidden.is_empty()
            || used_fields::used(object, field).is_none_or(|(object, (field, _, need))| {
                need == Need::Required || !state.hidden.contains(&(object, field))
            })
    }

    /// The fields of a record that may be written.
    pub(crate) fn writable(&self, object: &str, fields: Fields) -> Fields {
        let state = self.state();
        if state.hidden.is_empty() && state.read_only.is_empty() {
            return fields;
        }
        fields.retain(|name| {
            used_fields::used(object, name).is_none_or(|(object, (field, _, need))| {
                let name = (object, field);
                need != Need::Optional
                    || !(state.hidden.contains(&name) || state.read_only.contains(&name))
            })
        })
    }

    /// A query without the selected fields that are hidden.
    pub(crate) fn visible(&self, soql: &str) -> String {
        if self.state().hidden.is_empty() {
            return soql.to_owned();
        }
        let Some((list, from)) = soql
            .strip_prefix("SELECT ")
            .and_then(|rest| split_outside(rest, " FROM ").map(|at| rest.split_at(at)))
        else {
            return soql.to_owned();
        };
        let of = from.trim_start_matches(" FROM ");
        let of = of.split([' ', ')']).next().unwrap_or_default();
        let object = used_fields::object_of(of);
        let kept: Vec<String> = items(list)
            .into_iter()
            .filter_map(|item| match item.strip_prefix('(') {
                Some(child) => Some(format!("({}", self.visible(child))),
                None => self.sees_path(object, item).then(|| item.to_owned()),
            })
            .collect();
        format!("SELECT {}{from}", kept.join(", "))
    }

    /// Whether a path over parents ends at a visible field.
    fn sees_path(&self, object: &str, path: &str) -> bool {
        let mut parts: Vec<&str> = path.split('.').collect();
        let Some(last) = parts.pop() else {
            return true;
        };
        let mut here = object;
        for relationship in parts {
            let Some((lookup, parent)) = used_fields::parent(here, relationship) else {
                return true;
            };
            if !self.reads(here, lookup) {
                return false;
            }
            here = parent;
        }
        self.reads(here, last)
    }

    /// Learns from a refused request.
    pub(super) fn learn(&self, error: &Fault) -> Lesson {
        let named = |name: &str| error.details["hidden"][name].as_str().unwrap_or_default();
        let (object, field) = (named("object"), named("field"));
        let written = error.code == "INVALID_FIELD_FOR_INSERT_UPDATE";
        if error.code != "INVALID_FIELD" && !written {
            return Lesson::Nothing;
        }
        if !named("relationship").is_empty() {
            return Lesson::Relationship;
        }
        let found = match object {
            "" => anywhere(field),
            object => used_fields::used(object, field),
        };
        let Some((object, (field, _, need))) = found else {
            return Lesson::Nothing;
        };
        let may_leave_out =
            without(need, written) == WithoutField::Nothing || (need == Need::Core && !written);
        let mut state = self.change();
        let names = if written {
            &mut state.read_only
        } else {
            &mut state.hidden
        };
        let new = names.insert((object, field));
        if new {
            tracing::error!(object, field, "Salesforce hides a field from our user");
        }
        if may_leave_out {
            let rebuild = new || need == Need::Optional;
            return Lesson::LeftOut { rebuild };
        }
        Lesson::Needed(format!("{object}.{field}"))
    }

    /// Replaces what is known by the org's description of its objects.
    pub(super) fn describe(&self, org: &BTreeMap<&'static str, Option<Described>>) -> bool {
        let mut new = State::default();
        for (object, fields) in USED {
            let Some(described) = org.get(object).and_then(Option::as_ref) else {
                continue;
            };
            for (field, wanted, _) in fields {
                if !described.shows(field) {
                    new.hidden.insert((object, field));
                } else if *wanted != Use::Read && !described.lets_write(field, *wanted) {
                    new.read_only.insert((object, field));
                }
            }
        }
        let mut state = self.change();
        let news = new.hidden != state.hidden || new.read_only != state.read_only;
        if news {
            let names = new.hidden.iter().chain(&new.read_only);
            let names: Vec<String> = names.map(|(o, f)| format!("{o}.{f}")).collect();
            tracing::warn!(
                fields = names.join(", "),
                "fields that Salesforce hides from our user, or keeps from being written"
            );
        }
        *state = new;
        news
    }

    pub(crate) fn hidden(&self) -> Vec<HiddenField> {
        let state = self.state();
        let named = |(object, field): &Name, written: bool| HiddenField {
            object,
            field,
            read_only: written,
            without: used_fields::used(object, field)
                .map_or(WithoutField::Nothing, |(_, (_, _, need))| {
                    without(need, written)
                }),
        };
        let hidden = state.hidden.iter().map(|name| named(name, false));
        let read_only = state.read_only.iter().map(|name| named(name, true));
        hidden.chain(read_only).collect()
    }

    /// The first of these fields that our user can't see or write, as far as is known.
    pub(crate) fn unwritable(&self, fields: &[(&'static str, &'static str)]) -> Option<String> {
        let state = self.state();
        let barred = |name: &&Name| state.hidden.contains(*name) || state.read_only.contains(*name);
        let (object, field) = fields.iter().find(barred)?;
        Some(format!("{object}.{field}"))
    }

    /// The hidden lookup field that a relationship needs.
    pub(super) fn hidden_lookup(&self, relationship: &str) -> Option<String> {
        let state = self.state();
        let (object, field) =
            used_fields::lookups(relationship).find(|name| state.hidden.contains(name))?;
        Some(format!("{object}.{field}"))
    }

    fn state(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is not possible without a field that is hidden, or not writable.
const fn without(need: Need, read_only: bool) -> WithoutField {
    match (need, read_only) {
        (Need::Optional, _) | (Need::Shown, false) => WithoutField::Nothing,
        (Need::Core | Need::Shown, _) | (Need::Required, true) => WithoutField::Acts,
        (Need::Required, false) => WithoutField::Everything,
    }
}

/// The field of that name, if only one object has it.
fn anywhere(field: &str) -> Option<(&'static str, used_fields::UsedField)> {
    let mut found = USED
        .into_iter()
        .filter_map(|(object, _)| used_fields::used(object, field));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Error for a field that we can't do without.
pub(super) fn needed(field: &str, error: Fault) -> Fault {
    let words = if field.is_empty() {
        "Salesforce hides a lookup field that we need from our user".to_owned()
    } else {
        format!("Salesforce hides {field} from our user")
    };
    Fault {
        code: FaultCode::FieldHidden.to_string(),
        details: json!({ "message": words, "field": field, "problem": format!("{words}.") }),
        message: words,
        ..error
    }
}

/// The field that Salesforce's message says it does not know, in the details of an error.
pub(super) fn named_in(code: &str, message: &str, fields: &[String]) -> Option<Value> {
    let quoted = |before: &str| {
        let (_, rest) = message.split_once(before)?;
        rest.split_once('\'').map(|(name, _)| name)
    };
    match code {
        "INVALID_FIELD" => {
            if let Some(name) = quoted("Didn't understand relationship '") {
                return Some(json!({ "relationship": name }));
            }
            let field = quoted("No such column '")?;
            let object = quoted("on entity '").or_else(|| {
                let (_, rest) = message.split_once("on sobject of type ")?;
                rest.split([' ', '.', '\n']).next()
            });
            // A path over parents ends at the entity's own field
            let field = field.rsplit('.').next().unwrap_or(field);
            Some(json!({ "object": object.unwrap_or_default(), "field": field }))
        }
        "INVALID_FIELD_FOR_INSERT_UPDATE" => {
            // Also the answer to a second create of a child with its master
            let (_, rest) = message.split_once("Unable to create/update fields: ")?;
            let field = match fields.first() {
                Some(field) => field.as_str(),
                None => rest.split([',', '.']).next()?.trim(),
            };
            Some(json!({ "object": "", "field": field }))
        }
        _ => None,
    }
}

/// Position of `what` outside of parentheses.
fn split_outside(text: &str, what: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && text[at..].starts_with(what) => return Some(at),
            _ => {}
        }
    }
    None
}

/// Items of a list, split at the commas outside of parentheses.
fn items(list: &str) -> Vec<&str> {
    let (mut all, mut rest) = (Vec::new(), list);
    while let Some(at) = split_outside(rest, ",") {
        all.push(rest[..at].trim());
        rest = &rest[at + 1..];
    }
    all.push(rest.trim());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(object: &str, field: &str) -> Fault {
        Fault {
            details: json!({ "hidden": { "object": object, "field": field } }),
            ..Fault::new("INVALID_FIELD", "")
        }
    }

    #[test]
    fn hidden_fields_are_left_out_of_every_list_that_selects_them() {
        let access = FieldAccess::default();
        let soql = "SELECT Id, (SELECT Id, Room__r.View_Type__c, Room__r.Floor__c FROM Bookings__r WHERE Id = 'a, b' \
                    ORDER BY Name), View_Type__c FROM Opportunity WHERE Id IN (SELECT Opportunity__c FROM Booking__c)";
        assert_eq!(access.visible(soql), soql);
        assert_eq!(
            access.learn(&hidden("Hotel_Room__c", "View_Type__c")),
            Lesson::LeftOut { rebuild: true }
        );
        assert_eq!(
            access.visible(soql),
            soql.replace("Room__r.View_Type__c, ", ""),
            "of rooms, and of no other object"
        );
        assert_eq!(
            access.learn(&hidden("Hotel_Room__c", "Status__c")),
            Lesson::Needed("Hotel_Room__c.Status__c".to_owned())
        );
        assert_eq!(
            access.learn(&hidden("Hotel_Room__c", "Minibar__c")),
            Lesson::Nothing
        );
        assert_eq!(
            access.learn(&hidden("Case", "Room__c")),
            Lesson::LeftOut { rebuild: true }
        );
        assert_eq!(
            access.visible(
                "SELECT Id, Room__c, Room__r.Room_Number__c, Subject FROM Case WHERE Id = 'x'"
            ),
            "SELECT Id, Subject FROM Case WHERE Id = 'x'",
            "with everything behind a lookup"
        );
    }

    #[test]
    fn the_field_is_read_from_salesforces_own_words() {
        let soql = "\nSELECT Id, View_Type__c FROM Hotel_Room__c\n  ^\nERROR at Row:1:Column:12\nNo such column 'View_Type__c' on entity 'Hotel_Room__c'. If you are";
        let room = json!({ "object": "Hotel_Room__c", "field": "View_Type__c" });
        assert_eq!(named_in("INVALID_FIELD", soql, &[]), Some(room.clone()));
        let write = "No such column 'View_Type__c' on sobject of type Hotel_Room__c";
        assert_eq!(named_in("INVALID_FIELD", write, &[]), Some(room));
        let denied =
            "Unable to create/update fields: Receipt_URL__c. Please check the security settings";
        assert_eq!(
            named_in(
                "INVALID_FIELD_FOR_INSERT_UPDATE",
                denied,
                &["Receipt_URL__c".to_owned()]
            ),
            Some(json!({ "object": "", "field": "Receipt_URL__c" }))
        );
        let parent = "Didn't understand relationship 'Room__r' in field path.";
        assert_eq!(
            named_in("INVALID_FIELD", parent, &[]),
            Some(json!({ "relationship": "Room__r" }))
        );
        assert_eq!(
            named_in("INVALID_FIELD", "The request could not be understood", &[]),
            None
        );
    }
}
