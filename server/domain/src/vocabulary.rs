//! The hotel's vocabulary: statuses, states, stages, priorities, types, and the choices a tool
//! offers. An org may add words of its own, and another release may write others; those stay as they
//! are.

mod attention_reason;
mod booking_action;
mod booking_status;
mod case_filter;
mod case_origin;
mod case_priority;
mod case_status;
mod case_type;
mod compensation_status;
mod execution_state;
mod fault_code;
mod line_status;
mod opportunity_stage;
mod resolution;
mod room_status;
mod stay_filter;
mod step_state;

pub use attention_reason::AttentionReason;
pub use booking_action::BookingAction;
pub use booking_status::BookingStatus;
pub use case_filter::CaseFilter;
pub use case_origin::CaseOrigin;
pub use case_priority::CasePriority;
pub use case_status::CaseStatus;
pub use case_type::CaseType;
pub use compensation_status::CompensationStatus;
pub use execution_state::ExecutionState;
pub use fault_code::FaultCode;
pub use line_status::LineStatus;
pub use opportunity_stage::OpportunityStage;
pub use resolution::Resolution;
pub use room_status::RoomStatus;
pub use stay_filter::StayFilter;
pub use step_state::StepState;

/// Declares an enum of words, each stored and sent as it is written here, with `Other` for every
/// other word.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$meaning:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(
            Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[serde(from = "String", into = "String")]
        pub enum $name {
            $($(#[$meaning])* $variant,)+
            /// Any other word; empty if the record has none.
            Other(String),
        }

        $crate::output_schema::plain_schema!("string": $name);

        impl $name {
            /// All words but the others.
            pub const WORDS: &[&str] = &[$($word,)+];

            /// The word.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Other(word) => word,
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                match word.as_str() {
                    $($word => Self::$variant,)+
                    _ => Self::Other(word),
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                word.to_owned().into()
            }
        }

        impl From<$name> for String {
            fn from(word: $name) -> Self {
                match word {
                    $name::Other(word) => word,
                    known => known.as_str().to_owned(),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
use words;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_round_trip_and_unknown_ones_are_preserved() {
        for (status, word) in [
            (BookingStatus::CheckedIn, "Checked In"),
            (BookingStatus::Other("Waitlisted".to_owned()), "Waitlisted"),
            (BookingStatus::Other(String::new()), ""),
        ] {
            assert_eq!(json!(status), json!(word));
            assert_eq!(BookingStatus::from(word), status);
            assert_eq!(
                serde_json::from_value::<BookingStatus>(json!(word)).unwrap(),
                status
            );
            assert_eq!(status.to_string(), word);
        }
    }
}
