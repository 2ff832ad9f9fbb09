//! Tests of the check itself: a good ledger passes, and each kind of violation is found.

mod allowed;
mod consistent_hotel;
mod journal;
mod ledger_rows;
mod violation_cases;

use self::consistent_hotel::test_server;

#[test]
fn a_valid_ledger_has_no_violations() {
    assert_eq!(test_server().wrong(), Vec::<String>::new());
}
