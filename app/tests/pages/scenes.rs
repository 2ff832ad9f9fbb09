//! Fault injection of a demo.

use super::Visitor;

/// Faults of two scenes at once would show neither.
#[tokio::test]
async fn a_scene_takes_the_place_of_the_one_before() {
    let visitor = Visitor::new();
    visitor.sign_in_staff("manager%40dewy.example").await;
    for (scene, refused) in [
        ("refund_fails", true),
        ("charged_then_salesforce_fails", false),
    ] {
        visitor.post("set_scene", &format!("scene={scene}")).await;
        let page = visitor.get("/staff/fault-injection").await;
        let told = "Every stripe refund create is answered with 400.";
        assert_eq!(page.text.contains(told), refused, "{scene}: {}", page.text);
        let silent = "Every salesforce composite is never answered and does nothing.";
        assert_eq!(page.text.matches(silent).count(), 1, "{scene}");
    }
}
