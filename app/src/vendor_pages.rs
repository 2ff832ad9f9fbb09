//! Stripe's and Salesforce's own pages about what an id names.

use leptos::prelude::*;

use crate::components::copy_button;

/// Addresses of the vendors' pages. A simulated system has none.
#[derive(Clone, Debug, Default)]
pub struct VendorPages {
    /// Stripe's dashboard, in test or live mode.
    pub stripe: Option<&'static str>,
    /// Address of the Salesforce organization.
    pub salesforce: Option<String>,
}

impl VendorPages {
    /// Those of this hotel.
    pub(crate) fn here() -> Self {
        use_context().unwrap_or_default()
    }

    /// The id, as a link where its system has a page about it, with a button that copies it.
    pub(crate) fn id(&self, id: String) -> AnyView {
        let code = self.code(id.clone());
        view! { <span class="vendor-id">{code} {copy_button(id)}</span> }.into_any()
    }

    /// The id alone, for lists: its record has the button.
    pub(crate) fn code(&self, id: String) -> AnyView {
        match self.address(&id) {
            Some(href) => view! { <a href=href rel="noreferrer" target="_blank"><code>{id.clone()}</code></a> }.into_any(),
            None => view! { <code class="id">{id}</code> }.into_any(),
        }
    }

    fn address(&self, id: &str) -> Option<String> {
        let salesforce = matches!(id.len(), 15 | 18) && id.chars().all(char::is_alphanumeric);
        if salesforce {
            let base = self.salesforce.as_deref()?.trim_end_matches('/');
            return Some(format!("{base}/{id}"));
        }
        let stripe = self.stripe?;
        match id.split_once('_')?.0 {
            "pi" | "ch" => Some(format!("{stripe}/payments/{id}")),
            "cus" => Some(format!("{stripe}/customers/{id}")),
            "re" | "du" => Some(format!("{stripe}/search?query={id}")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_lead_to_the_pages_of_real_systems_only() {
        let real = VendorPages {
            stripe: Some("https://dashboard.stripe.com/test"),
            salesforce: Some("https://resort.my.salesforce.com/".to_owned()),
        };
        let address = |id| real.address(id).unwrap_or_default();
        assert_eq!(
            address("pi_1"),
            "https://dashboard.stripe.com/test/payments/pi_1"
        );
        assert_eq!(
            address("re_1"),
            "https://dashboard.stripe.com/test/search?query=re_1"
        );
        assert_eq!(
            address("a01Hs00000000GoIAI"),
            "https://resort.my.salesforce.com/a01Hs00000000GoIAI"
        );
        assert_eq!(address("exe_019cd79e46007550b5ab07935b87501f"), "");
        assert_eq!(VendorPages::default().address("pi_1"), None);
    }
}
