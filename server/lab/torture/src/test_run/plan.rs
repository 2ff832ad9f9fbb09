//! Plan of a run.

/// Parameters of the run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub store: &'static str,
    pub instances: u32,
    pub rounds: u32,
    pub callers: u32,
    pub settle: u64,
    pub installations: u32,
    pub seed: u64,
}
