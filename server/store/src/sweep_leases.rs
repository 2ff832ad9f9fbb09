//! Names of the leases that the orphan check takes.

/// Lease of the process that runs the orphan check.
pub const SWEEP_LEASE: &str = "sweep";

/// Lease that delays the next orphan check until it is due, by the store's clock.
pub const SWEEP_PAUSE: &str = "sweep_pause";
