//! Sandbox hotel on a virtual clock, behind the Salesforce connector.

use dewy_domain::ports::{
    CheckInOrder, CheckOutRecords, CheckOutRecordsQuery, RecordedPayment, StaySelection,
};

use crate::{prelude::*, recorded_soql::Recorded};

pub struct Hotel {
    pub sandbox: Sandbox,
    pub crm: Salesforce,
    pub clock: Arc<TestClock>,
}

pub fn hotel() -> Hotel {
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(clock.clone(), 1);
    let config = SalesforceConfig::new("http://sandbox", "client", "secret".to_owned().into());
    let crm = Salesforce::new(config, Arc::new(Recorded(sandbox.clone())), clock.clone());
    Hotel {
        sandbox,
        crm,
        clock,
    }
}

impl Hotel {
    pub async fn stays(&self, email: &str) -> Vec<Stay> {
        let query = StayQuery::in_house(email.into());
        done(self.crm.stays(&query).await)
    }

    pub async fn beth(&self) -> Stay {
        self.stays("beth.gibbs@email.com").await.pop().unwrap()
    }

    pub async fn sarah(&self) -> Stay {
        match self.crm.stays(&arriving("sarah@example.com")).await {
            Outcome::Done(mut stays) => stays.pop().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    pub async fn check_in(&self, stay: &Stay) -> Outcome<CheckOutRecords> {
        self.crm
            .send_check_in(&self.crm.check_in(&CheckInOrder { stay: stay.clone() }))
            .await
    }

    pub fn order(&self, stay: Stay) -> CheckOutOrder {
        let payment = RecordedPayment {
            payment_intent: "pi_1".parse().unwrap(),
            amount: stay.balance().unwrap(),
            last4: Some("4242".to_owned()),
            receipt_url: None,
        };
        CheckOutOrder {
            execution_id: "exe_1".to_owned(),
            stay,
            held: vec![],
            payment: Some(payment),
            at: self.clock.now(),
        }
    }

    pub async fn check_out(&self, order: &CheckOutOrder) -> Outcome<CheckOutRecords> {
        self.crm.send_check_out(&self.crm.check_out(order)).await
    }

    pub async fn trace(&self, stay: &Stay) -> CheckOutRecords {
        let query = CheckOutRecordsQuery {
            execution_id: "exe_1".to_owned(),
            opportunity_id: stay.opportunity.id.clone(),
            booking_id: stay.booking.id.clone(),
        };
        match self.crm.check_out_records(&query).await {
            Outcome::Done(Some(trace)) => trace,
            other => panic!("{other:?}"),
        }
    }

    pub fn fault(&self, operation: &str, kind: FaultKind) {
        self.sandbox
            .add_fault(Fault::new(System::Salesforce, operation, kind));
    }

    pub fn edit(&self, object: &str, id: &str, field: &str, value: &str) {
        let fields = json!({ field: value });
        self.sandbox
            .edit(object, id, fields.as_object().unwrap())
            .unwrap();
    }

    pub fn operations(&self) -> Vec<String> {
        self.sandbox
            .calls()
            .into_iter()
            .map(|call| call.operation)
            .collect()
    }

    pub async fn pass(&self, seconds: u64) {
        self.clock.sleep(Duration::from_secs(seconds)).await;
    }
}

pub fn arriving(email: &str) -> StayQuery {
    StayQuery {
        wanted: StaySelection::Arriving,
        ..StayQuery::in_house(email.into())
    }
}
