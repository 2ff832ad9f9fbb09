//! Who works at the front desk.

use dewy_domain::{caller::Role, ports::SignedIn};

/// Whether the user's role works with guests and their money.
pub fn is_front_desk(user: &SignedIn) -> bool {
    matches!(user.caller.role, Some(Role::FrontDesk | Role::Manager))
}
