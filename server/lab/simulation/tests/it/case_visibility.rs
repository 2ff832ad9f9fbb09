//! What each role sees of a case.

use super::simulated_hotel::staff_body;
use crate::prelude::*;

#[tokio::test(start_paused = true)]
async fn the_crew_sees_only_the_case_fields_on_its_pages() {
    let hotel = with(vec![]);
    let request = json!({ "type": "Housekeeping", "description": "Two towels" });
    assert!(
        hotel
            .beth("submit_guest_service_request", "t", request)
            .await
            .error()
            .is_none()
    );
    let cases = async |role: Role, input: Value| {
        let caller = Caller::staff("somebody@dewy.example", role, Interface::Mcp);
        staff_body(
            &hotel
                .call(&caller, "search_cases_on_behalf_of_staff", None, input)
                .await,
        )
    };
    let theirs = ["guest_email", "guest_name", "booking_number"];
    for (role, sees) in [
        (Role::FrontDesk, true),
        (Role::Manager, true),
        (Role::Housekeeping, false),
        (Role::Maintenance, false),
    ] {
        let found = cases(role, json!({ "room_number": "302" })).await;
        let case = &found["data"]["cases"][0];
        assert_eq!(case["subject"], "Two towels", "{found}");
        assert!(
            theirs.iter().all(|name| case[*name].is_string() == sees),
            "{role:?} {case}"
        );
        // Nor can they find out whose cases exist
        let by_guest = cases(role, json!({ "guest_email": BETH })).await;
        assert_eq!(by_guest["success"], sees, "{role:?} {by_guest}");
        assert!(
            sees || by_guest["details"]["problems"][0]["field"] == "guest_email",
            "{by_guest}"
        );
    }
}
