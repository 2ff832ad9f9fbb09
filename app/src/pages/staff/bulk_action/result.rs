//! What became of each record. Kept in the session, so that loading the page again shows it again.

use serde::{Deserialize, Serialize};

use super::BulkAct;
use crate::{pages::prelude::*, tool_form::execution_page};

const KEY: &str = "bulk-result";

/// What became of one record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub title: String,
    pub href: String,
    /// `completed`, `running`, `unknown`, or `refused`.
    pub state: String,
    /// What happened, or why nothing did.
    pub message: String,
    /// Its execution, for users who may open it.
    pub record: Option<String>,
}

/// What became of all of them, in the order of the list.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Results(pub Vec<Outcome>);

impl Results {
    /// Keeps it for the next page.
    pub async fn put(&self, ctx: &PageContext) {
        if let Ok(text) = serde_json::to_string(self) {
            ctx.authenticator.save_in_session(KEY, text).await;
        }
    }

    /// The latest result.
    pub async fn take(ctx: &PageContext) -> Self {
        let text = ctx.authenticator.take_from_session(KEY).await;
        let results: Self = text
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        results.put(ctx).await;
        results
    }

    fn count(&self, state: &str) -> usize {
        self.0.iter().filter(|one| one.state == state).count()
    }

    /// `2 of 3 rooms done`.
    pub fn title(&self, act: BulkAct) -> String {
        let (done, all) = (self.count("completed"), self.0.len());
        let counted = act.counted(all);
        match (done, all) {
            (_, 0) => "No result is kept".to_owned(),
            (done, all) if done == all => format!("{counted} done"),
            _ => format!("{done} of {counted} done"),
        }
    }

    /// A line per record, with what was not done first.
    pub fn shown(mut self, act: BulkAct) -> AnyView {
        let (failed, running) = (self.count("refused"), self.count("running"));
        self.0.sort_by_key(|one| one.state == "completed");
        let message = [
            (failed > 0).then(|| {
                format!(
                    "{} could not be changed; nothing was done there.",
                    act.counted(failed)
                )
            }),
            (running > 0).then(|| {
                format!(
                    "{} still running; follow them by their details.",
                    act.counted(running)
                )
            }),
        ];
        let message = message.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let rows = self.0.into_iter().map(|one| {
            let word = match one.state.as_str() {
                "completed" => "Done",
                "running" => "Running",
                "unknown" => "Not known",
                _ => "Not done",
            };
            let record = one
                .record
                .map(|id| view! { <a href=execution_page(Persona::Staff, &id)>"Details"</a> });
            view! {
                <tr>
                    <td data-label="Result"><StatusBadge state=one.state word=word /></td>
                    <th scope="row" data-label="Which"><a href=one.href>{one.title}</a></th>
                    <td data-label="What happened">{one.message} " " {record}</td>
                </tr>
            }
        });
        view! {
            <p class="lead" role="status">{message}</p>
            <ListTable label="Results" heads=&["Result", "Which", "What happened"]>{rows.collect_view()}</ListTable>
            <p class="actions"><a class="button quiet" href=act.list()>"Back to the list"</a></p>
        }
        .into_any()
    }
}
