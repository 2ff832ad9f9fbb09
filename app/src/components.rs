//! Components shared by all pages, so that they look the same everywhere.

mod bar_chart;
mod choices;
mod copy_button;
mod error_summary;
mod field;
mod icon;
mod list_table;
mod parts;
mod payment_summary;
mod select;
mod status_badge;
mod timeline;
mod timestamp;

pub use self::{
    bar_chart::bar_chart,
    choices::choices,
    copy_button::copy_button,
    error_summary::ErrorSummary,
    field::Field,
    icon::{ICONS, ICONS_PATH, Icon},
    list_table::ListTable,
    parts::{Chip, chips, facts, hidden, rows, section, tap},
    payment_summary::PaymentSummary,
    select::Select,
    status_badge::StatusBadge,
    timeline::{Steps, Timeline},
    timestamp::{Ago, Timestamp, Until, lasted},
};
