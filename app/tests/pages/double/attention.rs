//! Attention items of the double, set by a test.

use std::time::Duration;

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona},
    ports::{Attention, AttentionView},
};

use super::House;

#[async_trait]
impl Attention for House {
    async fn now(&self, caller: &Caller) -> AttentionView {
        let view = self.state().attention.clone();
        match caller.persona {
            Persona::Staff => view,
            Persona::Guest => AttentionView {
                silent: view.silent,
                ..AttentionView::default()
            },
        }
    }

    async fn changed(&self, caller: &Caller, _: i64, at_most: Duration) -> i64 {
        tokio::time::sleep(at_most).await;
        self.now(caller).await.seq()
    }
}
