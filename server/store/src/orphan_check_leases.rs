//! Names of the leases that the orphan check takes.

/// Lease of the process that runs the orphan check.
pub const ORPHAN_CHECK_LEASE: &str = "sweep";

/// Lease that delays the next orphan check until it is due, by the store's clock.
pub const ORPHAN_CHECK_PAUSE: &str = "sweep_pause";
