//! What most tests use.

pub use std::{sync::Arc, time::Duration};

pub use dewy_domain::ports::{HttpRequest, HttpResponse, TransportError};
pub use dewy_sandbox::{Fault, FaultKind, Latency, Sandbox, System};
pub use serde_json::{Value, json};

pub use crate::{
    chat_client::{ask, system, tools},
    sandbox_client::{
        assert_error, assert_fields, get, id_of, items, last, pass, pay, payment, payment_fault,
        post, sandbox, send, stripe, text_of,
    },
};
