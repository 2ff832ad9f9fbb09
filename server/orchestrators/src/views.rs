//! Executions, their events and the boards, as people see them.

pub(crate) mod board;
pub(crate) mod compensations;
pub(crate) mod evidence;
pub(crate) mod execution_feed;
pub(crate) mod execution_view;
pub(crate) mod list_version;
pub(crate) mod record_owner;
mod replay_evidence;
