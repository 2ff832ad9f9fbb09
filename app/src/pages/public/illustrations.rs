//! The hotel's pictures: drawings that come with the program, until the hotel has photos.

use std::sync::LazyLock;

use crate::{asset_path::asset_path, pages::prelude::*};

/// Illustration. It follows the page's light and dark colors.
#[derive(Debug)]
pub struct Illustration {
    /// `hero-wide`.
    pub name: &'static str,
    pub svg: &'static str,
    /// URL path. The file's name contains a hash of the content, so browsers cache it forever.
    pub path: String,
    /// Width and height of its view box.
    size: (u32, u32),
}

pub static ART: LazyLock<[Illustration; 7]> = LazyLock::new(|| {
    [
        (
            "hero-wide",
            include_str!("../../../../public/art/hero-wide.svg"),
        ),
        (
            "hero-narrow",
            include_str!("../../../../public/art/hero-narrow.svg"),
        ),
        (
            "room-standard",
            include_str!("../../../../public/art/room-standard.svg"),
        ),
        (
            "room-deluxe",
            include_str!("../../../../public/art/room-deluxe.svg"),
        ),
        (
            "room-suite",
            include_str!("../../../../public/art/room-suite.svg"),
        ),
        (
            "room-penthouse",
            include_str!("../../../../public/art/room-penthouse.svg"),
        ),
        (
            "terrace",
            include_str!("../../../../public/art/terrace.svg"),
        ),
    ]
    .map(|(name, svg)| Illustration::new(name, svg))
});

impl Illustration {
    fn new(name: &'static str, svg: &'static str) -> Self {
        Self {
            name,
            svg,
            path: asset_path(name, "svg", svg),
            size: view_box(svg).unwrap_or((4, 3)),
        }
    }

    fn named(name: &str) -> Option<&'static Self> {
        ART.iter().find(|art| art.name == name)
    }

    /// Its title, which names what is drawn.
    fn title(&self) -> &'static str {
        let title = self.svg.split_once("<title>").map(|(_, rest)| rest);
        title
            .and_then(|rest| rest.split_once("</title>"))
            .map_or("", |(words, _)| words)
    }
}

/// Width and height of a file's view box.
fn view_box(svg: &str) -> Option<(u32, u32)> {
    let numbers = svg.split_once("viewBox=\"")?.1.split_once('"')?.0;
    let mut numbers = numbers.split_whitespace().skip(2).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The picture at the top: the hotel's photo, or the drawing, wide or narrow.
pub fn hero() -> AnyView {
    let hotel = hotel();
    if let Some(photo) = hotel.photo.clone() {
        let name = hotel.name.clone();
        return view! { <img class="hero-picture" src=photo alt=name width="1600" height="700" fetchpriority="high" /> }
            .into_any();
    }
    let (Some(wide), Some(narrow)) = (
        Illustration::named("hero-wide"),
        Illustration::named("hero-narrow"),
    ) else {
        return ().into_any();
    };
    let alt = wide.title().replace("Dewy Resort", &hotel.name);
    view! {
        <picture>
            <source media="(max-width: 44rem)" srcset=narrow.path.as_str() width=narrow.size.0 height=narrow.size.1 />
            <img class="hero-picture" src=wide.path.as_str() alt=alt width=wide.size.0 height=wide.size.1 fetchpriority="high" />
        </picture>
    }
    .into_any()
}

/// The picture of a room type: the hotel's photo of it, or a drawing. Decorative: the type is beside
/// it. `lazy` is for those that are not in the first view.
pub fn room_picture(kind: &str, lazy: bool) -> AnyView {
    let loading = if lazy { "lazy" } else { "eager" };
    let hotel = hotel();
    if let Some(photo) = hotel.room_photos.get(kind) {
        let photo = photo.clone();
        return view! { <img class="room-picture" src=photo alt="" width="800" height="600" loading=loading /> }
            .into_any();
    }
    let name = format!("room-{}", kind.to_lowercase());
    let Some(art) = Illustration::named(&name).or_else(|| Illustration::named("room-standard"))
    else {
        return ().into_any();
    };
    view! { <img class="room-picture" src=art.path.as_str() alt="" width=art.size.0 height=art.size.1 loading=loading /> }
        .into_any()
}

/// Breakfast on the terrace, beside what to know before a visit; not beside a hotel's own photo,
/// which shows another place.
pub fn terrace() -> AnyView {
    match Illustration::named("terrace").filter(|_| hotel().photo.is_none()) {
        Some(art) => view! { <img class="terrace-picture" src=art.path.as_str() alt="" width=art.size.0 height=art.size.1 loading="lazy" /> }.into_any(),
        None => ().into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_illustration_has_a_size_and_both_color_schemes() {
        for art in ART.iter() {
            assert!(view_box(art.svg).is_some(), "{} has no view box", art.name);
            assert!(
                art.svg.contains("prefers-color-scheme"),
                "{} has no dark form",
                art.name
            );
            assert!(
                art.svg.len() < 60_000 && !art.svg.contains("<script"),
                "{}",
                art.name
            );
            assert!(art.path.ends_with(".svg"));
        }
        assert_ne!(Illustration::named("hero-wide").unwrap().title(), "");
    }
}
