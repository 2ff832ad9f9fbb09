//! A text of the hotel's own, as it is configured.

use crate::pages::prelude::*;

pub async fn privacy_page(request: PageRequest) -> PageResult {
    document(&request, t!("hotel-privacy"), hotel().privacy.as_deref()).await
}

pub async fn terms_page(request: PageRequest) -> PageResult {
    document(&request, t!("hotel-terms"), hotel().terms.as_deref()).await
}

async fn document(request: &PageRequest, title: &str, text: Option<&str>) -> PageResult {
    let text = text.ok_or(PageError::NotFound)?;
    let user = request.ctx.authenticator.signed_in().await;
    let content = view! {
        <h1>{title.to_owned()}</h1>
        <div class="document" lang=hotel().locale.tag().to_owned()>{blocks(text).map(block).collect_view()}</div>
    };
    Ok(PageLayout::new(title).public(user.as_ref()).guest(content))
}

/// Parts between blank lines; a heading ends with its line.
fn blocks(text: &str) -> impl Iterator<Item = String> {
    let mut blocks = vec![String::new()];
    for line in text.lines().map(str::trim) {
        let after_heading = blocks.last().is_some_and(|block| block.starts_with("# "));
        if line.is_empty() || line.starts_with("# ") || after_heading {
            blocks.push(String::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push_str(if block.is_empty() { "" } else { " " });
            block.push_str(line);
        }
    }
    blocks.into_iter().filter(|block| !block.is_empty())
}

fn block(text: String) -> AnyView {
    match text.strip_prefix("# ") {
        Some(title) => view! { <h2>{title.to_owned()}</h2> }.into_any(),
        None => view! { <p>{text}</p> }.into_any(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_has_headings_and_paragraphs() {
        let text = "One\nline.\n\n# Title\nTwo.\r\n\r\n\r\n# Last\n";
        let blocks: Vec<_> = super::blocks(text).collect();
        assert_eq!(blocks, ["One line.", "# Title", "Two.", "# Last"]);
    }
}
