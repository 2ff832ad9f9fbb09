use std::collections::BTreeSet;

use super::*;

const KINDS: [&str; 19] = [
    "queued",
    "version_chosen",
    "read",
    "intended",
    "done",
    "skipped",
    "refused",
    "unsettled",
    "waiting",
    "decided",
    "intended_back",
    "settled_back",
    "skipped_back",
    "ended_completed",
    "ended_refused",
    "ended_compensated",
    "ended_attention",
    "ended_settled",
    "watched",
];

/// The table in the doc comment and the function agree, row for row.
#[test]
fn transitions_match_the_documented_table() {
    let written: BTreeSet<(String, String, String)> = include_str!("../state_machine.rs")
        .lines()
        .skip_while(|l| !l.starts_with("//! state "))
        .skip(1)
        .take_while(|l| !l.contains("```"))
        .map(|l| {
            let mut words = l
                .trim_start_matches("//! ")
                .split_whitespace()
                .map(str::to_owned);
            (
                words.next().unwrap(),
                words.next().unwrap(),
                words.next().unwrap(),
            )
        })
        .collect();
    let mut real = BTreeSet::new();
    for state in std::iter::once(None).chain(State::ALL.into_iter().map(Some)) {
        for event in KINDS.into_iter().chain(["reopened", "heard", "resumed"]) {
            if let Some(to) = step(state, event) {
                let from = state.map_or("-", State::name);
                real.insert((from.to_owned(), event.to_owned(), to.name().to_owned()));
            }
        }
    }
    assert_eq!(written, real);
}

#[test]
fn no_forward_transition_after_the_pivot_failed() {
    for event in [
        "read",
        "intended",
        "done",
        "skipped",
        "waiting",
        "resumed",
        "ended_completed",
        "ended_refused",
    ] {
        assert_eq!(step(Some(State::Compensating), event), None, "{event}");
    }
}
