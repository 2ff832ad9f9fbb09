//! Who opened a case.

super::words! {
    /// Who opened a case.
    CaseOrigin {
        /// A guest.
        Web = "Web",
        /// Staff.
        Internal = "Internal",
    }
}
