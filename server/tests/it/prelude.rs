//! What most tests use.

pub use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

pub use dewy_connectors::{OsEntropy, RealClock};
pub use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    error_code::ErrorCode,
    ports::{Clock, Concierge, Dispatcher},
    tool::ToolCall,
    tool_answer::ToolAnswer,
};
pub use dewy_saga::Journal;
pub use serde_json::{Value, json};

pub use crate::{
    browser::{Browser, Page, path_of},
    mcp::{ERAS, Era, Mcp},
    rest::Rest,
    test_hotel::{TestHotel, day, dewy, nights, now, short_day},
};

pub const BETH: &str = "beth.gibbs@email.com";
pub const FRONT_DESK: &str = "frontdesk@dewy.example";
pub const MANAGER: &str = "manager@dewy.example";
pub const NORA: &str = "nora.o'brien@example.com";
pub const PRIYA: &str = "priya.raman@example.com";
pub const SARAH: &str = "sarah@example.com";
pub const WEI: &str = "wei.chen@example.com";
