//! dewy-saga
