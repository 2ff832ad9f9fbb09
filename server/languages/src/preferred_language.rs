//! Languages that a browser prefers.

/// Tags of an `Accept-Language` header, the preferred ones first; those it rules out are left out.
pub(crate) fn preferred(header: &str) -> Vec<&str> {
    let mut tags: Vec<(&str, f32)> = header
        .split(',')
        .filter_map(|part| {
            let (tag, rest) = part.split_once(';').unwrap_or((part, ""));
            let weight = match rest.trim().strip_prefix("q=") {
                Some(weight) => weight.trim().parse().ok()?,
                None => 1.0,
            };
            Some((tag.trim(), weight))
        })
        .filter(|(tag, weight)| !tag.is_empty() && *weight > 0.0)
        .collect();
    tags.sort_by(|one, other| other.1.total_cmp(&one.1));
    tags.into_iter().map(|(tag, _)| tag).collect()
}

/// Language of a tag: `es` of `es-MX`.
pub(crate) fn primary(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_decide_over_order() {
        assert_eq!(
            preferred("en;q=0.5, es-MX, de;q=0, fr;q=0.9"),
            ["es-MX", "fr", "en"]
        );
        assert_eq!(preferred("*"), ["*"]);
        assert_eq!(preferred(""), [""; 0]);
        assert_eq!(preferred("es;q=high"), [""; 0]);
        assert_eq!(primary("es-419"), "es");
    }
}
