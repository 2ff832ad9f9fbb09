//! Conversation page, as a person sees it.

use crate::dialogue::With;

#[derive(Clone, Debug, Default)]
pub struct Page {
    pub items: Vec<Item>,
    /// Whether the concierge is writing, or an approved action runs.
    pub busy: bool,
    /// Who answers.
    pub with: With,
    /// Token of the message form.
    pub token: String,
    /// Error above the form, if a message was not accepted.
    pub problem: String,
}

/// Item of a conversation.
#[derive(Clone, Debug)]
pub enum Item {
    /// Message of the person.
    FromUser(String),
    /// Answer of the concierge or of staff, or a note of the hotel.
    FromHotel(String),
    /// Looked-up data, folded away.
    ToolCall(String),
    Card(CardView),
}

/// Proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardView {
    pub id: String,
    pub title: String,
    pub text: String,
    /// State, such as `proposed`.
    pub state: String,
    /// Nonce of its form; empty once it is decided.
    pub nonce: String,
    /// Preselected option.
    pub choice: Option<String>,
}

impl Page {
    pub fn read(html: &str) -> Self {
        let log = between(html, "data-items", "data-live-words").unwrap_or_default();
        let state = between(html, "data-region=\"talk-state\"", "class=\"talk-say\"");
        let state = state.unwrap_or_default();
        let problem = between(html, "data-region=\"talk-problem\"", "class=\"talk-log\"");
        let items: Vec<Item> = log.split("data-key=\"").skip(1).filter_map(item).collect();
        let runs = |item: &Item| match item {
            Item::Card(card) => matches!(card.state.as_str(), "confirmed" | "running"),
            _ => false,
        };
        let staff = [
            "alerted our staff",
            "front desk has been notified",
            "front desk is answering",
        ];
        let lower = state.to_lowercase();
        Self {
            busy: state.contains("talk-busy") || items.iter().any(runs),
            with: if staff.iter().any(|words| lower.contains(words)) {
                With::Staff
            } else {
                With::Model
            },
            token: value_of(html, "idempotency_token").unwrap_or_default(),
            problem: visible(problem.unwrap_or_default()),
            items,
        }
    }

    /// Proposals in any state.
    pub fn cards(&self) -> impl Iterator<Item = &CardView> {
        self.items.iter().filter_map(|item| match item {
            Item::Card(card) => Some(card),
            _ => None,
        })
    }

    /// Everything that the person was told.
    pub fn visible_text(&self) -> String {
        let texts = self.items.iter().filter_map(|item| match item {
            Item::FromHotel(text) => Some(text.as_str()),
            Item::Card(card) => Some(card.text.as_str()),
            Item::FromUser(_) | Item::ToolCall(_) => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    /// Last answer after the last message.
    pub fn last_answer(&self) -> &str {
        let answers = self.items.iter().rev();
        let answers = answers.take_while(|item| !matches!(item, Item::FromUser(_)));
        let told = answers.filter_map(|item| match item {
            Item::FromHotel(text) => Some(text.as_str()),
            _ => None,
        });
        told.take(1).last().unwrap_or_default()
    }

    /// Number of messages of the person.
    pub fn user_message_count(&self) -> usize {
        let mine = |item: &&Item| matches!(item, Item::FromUser(_));
        self.items.iter().filter(mine).count()
    }
}

fn item(piece: &str) -> Option<Item> {
    let tag = piece.split('>').next().unwrap_or_default();
    let has = |class: &str| tag.contains(class);
    let text = || visible(piece.split_once('>').map_or("", |(_, text)| text));
    if has("class=\"call\"") {
        return Some(Item::ToolCall(text()));
    }
    if has("class=\"ask\"") {
        return Some(Item::Card(card(piece, tag)));
    }
    if has("class=\"said\"") {
        let words = between(piece, "class=\"words\">", "</p>").map(visible)?;
        return Some(if has("data-by=\"person\"") {
            Item::FromUser(words)
        } else {
            Item::FromHotel(words)
        });
    }
    let note = has("talk-note") || has("talk-trouble");
    note.then(|| Item::FromHotel(text()))
}

fn card(piece: &str, tag: &str) -> CardView {
    let id = between(piece, "id=\"card-", "\"").unwrap_or_default();
    let checked = piece.split("<input ").find(|input| {
        let tag = input.split('>').next().unwrap_or_default();
        tag.contains("name=\"choice\"") && tag.contains("checked")
    });
    CardView {
        id: id.to_owned(),
        title: between(piece, "class=\"ask-head\"><span>", "</span>")
            .map(visible)
            .unwrap_or_default(),
        text: visible(piece.split_once('>').map_or("", |(_, text)| text)),
        state: between(tag, "data-state=\"", "\"")
            .unwrap_or_default()
            .to_owned(),
        nonce: value_of(piece, "nonce").unwrap_or_default(),
        choice: checked.and_then(|input| between(input, "value=\"", "\"").map(str::to_owned)),
    }
}

/// Value of the first hidden input with that name.
fn value_of(html: &str, name: &str) -> Option<String> {
    let behind = html.split_once(&format!("name=\"{name}\""))?.1;
    let tag = behind.split('>').next()?;
    between(tag, "value=\"", "\"").map(str::to_owned)
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let behind = text.split_once(from)?.1;
    Some(behind.split_once(to).map_or(behind, |(inside, _)| inside))
}

/// Text without tags, with single spaces.
fn visible(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, behind)) = rest.split_once('<') {
        text.push_str(before);
        // Inline markers join their neighbors; elements separate them
        if !behind.starts_with('!') {
            text.push(' ');
        }
        rest = behind.split_once('>').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    for (entity, letter) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, letter);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r##"<div data-region="talk-problem"></div><div class="talk-log"><div data-items=""><div data-key="0" data-by="person" class="said">
        <p class="by">You<!></p><p class="words">I&#39;d like to check out<!></p></div><details id="call-1" data-key="1" data-state="done" class="call">
        <pre>$999.00</pre></details><div role="group" data-key="2" data-state="proposed" data-weighty="" aria-labelledby="card-crd_1" class="ask">
        <p class="ask-head"><span>Check out and pay<!></span></p><h2 id="card-crd_1">Pay $250.00?<!></h2><form>
        <input type="hidden" name="card" value="crd_1"><input type="hidden" name="nonce" value="abc">
        <input type="radio" name="choice" value="pm_1" checked required><input type="radio" name="choice" value="pm_2" required></form></div>
        <div data-key="3" data-by="model" class="said"><p class="words">Please decide above.<!></p></div></div><p data-live-words=""></p></div>
        <div data-region="talk-state" class="talk-state"></div><form class="talk-say"><input name="idempotency_token" value="form-1"></form>"##;

    #[test]
    fn a_page_is_read_as_visible_text() {
        let page = Page::read(PAGE);
        assert_eq!(
            (page.user_message_count(), page.busy, page.with),
            (1, false, With::Model)
        );
        assert_eq!(page.token, "form-1");
        assert_eq!(page.last_answer(), "Please decide above.");
        assert!(page.visible_text().contains("Pay $250.00?"));
        assert!(
            !page.visible_text().contains("999"),
            "what is folded away is not told"
        );
        let card = page.cards().next().unwrap();
        assert_eq!(
            (card.id.as_str(), card.title.as_str(), card.state.as_str()),
            ("crd_1", "Check out and pay", "proposed")
        );
        assert_eq!(
            (card.nonce.as_str(), card.choice.as_deref()),
            ("abc", Some("pm_1"))
        );
    }
}
