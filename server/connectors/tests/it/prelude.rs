//! What most tests use.

pub use std::{sync::Arc, time::Duration};

pub use dewy_connectors::{Salesforce, SalesforceConfig, Stripe, StripeConfig};
pub use dewy_domain::{
    case::CaseQuery,
    inventory::RoomQuery,
    money::Cents,
    payment::{PaymentOrder, PaymentTexts},
    ports::{
        Cases, CheckOutOrder, Clock, Crm, Guests, HttpRequest, HttpResponse, Payments, RevertOrder,
        Rooms, StayQuery, Transport, TransportError,
    },
    stay::Stay,
    upstream_request::{Call, Outcome},
};
pub use dewy_sandbox::{Fault, FaultKind, Sandbox, System, test_clock::TestClock};
pub use jiff::Timestamp;
pub use serde_json::{Value, json};

pub use crate::{
    canned_transport::{Canned, Response, salesforce, status},
    replies::{arm, done, refused},
    sandbox_hotel::{Hotel, hotel},
};

pub(crate) use crate::example_check_out;
