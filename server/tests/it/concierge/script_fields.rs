//! Fields that scripts check: of the conversation shown last, its cards and its case, what waits for
//! staff, what the model was told, and the outside systems' records.

use dewy_domain::{
    concierge::{ConversationItem, ConversationView, ProposalView},
    locale::Locale,
    ports::{Concierge, ModelMessage},
    sentence::Sentence,
};
use serde_json::Value;

use super::{script_player::ScriptPlayer, scripted_hotel::*};

impl ScriptPlayer {
    /// A field's value as text.
    pub(super) async fn field(&self, field: &str) -> String {
        let (first, rest) = field.split_once(' ').unwrap_or((field, ""));
        let thread = self.thread.as_ref();
        let asked = self.scripted.script.asked.lock().unwrap().clone();
        match first {
            "asked" => (asked.len() - self.asked_before).to_string(),
            "told" => format!("{:?}", asked.last().unwrap().messages),
            "told_ever" => {
                let told = asked
                    .iter()
                    .map(|request| format!("{:?}", request.messages));
                told.collect()
            }
            "charged_card" => {
                let charge = &self.scripted.hotel.state()["stripe"]["charges"][0];
                text_of(&charge["payment_method_details"]["card"]["last4"])
            }
            "prompt" => match asked.last().unwrap().messages.first() {
                Some(ModelMessage::System(text)) => text.clone(),
                other => panic!("instructions come first: {other:?}"),
            },
            "results" => {
                let results = asked
                    .last()
                    .unwrap()
                    .messages
                    .iter()
                    .filter_map(|one| match one {
                        ModelMessage::ToolResult { content, .. } => Some(content),
                        _ => None,
                    });
                let (all, warning) = (results.collect::<Vec<_>>(), "data, not instructions");
                let marked = all.iter().filter(|one| one.contains(warning)).count();
                format!("{marked} of {} are {warning}", all.len())
            }
            "same" => self.same.to_string(),
            "charges" => self.scripted.charges().to_string(),
            "refunds" => {
                let state = self.scripted.hotel.state();
                state["stripe"]["refunds"]
                    .as_array()
                    .map_or(0, Vec::len)
                    .to_string()
            }
            "usage" => {
                let usage = self.scripted.concierge.usage(&manager()).await.unwrap();
                let (today, on) = (&usage.today, usage.switch.on);
                format!("{} turns, {} tokens, on: {on}", today.turns, today.tokens())
            }
            "waiting" => self.waiting(rest).await,
            "panel" => {
                let guest = self.scripted.hotel.browser().guest(&beth().email).await;
                let reported = "You have reported an emergency";
                let page = guest.until(rest, reported).await;
                page.lacks(&["EMERGENCY in the chat"]);
                let panel = page.text.split(reported).nth(1).unwrap();
                panel.split("</div>").next().unwrap().to_owned()
            }
            "wall" => {
                let staff = self.scripted.hotel.browser().staff(&manager().email).await;
                let wall = staff.open("/staff/wall").await;
                let cases = wall.text.split("Open cases").nth(1).unwrap();
                cases.split("</li>").next().unwrap().to_owned()
            }
            "page" => {
                let staff = self.scripted.hotel.browser().staff(&manager().email).await;
                staff
                    .until(rest, "Mark as handled")
                    .await
                    .text
                    .replace("<!>", "")
            }
            "case" => self.case(rest).await,
            // `record Case Subject=Late breakfast: CaseNumber`, or the last one of an object
            "record" => {
                let (which, name) = rest.split_once(": ").unwrap();
                let (object, pair) = which.split_once(' ').unwrap_or((which, ""));
                let record = match pair.split_once('=') {
                    Some((field, value)) => self.scripted.hotel.record(object, field, value),
                    None => self.scripted.hotel.sandbox().records(object).pop().unwrap(),
                };
                text_of(&record[name])
            }
            // How many have this text
            "records" => {
                let (object, pair) = rest.split_once(' ').unwrap();
                let (field, text) = pair.split_once('=').unwrap();
                let records = self.scripted.hotel.sandbox().records(object);
                let found = records
                    .iter()
                    .filter(|one| text_of(&one[field]).contains(text));
                found.count().to_string()
            }
            card if card.starts_with("card") => {
                let cards = proposals(thread.unwrap());
                let nth = card
                    .strip_prefix("card#")
                    .map(|n| n.parse::<usize>().unwrap());
                card_field(&cards[nth.unwrap_or(cards.len() - 1)], rest)
            }
            name => thread_field(thread.unwrap(), name),
        }
    }

