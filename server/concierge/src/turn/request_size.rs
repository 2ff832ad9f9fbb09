//! Input size of a model request, in bytes.

use dewy_domain::ports::{ModelMessage, ModelRequest};

/// Size of the messages and of the tool descriptions.
pub(super) fn of(request: &ModelRequest) -> usize {
    let messages = request.messages.iter().map(message).sum::<usize>();
    let tools = request
        .tools
        .iter()
        .map(|tool| tool.description.len() + tool.schema.to_string().len())
        .sum::<usize>();
    messages + tools
}

fn message(message: &ModelMessage) -> usize {
    match message {
        ModelMessage::System(text) | ModelMessage::User(text) => text.len(),
        ModelMessage::Assistant { text, opaque, .. } if opaque.is_null() => text.len(),
        ModelMessage::Assistant { text, opaque, .. } => text.len() + opaque.to_string().len(),
        ModelMessage::ToolResult { content, .. } => content.len(),
    }
}
