//! dewy-connectors
