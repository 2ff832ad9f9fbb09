//! Diagrams of all sagas in `server/SAGAS.md` match the definitions.

use dewy_saga::{Definition, StepKind};

use crate::prelude::*;

pub fn definitions() -> Vec<Definition> {
    on_virtual_time(async {
        let hotel = with(vec![]);
        let sagas = hotel.processes[0].engine().sagas();
        sagas.map(|saga| saga.definition().clone()).collect()
    })
}

#[test]
fn the_document_draws_every_saga_as_it_is_declared() {
    let drawn: Vec<_> = definitions().iter().map(Definition::to_text).collect();
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../SAGAS.md");
    let document = std::fs::read_to_string(document).unwrap();
    let missing: Vec<_> = drawn
        .iter()
        .map(|drawing| drawing.trim_end())
        .filter(|drawing| !document.contains(drawing))
        .collect();
    assert!(
        missing.is_empty(),
        "server/SAGAS.md must contain:\n{}",
        missing.join("\n\n")
    );
}

#[test]
fn every_step_has_a_compensation_or_a_stated_reason() {
    for definition in definitions() {
        let pivots = definition
            .steps
            .iter()
            .filter(|s| s.kind == StepKind::Pivot);
        assert!(pivots.count() <= 1, "{}", definition.name);
        for step in &definition.steps {
            let undone = step.undo_title.is_some();
            let at = format!("{} {}", definition.name, step.name);
            assert_eq!(undone, step.why_no_undo.is_empty(), "{at}");
            assert!(undone || step.kind != StepKind::Compensatable, "{at}");
        }
    }
}
