//! dewy-sandbox
