//! The way of a tool call from any interface to the dispatcher: limits, boundary, spans, answers.

pub mod call_boundary;
pub(crate) mod json_rpc_error;
pub mod rate_limit;
pub mod rate_limit_mark;
pub(crate) mod repeated_field;
pub mod request_span;
pub mod telemetry;
pub mod tool_response;
pub mod traced_ports;
