//! Reasons why something was not reverted.

use dewy_domain::execution_view::Difference;

use crate::pages::prelude::*;

/// Per object: the value that was written, and its value after a foreign edit.
pub fn differences(view: &ExecutionView) -> AnyView {
    if view.differences.is_empty() {
        return ().into_any();
    }
    let row = |one: Difference| {
        view! {
            <tr>
                <th scope="row" data-label="Field">{labels::capital(&one.object)} " " <code>{one.field}</code></th>
                <td data-label="We had written">{one.ours}</td>
                <td data-label="Found">{one.found}</td>
            </tr>
        }
    };
    let rows = view.differences.iter().cloned().map(row).collect_view();
    view! {
        <section class="differences" aria-labelledby="differences">
            <h2 id="differences">"Why this was not put back"</h2>
            <p>"Someone else changed these after us. Other people’s changes are never overwritten, so they were left as found."</p>
            <ListTable heads=&["Field", "We had written", "Found"]>{rows}</ListTable>
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn foreign_edits_are_listed_by_field() {
        let mut view = super::super::sample("process_guest_checkout", "done", Value::Null);
        view.differences = vec![Difference {
            object: "room".to_owned(),
            field: "Status__c".to_owned(),
            ours: "Cleaning".to_owned(),
            found: "Occupied".to_owned(),
        }];
        let html = Owner::new().with(|| differences(&view).to_html());
        for words in [
            "Why this was not put back",
            "Status__c",
            "Cleaning",
            "Occupied",
        ] {
            assert!(html.contains(words), "{words}: {html}");
        }
    }
}
