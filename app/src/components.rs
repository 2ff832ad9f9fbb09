//! Parts that pages share. The same pill, timeline, money line and problem panel everywhere is what
//! makes it one house.

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
