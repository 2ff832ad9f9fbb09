//! Check-out in progress, and the cost of leaving early.

use dewy_domain::{
    execution_view::GuestActivity, hotel_calendar::HotelDay, tool_catalog::returns,
    tool_output::CheckOutResult,
};

use crate::pages::prelude::*;

/// Number of recent executions searched.
const MAX_EXECUTIONS: usize = 20;

/// Check-out of that booking that is in progress or needs staff.
pub async fn check_out_in_progress(
    ctx: &PageContext,
    user: &SignedIn,
    booking: &str,
) -> Option<GuestActivity> {
    of(
        &ctx.execution_feed
            .activities(&user.caller, MAX_EXECUTIONS)
            .await,
        booking,
    )
    .cloned()
}

/// The same, in a list that was already read.
pub fn of<'a>(activities: &'a [GuestActivity], booking: &str) -> Option<&'a GuestActivity> {
    let open = |activity: &&GuestActivity| {
        let same = activity
            .booking_number
            .as_deref()
            .is_none_or(|number| number == booking);
        returns::<CheckOutResult>(&activity.tool) && same && activity.state.is_open()
    };
    activities.iter().find(open)
}

/// Notice in place of the check-out form.
pub fn progress_panel(activity: &GuestActivity) -> AnyView {
    let href = format!("/guest/execution/{}", activity.execution_id);
    let words = match activity.state {
        ExecutionState::NeedsAttention => t!("leaving-with-desk"),
        ExecutionState::Waiting => t!("leaving-bank"),
        _ => t!("leaving-going"),
    };
    view! {
        <p class="standing"><StatusBadge state=activity.state.clone() word=labels::state_for_guest(&activity.state) /> " " {words}</p>
        <p class="actions stacked"><a class="button wide" href=href>{t!("leaving-see")}</a></p>
    }
    .into_any()
}

/// What an early departure gives up; nothing on or after the departure date.
pub fn early(check_out_date: Date) -> Option<AnyView> {
    let left = nights_left(check_out_date, hotel_time::hotel_day()?)?;
    let until = locale().day(check_out_date);
    let words = t!("leaving-early", until = until, nights = left);
    Some(
        view! {
            <p class="notice">
                <strong>{t!("leaving-early-title")} " "</strong>
                {words}
            </p>
        }
        .into_any(),
    )
}

fn nights_left(check_out_date: Date, today: HotelDay) -> Option<i32> {
    let left = -today.since(check_out_date);
    (left > 0).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn an_early_check_out_gives_up_only_the_remaining_nights() {
        let on = |today: &str| {
            let hotel: Date = today.parse().unwrap();
            let [day, night] =
                [hotel, hotel.tomorrow().unwrap()].map(|calendar| HotelDay { hotel, calendar });
            // Who leaves in the night before the hotel's day changes leaves on their day
            let left = nights_left(date(2026, 11, 28), day);
            assert_eq!(
                nights_left(date(2026, 11, 28), night),
                left.filter(|left| *left > 1).map(|left| left - 1)
            );
            left
        };
        assert_eq!(
            (
                on("2026-11-26"),
                on("2026-11-27"),
                on("2026-11-28"),
                on("2026-11-30")
            ),
            (Some(2), Some(1), None, None)
        );
    }
}
