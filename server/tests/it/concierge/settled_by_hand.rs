//! An execution that staff settled by hand ends in its own way: not as a success, without a
//! farewell, and no longer waiting for staff.

use dewy_domain::{
    concierge::ProposalState,
    error_code::ErrorCode,
    ports::{Concierge, Dispatcher},
    tool::ToolCall,
    tool_answer::ToolAnswer,
    vocabulary::ExecutionState,
};
use dewy_sandbox::{Fault, FaultKind, System};
use serde_json::json;

use super::scripted_hotel::{ScriptStep, ScriptedHotel, beth, lines, manager, proposals, states};

#[tokio::test(flavor = "multi_thread")]
async fn a_check_out_settled_by_hand_ends_its_proposal_without_claims() {
    let scripted = ScriptedHotel::open(vec![ScriptStep::Calls(vec![(
        "process_guest_checkout",
        json!({}),
    )])])
    .await;
    let thread = scripted.say(&beth(), "I want to check out").await;
    let card = proposals(&thread).remove(0);
    let sandbox = &scripted.hotel.server.sandbox.as_ref().unwrap().sandbox;
    let lost = Fault::new(
        System::Salesforce,
        "composite",
        FaultKind::TimeoutBeforeEffect,
    );
    sandbox.add_fault(lost.count(0).ms(50));
    let refused = Fault::new(System::Stripe, "refund_create", FaultKind::Status);
    sandbox.add_fault(refused.status(400).count(0));
    let thread = scripted
        .decide(&beth(), &card, true, Some("pm_card_visa"))
        .await
        .unwrap();
    assert_eq!(states(&thread), [ProposalState::NeedsAttention]);
    let proposal = proposals(&thread).remove(0);
    let id = proposal.execution.unwrap().execution_id;

    let call = ToolCall {
        tool: "resolve_execution".to_owned(),
        input: json!({ "execution_id": id, "resolution": "mark_solved", "reason": "paid back in cash" }),
        idempotency_token: Some("settle".to_owned()),
        wait: None,
    };
    let answer = scripted.hotel.server.hotel.dispatch(&manager(), call).await;
    assert!(matches!(answer, ToolAnswer::Settled { .. }), "{answer:?}");
    assert_eq!(answer.error(), None, "{answer:?}");

    let words = |thread| {
        let mut all = lines(thread);
        all.retain(|line| !line.starts_with("card: "));
        all
    };
    let said = words(&thread);
    scripted
        .concierge
        .conversation(&beth(), Some(&thread.id))
        .await
        .unwrap();
    let thread = scripted.quiet(&beth(), &thread.id).await;
    assert_eq!(states(&thread), [ProposalState::SettledByHand]);
    let proposal = proposals(&thread).remove(0);
    assert_eq!(
        proposal.execution.unwrap().state,
        ExecutionState::SettledByHand
    );
    let expected = ErrorCode::SettledByStaff.for_guest();
    assert!(
        proposal.outcome.starts_with(expected),
        "{}",
        proposal.outcome
    );
    assert_eq!(words(&thread), said, "nobody is bidden farewell");
    scripted.hotel.close().await;
}
