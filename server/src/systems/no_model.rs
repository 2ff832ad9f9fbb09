//! Replacement when no model is configured and no sandbox may run: the concierge is off and makes
//! no requests.

use async_trait::async_trait;
use dewy_domain::ports::{Model, ModelAnswer, ModelError, ModelRequest};

#[derive(Clone, Copy, Debug)]
pub struct NoModel;

#[async_trait]
impl Model for NoModel {
    async fn answer(
        &self,
        _: ModelRequest,
        _: &(dyn for<'a> Fn(&'a str) + Send + Sync),
    ) -> Result<ModelAnswer, ModelError> {
        Err(ModelError::Refused {
            status: 503,
            reason: "no model is configured".to_owned(),
        })
    }

    fn name(&self) -> &str {
        "none"
    }

    fn offline(&self) -> bool {
        false
    }
}
