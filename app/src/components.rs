//! Components shared by all pages, so that they look the same everywhere.

mod field;
mod icon;
mod moment;
mod money_line;
mod pill;
mod problem_panel;
mod select;
mod timeline;

pub use self::{
    field::Field,
    icon::{ICONS, ICONS_PATH, Icon},
    moment::{Ago, Moment, Until},
    money_line::MoneyLine,
    pill::Pill,
    problem_panel::ProblemPanel,
    select::Select,
    timeline::{Steps, Timeline},
};
