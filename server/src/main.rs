//! The binary `dewy`.

fn main() {}
