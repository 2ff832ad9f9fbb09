//! Parameters that Twilio takes, read from the declarations of its own client
//! (`end2end/vendors/twilio-params.mjs`).

use std::{collections::BTreeMap, sync::LazyLock};

use super::error_body::Refusal;

static TABLE: LazyLock<BTreeMap<String, Vec<String>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("vendor_params.json")).unwrap_or_default());

/// Rejects parameters of a request that Twilio does not take, and those that are not simulated. The
/// wording is ours: Twilio ignores what it doesn't know, and a message without it is not the one
/// that was meant.
///
/// # Errors
/// The first such parameter.
pub fn check<'a>(
    endpoint: &str,
    simulated: &str,
    given: impl IntoIterator<Item = &'a str>,
) -> Result<(), Refusal> {
    let known = TABLE.get(endpoint).map_or(&[][..], Vec::as_slice);
    for name in given {
        if !known.iter().any(|one| one == name) {
            return Err(Refusal::bad(20001, format!("Unknown parameter: {name}")));
        }
        if !simulated.split(' ').any(|one| one == name) {
            return Err(Refusal::bad(
                20001,
                format!("The sandbox does not simulate {name}"),
            ));
        }
    }
    Ok(())
}
