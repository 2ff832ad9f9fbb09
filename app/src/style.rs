//! The one style sheet, put together from its layers.

/// Served as `/pkg/dewy.css`.
pub const STYLE: &str = concat!(
    include_str!("../../style/layers.css"),
    include_str!("../../style/reset.css"),
    include_str!("../../style/tokens.css"),
    include_str!("../../style/base.css"),
    include_str!("../../style/parts/frame.css"),
    include_str!("../../style/parts/words.css"),
    include_str!("../../style/parts/form.css"),
    include_str!("../../style/parts/panel.css"),
    include_str!("../../style/parts/pill.css"),
    include_str!("../../style/parts/timeline.css"),
    include_str!("../../style/parts/money.css"),
    include_str!("../../style/parts/table.css"),
    include_str!("../../style/parts/live.css"),
    include_str!("../../style/parts/places.css"),
    include_str!("../../style/pages/guest.css"),
    include_str!("../../style/pages/guest-stay.css"),
    include_str!("../../style/pages/guest-bookings.css"),
    include_str!("../../style/pages/guest-requests.css"),
    include_str!("../../style/pages/staff.css"),
    include_str!("../../style/pages/find.css"),
    include_str!("../../style/pages/backstage.css"),
    include_str!("../../style/print.css"),
);
