//! The check-out pause, for staff: its reason, and lifting it by hand.

use dewy_domain::checkout_pause::CheckoutPause;
use dewy_saga::StoreError;

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::{
        checkout_breaker::{LIFTED_KEY, LiftedPause, pause},
        engine_conversions,
    },
    sagas::check_out::CHECK_OUT,
};

impl Hotel {
    /// The current pause and its reason, if any.
    pub async fn checkout_pause(&self) -> Result<Option<CheckoutPause>, StoreError> {
        pause(
            CHECK_OUT,
            self.engine.journal(),
            &self.key_value_store,
            self.clock.now(),
        )
        .await
    }

    /// Lifts the pause; earlier failures no longer count.
    pub async fn lift_checkout_pause(&self, by: &str) -> Result<(), StoreError> {
        let kept = engine_conversions::value(&LiftedPause {
            at: self.clock.now(),
            by: by.to_owned(),
        });
        self.key_value_store.write(LIFTED_KEY, kept).await?;
        tracing::warn!(by, "the check-out pause was lifted");
        Ok(())
    }
}
