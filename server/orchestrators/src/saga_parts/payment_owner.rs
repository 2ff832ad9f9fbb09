//! Ownership of payments, by their metadata. An account has many users: other installations of this
//! program, and other programs.

use std::collections::{BTreeMap, BTreeSet};

use dewy_domain::installation_id::InstallationId;
use dewy_saga::{ExecutionId, StoreError};

use crate::saga_parts::{engine_conversions, key_value_store::KeyValueStore};

/// Metadata key on everything we create: the installation that created it.
pub(crate) const INSTALLATION: &str = "installation_id";
/// Metadata key on everything we create: the execution it belongs to.
pub(crate) const EXECUTION: &str = "execution_id";

/// Key under which the adopted installations are stored.
pub(crate) const ADOPTED: &str = "adopted_installations";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// This installation, or one it has adopted.
    Ours(ExecutionId),
    /// A release that did not sign its payments: ours if the journal knows the execution, otherwise
    /// undecidable.
    Unsigned(ExecutionId),
    /// Another installation: only its journal knows what the payment is for.
    OtherInstallation(String),
    Foreign,
}

impl Owner {
    /// The execution to look up in our journal.
    pub(crate) const fn execution(&self) -> Option<ExecutionId> {
        match self {
            Self::Ours(id) | Self::Unsigned(id) => Some(*id),
            Self::OtherInstallation(_) | Self::Foreign => None,
        }
    }
}

/// Installations whose payments belong to us: this one, and those it has adopted.
#[derive(Clone, Debug)]
pub(crate) struct Installations {
    pub own: InstallationId,
    /// Adopted installations, whose journals are lost.
    pub adopted: BTreeSet<InstallationId>,
}

impl Installations {
    pub(crate) fn owner(&self, metadata: &BTreeMap<String, String>) -> Owner {
        let execution = metadata
            .get(EXECUTION)
            .and_then(|id| id.parse::<ExecutionId>().ok());
        match (metadata.get(INSTALLATION), execution) {
            (Some(installation), execution) => match (self.includes(installation), execution) {
                (true, Some(execution)) => Owner::Ours(execution),
                // Someone copied our mark to a payment no execution of ours made.
                (true, None) => Owner::Foreign,
                (false, _) => Owner::OtherInstallation(installation.clone()),
            },
            (None, Some(execution)) => Owner::Unsigned(execution),
            (None, None) => Owner::Foreign,
        }
    }

    fn includes(&self, installation: &str) -> bool {
        installation
            .parse()
            .is_ok_and(|id: InstallationId| id == self.own || self.adopted.contains(&id))
    }
}

pub(crate) async fn adopted(
    key_value_store: &dyn KeyValueStore,
) -> Result<BTreeSet<InstallationId>, StoreError> {
    let kept = key_value_store.read(ADOPTED).await?;
    match kept {
        None => Ok(BTreeSet::new()),
        Some(kept) => engine_conversions::read(&kept).ok_or_else(|| {
            StoreError::Failed("the list of adopted installations cannot be read".to_owned())
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXE: &str = "exe_00000000000070008000000000000001";

    fn owner(metadata: &[(&str, &str)]) -> Owner {
        let [own, adopted] = [1, 2].map(InstallationId::of_number);
        let metadata = metadata
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Installations {
            own,
            adopted: [adopted].into(),
        }
        .owner(&metadata)
    }

    #[test]
    fn payments_name_their_installation() {
        let [own, adopted, other] = [1, 2, 3].map(|n| InstallationId::of_number(n).to_string());
        let execution: ExecutionId = EXE.parse().unwrap();
        assert_eq!(
            owner(&[(INSTALLATION, &own), (EXECUTION, EXE)]),
            Owner::Ours(execution)
        );
        assert_eq!(
            owner(&[(INSTALLATION, &adopted), (EXECUTION, EXE)]),
            Owner::Ours(execution)
        );
        assert_eq!(
            owner(&[(INSTALLATION, &other), (EXECUTION, EXE)]),
            Owner::OtherInstallation(other.clone())
        );
        assert_eq!(
            owner(&[(INSTALLATION, "x"), (EXECUTION, EXE)]),
            Owner::OtherInstallation("x".to_owned())
        );
        assert_eq!(owner(&[(EXECUTION, EXE)]), Owner::Unsigned(execution));
        assert_eq!(owner(&[(INSTALLATION, &own)]), Owner::Foreign);
        assert_eq!(
            owner(&[("order", "spa-17"), (EXECUTION, "17")]),
            Owner::Foreign
        );
    }
}
