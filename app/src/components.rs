//! Parts that pages share. The same pill, step list and problem panel everywhere is what makes it one house.

mod icon;
mod money_line;
mod pill;
mod steps;

pub use self::{money_line::MoneyLine, pill::Pill, steps::Steps};

#[cfg(feature = "ssr")]
mod field;
#[cfg(feature = "ssr")]
mod problem_panel;

#[cfg(feature = "ssr")]
pub use self::{field::Field, problem_panel::ProblemPanel};
