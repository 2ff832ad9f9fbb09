//! dewy-orchestrators
