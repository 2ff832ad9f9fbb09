//! Saves and restores the state.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::pending_requests::Pending;
use super::sandbox_state::{ActiveFault, SandboxState, Unsaved};
use crate::CallEntry;
use crate::salesforce::Org;
use crate::sandbox_file::Write;
use crate::stored_row::{ChangedRow, Row};
use crate::stripe::Stripe;
use crate::twilio::Twilio;

impl SandboxState {
    /// State from the disk; `None` when its file is empty.
    pub fn restore(
        salesforce: Vec<Row>,
        stripe: Vec<Row>,
        twilio: Vec<Row>,
        core: Vec<Row>,
    ) -> Option<Self> {
        let meta: Value = core
            .iter()
            .find(|row| row.table == "meta")
            .and_then(|row| serde_json::from_str(&row.json).ok())?;
        let mut state = Self {
            seed: meta["seed"].as_u64()?,
            day: meta["day"].as_str()?.parse().ok()?,
            org: Org::restore(salesforce),
            stripe: Stripe::restore(stripe),
            twilio: Twilio::restore(twilio),
            faults: Vec::new(),
            latency: serde_json::from_value(meta["latency"].clone()).unwrap_or_default(),
            calls: Vec::new(),
            pending: BTreeMap::new(),
            waiting: BTreeSet::new(),
            answers: BTreeMap::new(),
            public_base: None,
            last_fault: meta["last_fault"].as_u64().unwrap_or(0),
            unsaved: Unsaved::default(),
            durable: true,
            outbox: Vec::new(),
        };
        for row in core {
            match row.table.as_str() {
                "call" => state
                    .calls
                    .extend(serde_json::from_str::<CallEntry>(&row.json)),
                "fault" => state
                    .faults
                    .extend(serde_json::from_str::<ActiveFault>(&row.json)),
                "pending" => {
                    if let Ok(pending) = serde_json::from_str::<Pending>(&row.json) {
                        state.pending.insert((pending.due, pending.seq), pending);
                    }
                }
                _ => {}
            }
        }
        state.calls.sort_by_key(|call| call.seq);
        state.faults.sort_by_key(|active| active.id);
        Some(state)
    }

    /// Queues the systems' changed rows for the disk.
    pub(super) fn queue_changed_rows(&mut self) {
        if !self.durable {
            self.org.forget_dirty();
            self.stripe.forget_dirty();
            self.twilio.forget_dirty();
            return;
        }
        let rows = [
            ("salesforce", self.org.drain_dirty()),
            ("stripe", self.stripe.drain_dirty()),
            ("twilio", self.twilio.drain_dirty()),
        ];
        for (system, rows) in rows {
            self.outbox
                .extend(rows.into_iter().map(|row| Write::Row(system, row)));
        }
    }

    /// All unsaved changes, in order.
    pub fn take_writes(&mut self) -> Vec<Write> {
        self.queue_changed_rows();
        let unsaved = std::mem::take(&mut self.unsaved);
        if !self.durable {
            return Vec::new();
        }
        let mut writes = Vec::new();
        if unsaved.wiped {
            writes.push(Write::Wipe);
        }
        writes.append(&mut self.outbox);
        let mut core = |table: &str, id: u64, json: Option<String>| {
            writes.push(Write::Row(
                "core",
                ChangedRow {
                    table: table.to_owned(),
                    id: format!("{id:012}"),
                    json,
                },
            ));
        };
        for seq in unsaved.calls {
            let call = usize::try_from(seq - 1)
                .ok()
                .and_then(|place| self.calls.get(place));
            core(
                "call",
                seq,
                call.and_then(|call| serde_json::to_string(call).ok()),
            );
        }
        for seq in unsaved.pending {
            let pending = self.pending.values().find(|pending| pending.seq == seq);
            core(
                "pending",
                seq,
                pending.and_then(|pending| serde_json::to_string(pending).ok()),
            );
        }
        for id in unsaved.faults {
            let active = self.faults.iter().find(|active| active.id == id);
            core(
                "fault",
                id,
                active.and_then(|active| serde_json::to_string(active).ok()),
            );
        }
        if unsaved.meta || unsaved.wiped {
            let meta = json!({"seed": self.seed, "day": self.day.to_string(), "latency": self.latency, "last_fault": self.last_fault});
            core("meta", 0, Some(meta.to_string()));
        }
        writes
    }
}
