//! dewy-store
