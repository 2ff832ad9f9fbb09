//! Components shared by all pages, so that they look the same everywhere.

mod field;
mod icon;
mod list_table;
mod moment;
mod payment_summary;
mod pill;
mod problem_panel;
mod select;
mod timeline;

pub use self::{
    field::Field,
    icon::{ICONS, ICONS_PATH, Icon},
    list_table::ListTable,
    moment::{Ago, Moment, Until},
    payment_summary::PaymentSummary,
    pill::Pill,
    problem_panel::ProblemPanel,
    select::Select,
    timeline::{Steps, Timeline},
};
