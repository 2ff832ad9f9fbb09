//! Answer texts: the Jinja templates of `answers.txt`, one `name = template` per line; an indented
//! line continues the one before.

use std::sync::LazyLock;

use dewy_domain::{
    locale::Locale,
    money::{Cents, Currency, Money},
};
use minijinja::{Environment, Value, context};

use super::conversation::Conversation;
use super::lexicon::built_in;

static TEXTS: LazyLock<Environment<'_>> = LazyLock::new(|| {
    let mut texts = Environment::new();
    texts.add_filter("money", money);
    let lines = include_str!("answers.txt").replace("\n  ", "");
    for (name, template) in lines.lines().filter_map(|line| line.split_once(" = ")) {
        built_in(texts.add_template_owned(name.to_owned(), template.to_owned()));
    }
    texts
});

/// Amount in cents as text: `250000|money("usd")`; empty without an amount.
fn money(cents: Option<i64>, currency: Option<&str>) -> String {
    let currency = currency.and_then(|code| code.parse().ok());
    let currency = currency.unwrap_or(Currency::USD);
    let money = |cents| Locale::default().money(Money { cents, currency });
    cents.map(Cents).map_or_else(String::new, money)
}

/// Whether there is a text with this name.
pub fn has(name: &str) -> bool {
    TEXTS.get_template(name).is_ok()
}

/// Text with this name, filled with the data; empty if there is none.
pub fn render(name: &str, data: Value) -> String {
    let template = TEXTS.get_template(name);
    let text = template.and_then(|template| template.render(data));
    text.unwrap_or_default().trim().to_owned()
}

/// Text with this name that needs no data.
pub fn text(name: &str) -> String {
    render(name, context!())
}

pub fn question(argument: &str) -> String {
    let name = format!("ask {argument}");
    text(if has(&name) { &name } else { "ask" })
}

/// Text that may name the caller, what they can ask for, and facts about the hotel.
pub fn say(name: &str, talk: &Conversation) -> String {
    let persona = talk.persona();
    render(name, context! { persona, ..&talk.facts })
}
