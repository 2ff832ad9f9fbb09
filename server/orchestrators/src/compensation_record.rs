//! Records of compensations, one per payment, for lists and for the orphan check.

/// Kind under which the store keeps them.
pub(crate) const COMPENSATION: &str = "compensation";
