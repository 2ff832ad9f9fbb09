//! Assembly of an answer of either interface.

use dewy_domain::ports::ModelError;
use serde_json::Value;

use super::{
    assembled::Assembled, chat_stream::ChatAssembly, endpoint::Api,
    responses_stream::ResponsesAssembly,
};

/// An answer that is arriving.
#[derive(Debug)]
pub(super) struct Assembly {
    of: Either,
    begun: bool,
}

#[derive(Debug)]
enum Either {
    Chat(ChatAssembly),
    Responses(ResponsesAssembly),
}

impl Assembly {
    /// Nothing has arrived.
    pub(super) fn new(api: Api) -> Self {
        let of = match api {
            Api::Chat => Either::Chat(ChatAssembly::default()),
            Api::Responses => Either::Responses(ResponsesAssembly::default()),
        };
        Self { of, begun: false }
    }

    pub(super) fn take(&mut self, chunk: &Value) -> Option<String> {
        let words = match &mut self.of {
            Either::Chat(assembly) => assembly.take(chunk),
            Either::Responses(assembly) => assembly.take(chunk),
        };
        self.begun |= words.is_some();
        words
    }

    /// Whether text has arrived.
    pub(super) const fn has_begun(&self) -> bool {
        self.begun
    }

    /// Whether the end was announced.
    pub(super) fn has_ended(&self) -> bool {
        match &self.of {
            Either::Chat(assembly) => assembly.has_ended(),
            Either::Responses(assembly) => assembly.has_ended(),
        }
    }

    pub(super) fn is_too_long(&self) -> bool {
        match &self.of {
            Either::Chat(assembly) => assembly.is_too_long(),
            Either::Responses(assembly) => assembly.is_too_long(),
        }
    }

    /// The answer, if it is complete.
    pub(super) fn finish(self, origin: &str) -> Result<Assembled, ModelError> {
        match self.of {
            Either::Chat(assembly) => assembly.finish(origin),
            Either::Responses(assembly) => assembly.finish(origin),
        }
    }
}
