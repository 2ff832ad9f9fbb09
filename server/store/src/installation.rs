//! Which installation this store belongs to.

use dewy_domain::{installation::InstallationId, ports::Entropy};
use dewy_saga::StoreError;

use crate::{error::broken, store::Store};

/// The setting that holds it.
const INSTALLATION: &str = "installation";

impl Store {
    /// The installation's id, made at the first call. Of several processes that make one at the
    /// same moment, one wins.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn installation(&self, entropy: &dyn Entropy) -> Result<InstallationId, StoreError> {
        match self.known_installation().await? {
            Some(id) => Ok(id),
            None => {
                let made = InstallationId::new(entropy, self.clock.now());
                self.settle_setting(INSTALLATION, &made.to_string())
                    .await?
                    .parse()
                    .map_err(broken)
            }
        }
    }

    /// The installation's id, if one was made already.
    ///
    /// # Errors
    /// When the store failed.
    pub async fn known_installation(&self) -> Result<Option<InstallationId>, StoreError> {
        self.get_setting(INSTALLATION)
            .await?
            .map(|text| text.parse().map_err(broken))
            .transpose()
    }
}
