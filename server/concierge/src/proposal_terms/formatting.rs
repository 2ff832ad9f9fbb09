//! Formats money, dates and counts of a proposal.

use jiff::civil::Date;

use crate::concierge_service::Inner;

impl Inner {
    pub(crate) fn money(&self, cents: i64) -> String {
        self.parts.settings.money(cents)
    }

    /// `Sat, Nov 28`.
    pub(super) fn written_day(&self, date: Date) -> String {
        self.parts.settings.hotel.locale.short_day(date)
    }
}

pub(super) fn nights(from: Date, to: Date) -> i64 {
    from.until(to).map_or(0, |span| i64::from(span.get_days()))
}
