//! Guests, staff of each role, and vendors.

/// Name of the hotel's own account.
pub const HOTEL: &str = "Dewy Resort Hotel";

pub struct Person {
    pub first: &'static str,
    pub last: &'static str,
    /// Lowercase email.
    pub email: &'static str,
    /// Contact_Type__c; staff other than managers have none, because the org's picklist has no
    /// value for them.
    pub kind: Option<&'static str>,
    /// Employee_ID__c.
    pub employee: Option<&'static str>,
    /// Loyalty_Number__c.
    pub loyalty: Option<&'static str>,
    /// Account; none for a household of their own.
    pub firm: Option<&'static str>,
}

/// Everybody: guests, then staff, then vendors.
pub fn all() -> impl Iterator<Item = Person> {
    let rows = include_str!("people.txt").lines().skip(1);
    rows.map(|row| {
        let mut cells = row.split('|').map(str::trim);
        let mut cell = || cells.next().filter(|cell| !cell.is_empty());
        Person {
            first: cell().unwrap_or_default(),
            last: cell().unwrap_or_default(),
            email: cell().unwrap_or_default(),
            kind: cell(),
            employee: cell(),
            loyalty: cell(),
            firm: cell(),
        }
    })
}
