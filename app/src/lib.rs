//! dewy-app
