//! Messages of one language.

use std::{borrow::Cow, collections::HashMap};

use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};
use unic_langid::LanguageIdentifier;

use crate::Value;

/// Messages of one file.
pub(crate) struct Catalog {
    /// `es`: the name of its file.
    pub tag: &'static str,
    /// Messages without variables, ready to use.
    plain: HashMap<&'static str, &'static str>,
    /// All messages.
    bundle: FluentBundle<&'static FluentResource>,
    /// Ids in the order of the file.
    ids: Vec<&'static str>,
}

impl Catalog {
    /// Reads a file. What can't be read is left out, and a test finds it.
    pub fn read(tag: &'static str, file: &'static str) -> Self {
        let resource = match FluentResource::try_new(file.to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        // Catalogs live as long as the process
        let resource: &'static FluentResource = Box::leak(Box::new(resource));
        let language: LanguageIdentifier = tag.parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![language]);
        bundle.set_use_isolating(false);
        let _ = bundle.add_resource(resource);
        let ids = file.lines().filter_map(id).collect();
        let mut catalog = Self {
            tag,
            plain: HashMap::new(),
            bundle,
            ids,
        };
        for id in &catalog.ids {
            if let Some(text) = catalog.without_variables(id) {
                catalog.plain.insert(id, text);
            }
        }
        catalog
    }

    /// Text of a message that has no variables.
    fn without_variables(&self, id: &str) -> Option<&'static str> {
        let mut errors = Vec::new();
        let pattern = self.bundle.get_message(id)?.value()?;
        let text = self.bundle.format_pattern(pattern, None, &mut errors);
        if !errors.is_empty() {
            return None;
        }
        Some(match text {
            Cow::Borrowed(text) => Box::leak(text.to_owned().into_boxed_str()),
            Cow::Owned(text) => Box::leak(text.into_boxed_str()),
        })
    }

    /// Whether there is a message with that id.
    pub fn has(&self, id: &str) -> bool {
        self.bundle.has_message(id)
    }

    /// Text of a message without variables.
    pub fn text(&self, id: &str) -> Option<&'static str> {
        self.plain.get(id).copied()
    }

    /// Text of a message with these values.
    pub fn format(&self, id: &str, values: &[(&str, Value<'_>)]) -> Option<String> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let mut args = FluentArgs::with_capacity(values.len());
        for (name, value) in values {
            args.set(*name, value.clone());
        }
        let mut errors = Vec::new();
        let text = self
            .bundle
            .format_pattern(pattern, Some(&args), &mut errors);
        Some(text.into_owned())
    }

    /// Ids in the order of the file.
    pub fn ids(&self) -> &[&'static str] {
        &self.ids
    }

    /// Names of a message's variables, from the errors of formatting it without any.
    pub fn variables(&self, id: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut errors = Vec::new();
        if let Some(pattern) = self.bundle.get_message(id).and_then(|found| found.value()) {
            let _ = self.bundle.format_pattern(pattern, None, &mut errors);
        }
        for error in errors {
            let text = error.to_string();
            if let Some((_, name)) = text.rsplit_once('$') {
                let name: String = name
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
                    .collect();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}

/// Id of the message that begins on this line.
fn id(line: &str) -> Option<&str> {
    let (id, _) = line.split_once(" =")?;
    let plain = id
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (plain && id.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(id)
}
