//! Example fault scenarios, each with steps to observe it.

use dewy_domain::ports::FaultSpec;

#[derive(Debug)]
pub struct Scenario {
    pub name: &'static str,
    pub title: &'static str,
    pub short: &'static str,
    pub what: &'static str,
    /// Steps and expected result.
    pub then: &'static str,
    orders: &'static [Order],
}

/// System, operation, kind, count, status.
type Order = (&'static str, &'static str, &'static str, u32, Option<u16>);

/// Faults that guests of the reference system met, and more.
pub const SCENARIOS: [Scenario; 5] = [
    Scenario {
        name: "charged_then_salesforce_fails",
        title: "Charged, then Salesforce times out",
        short: "Salesforce fails after the charge",
        what: "The card is charged, and then no write to Salesforce is answered.",
        then: "Check a guest out. The charge is refunded before anything else, and the record shows each step undone.",
        orders: &[("salesforce", "composite", "timeout_before_effect", 0, None)],
    },
    Scenario {
        name: "refund_fails",
        title: "And the refund is refused as well",
        short: "The refund is refused",
        what: "Salesforce does not respond after the charge, and Stripe refuses the refund.",
        then: "Check a guest out. The case appears under Needs attention and waits for staff.",
        orders: &[
            ("salesforce", "composite", "timeout_before_effect", 0, None),
            ("stripe", "refund_create", "status", 0, Some(400)),
        ],
    },
    Scenario {
        name: "charged_without_an_answer",
        title: "Charged, and the answer is lost",
        short: "Stripe’s answer is lost once",
        what: "The next payment is taken, and its answer never arrives.",
        then: "Check a guest out. The same request is sent again under the same key: one charge, and the check-out goes through.",
        orders: &[(
            "stripe",
            "payment_intent_create",
            "timeout_after_effect",
            1,
            None,
        )],
    },
    Scenario {
        name: "written_without_an_answer",
        title: "Written, and the answer is lost",
        short: "Salesforce’s answer is lost once",
        what: "The next write to Salesforce takes effect, and its answer never arrives.",
        then: "Check a guest out. The write is found by its marker and not sent again.",
        orders: &[("salesforce", "composite", "timeout_after_effect", 1, None)],
    },
    Scenario {
        name: "salesforce_is_down",
        title: "Salesforce is down",
        short: "Salesforce answers 503",
        what: "Every read and every write of Salesforce is answered with 503.",
        then: "Look at Today: the boards keep their latest data and show its age. Nobody is charged in the meantime.",
        orders: &[
            ("salesforce", "query", "status", 0, Some(503)),
            ("salesforce", "composite", "status", 0, Some(503)),
        ],
    },
];

impl Scenario {
    pub fn faults(&self) -> impl Iterator<Item = FaultSpec> {
        self.orders
            .iter()
            .map(|(system, operation, kind, count, status)| FaultSpec {
                system: (*system).to_owned(),
                operation: (*operation).to_owned(),
                kind: (*kind).to_owned(),
                count: *count,
                skip: 0,
                status: *status,
                // Long enough to be noticed, short enough to wait for
                ms: kind.starts_with("timeout").then_some(8000),
            })
    }
}
