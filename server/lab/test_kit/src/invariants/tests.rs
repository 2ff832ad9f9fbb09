//! Tests of the check itself: a good ledger passes, and each kind of violation is found.

mod consistent_hotel;
mod journal;
mod ledger_rows;
mod permitted_changes;
mod violation_cases;

use self::consistent_hotel::consistent_hotel;

#[test]
fn a_valid_ledger_has_no_violations() {
    assert_eq!(consistent_hotel().wrong(), Vec::<String>::new());
}
