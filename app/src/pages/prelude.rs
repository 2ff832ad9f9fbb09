//! What nearly every page is made of: components, forms, labels, and the types that they show.

pub(crate) use dewy_domain::{
    caller::{Persona, Role},
    error_code::ErrorCode,
    error_details::ErrorDetails,
    execution_view::ExecutionView,
    money::{Cents, Currency},
    nights::Nights,
    ports::{HotelSnapshot, SignedIn},
    reservation::BookingRow,
    vocabulary::{BookingStatus, ExecutionState, RoomStatus},
};
pub(crate) use jiff::civil::Date;
pub(crate) use leptos::prelude::*;
pub(crate) use serde_json::{Value, json};

pub(crate) use crate::language::t;
pub(crate) use crate::{
    components::{
        Ago, Chip, ErrorSummary, Field, Icon, ListTable, Select, StatusBadge, Timestamp, Until,
        chips, facts, hidden, rows, section, tap,
    },
    dates::{date_range, day, hour, moment, stay_days},
    field_suggestions::Known,
    flash::Flash,
    form_draft::FormDraft,
    form_submission::{FormResult, FormSubmission, TOKEN, form_input},
    hotel_profile::hotel,
    hotel_time::{self, HotelClock},
    idempotency_token::TokenGenerator,
    labels::{self, nights, people},
    language::{locale, named, rich, text, told},
    layout::PageLayout,
    page_context::PageContext,
    page_url,
    render_page::{ErrorPage, PageError, PageRequest, PageResult},
    tool_form::{ToolForm, token_of},
};
