//! Filters in the URL, so that a list can be shared and the back button works.

use crate::pages::prelude::*;

/// Filters of a list, as the URL sets them.
#[derive(Clone, Copy, Debug)]
pub struct Filters<'a> {
    pub request: &'a PageRequest,
    pub page: &'static str,
    names: &'static [&'static str],
}

impl<'a> Filters<'a> {
    pub const fn of(
        request: &'a PageRequest,
        page: &'static str,
        names: &'static [&'static str],
    ) -> Self {
        Self {
            request,
            page,
            names,
        }
    }

    /// Those that are set, with their values.
    pub fn given(self) -> Vec<(&'static str, &'a str)> {
        let given = |name: &&'static str| Some((*name, self.request.query_param(name)?));
        self.names.iter().filter_map(given).collect()
    }

    /// Selected value; empty without one.
    pub fn value(self, name: &str) -> String {
        selected(self.request, name)
    }

    pub fn input(self) -> Value {
        form_input(self.given())
    }

    /// Form, collapsed unless a filter is set that has no shortcut; sent with GET.
    pub fn form(self, shortcut: &str, fields: impl IntoView + 'static) -> AnyView {
        let given = self.given();
        let set = given.iter().filter(|(name, _)| *name != shortcut).count();
        let summary = match set {
            0 => "Filter".to_owned(),
            n => format!("Filter: {n} set"),
        };
        let open = set > 0;
        view! {
            <details class="filter" open=open>
                <summary>{summary}</summary>
                <form method="get" action=self.page>
                    <div class="filter-fields">{fields}</div>
                    <p class="actions">
                        <button>"Show"</button>
                        {open.then(|| view! { <a href=self.page>"Clear"</a> })}
                    </p>
                </form>
            </details>
        }
        .into_any()
    }

    /// First and last day of a list.
    pub fn days(self, draft: &FormDraft) -> AnyView {
        view! {
            <Field name="from" label="From day" kind="date" optional=true value=self.value("from") problem=draft.problem("from") />
            <Field name="to" label="To day" kind="date" optional=true value=self.value("to") problem=draft.problem("to") />
        }
        .into_any()
    }

    /// Head of the list, with a link to its rows as a CSV file unless they could not be read.
    pub fn heading(
        self,
        title: &'static str,
        links: impl IntoView + 'static,
        readable: bool,
    ) -> AnyView {
        let href = page_url::with_query(&format!("{}.csv", self.page), self.given());
        let name = format!("{}.csv", self.page.rsplit('/').next().unwrap_or("list"));
        let file = readable.then(
            || view! { <a class="button quiet" href=href download=name>"Download as CSV"</a> },
        );
        view! { <header class="beside"><h1>{title}</h1> {links} {file}</header> }.into_any()
    }
}

pub fn selected(request: &PageRequest, name: &str) -> String {
    request.query_param(name).unwrap_or_default().to_owned()
}

/// Notice that a list is truncated, and how to narrow it.
pub fn truncation_notice(cut: bool, how: String) -> Option<impl IntoView> {
    cut.then(|| {
        let how = if how.is_empty() {
            "Narrow it with the filters above.".to_owned()
        } else {
            how
        };
        view! { <p class="notice">"More results match. " {how}</p> }
    })
}