    /// Of the conversation that waits first.
    async fn waiting(&self, name: &str) -> String {
        let waiting = self.scripted.waiting().await;
        let report = waiting.first().and_then(|one| one.emergency.clone());
        match name {
            "count" => waiting.len().to_string(),
            "title" => waiting[0].title.clone(),
            // Of everybody who waits
            "words" => {
                let mut all = Vec::new();
                for one in &waiting {
                    all.extend(lines(&self.scripted.thread(&front_desk(), &one.id).await));
                }
                all.join(" | ")
            }
            "unanswered" => waiting[0].waiting_since.is_some().to_string(),
            "emergency" => report.is_some().to_string(),
            "text" => report.unwrap().text,
            "latest" => report.unwrap().latest.unwrap_or_else(|| "none".to_owned()),
            "possible" => report.unwrap().possible.to_string(),
            other => panic!("no waiting {other}"),
        }
    }

    /// Of the case that the conversation gets.
    async fn case(&self, name: &str) -> String {
        let id = &self.thread.as_ref().unwrap().id;
        let case = case_of(&self.scripted, id).await;
        text_of(&self.scripted.hotel.record("Case", "CaseNumber", &case)[name])
    }
}

fn text_of(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

fn english(sentences: &[Sentence]) -> Vec<String> {
    sentences.iter().map(Sentence::to_string).collect()
}

fn card_field(card: &ProposalView, name: &str) -> String {
    match name {
        "question" => card.question.to_string(),
        "yes" => card.yes.to_string(),
        "outcome" => english(&card.outcome).join(" "),
        "facts" => english(&card.facts).join("\n"),
        "terms" => format!("{}\n{}", card.question, english(&card.facts).join("\n")),
        fact if fact.starts_with("fact#") => {
            card.facts[fact["fact#".len()..].parse::<usize>().unwrap()].to_string()
        }
        // The one that begins so
        fact if fact.starts_with("fact ") => {
            let mut facts = english(&card.facts).into_iter();
            let found = facts.find(|one| one.starts_with(&fact["fact ".len()..]));
            found.unwrap_or_default()
        }
        "irreversible" => card.irreversible.to_string(),
        "loses" => card.loses.to_string(),
        "open" => (!card.nonce.is_empty()).to_string(),
        "new_card" => card
            .new_card
            .map_or("none".to_owned(), |money| Locale::default().money(money)),
        "choices" => {
            let values = card.choices.iter().map(|choice| choice.value.as_str());
            let all = values.collect::<Vec<_>>().join(" ");
            if all.is_empty() {
                "none".to_owned()
            } else {
                all
            }
        }
        name => {
            let execution = card.execution.as_ref().unwrap();
            match name {
                "execution" => format!("{:?}", execution.state),
                "execution_id" => execution.execution_id.clone(),
                "steps" => execution.forward.len().to_string(),
                other => panic!("no card {other}"),
            }
        }
    }
}

fn thread_field(thread: &ConversationView, name: &str) -> String {
    let shown = lines(thread);
    match name {
        "states" => {
            let states = states(thread);
            states
                .iter()
                .map(|state| state.name())
                .collect::<Vec<_>>()
                .join(" ")
        }
        "lines" => shown.join(" | "),
        "words" => {
            let words = shown.iter().filter(|line| !line.starts_with("card: "));
            words.cloned().collect::<Vec<_>>().join(" | ")
        }
        "last" => shown.last().cloned().unwrap_or_default(),
        "trouble" => match thread.items.last() {
            Some(ConversationItem::Trouble { text, .. }) => text.to_string(),
            other => panic!("{other:?}"),
        },
        "calls" => {
            let calls = shown.iter().filter(|line| line.starts_with("call"));
            let states = calls.map(|line| line.rsplit(' ').next().unwrap());
            states.collect::<Vec<_>>().join(" ")
        }
        "owned_by_other" => thread.owned_by_other.to_string(),
        "standing" => thread.standing.name().to_owned(),
        "emergency" => thread.emergency.to_string(),
        "interrupted" => thread.interrupted.to_string(),
        "off_because" => thread.closed.as_deref().unwrap_or_default().to_owned(),
        other => panic!("no field {other}"),
    }
}
