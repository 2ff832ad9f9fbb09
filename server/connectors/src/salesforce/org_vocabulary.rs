//! Stage, status and type names of one org. Salesforce ships none of the hotel's, so every org may
//! have its own; only this connector knows them.
//!
//! ```text
//! orchestrators, journal, pages       connector        org
//!            "Checked In"         ─── theirs() ──→   "In House"
//!            "Checked In"         ←─── ours() ────   "In House"
//!            "Deep Clean"         ←─────────────→    "Deep Clean"     a word of the org alone, kept as it is
//!            "org:Vacant"         ←─────────────→    "Vacant"         the org has another word for our Vacant, and uses
//!                                                                     this one for something else: keep them apart
//! ```

mod picklists;

pub use picklists::Picklist;
pub(crate) use picklists::PicklistValue;
use picklists::WORDS;

/// Marks an org's word that is spelled like a hotel word but means something else.
const FOREIGN: &str = "org:";

/// Vocabulary of one org. The default is the reference org, whose words equal the hotel's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgVocabulary {
    /// Org words in the order of [`WORDS`].
    own: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrgWord<'a> {
    /// Name in the setting: `booking_checked_in`.
    pub name: &'static str,
    pub list: Picklist,
    /// Word used above the connector.
    pub ours: &'static str,
    pub theirs: &'a str,
}

impl Default for OrgVocabulary {
    fn default() -> Self {
        Self {
            own: WORDS
                .iter()
                .map(|(_, _, ours)| (*ours).to_owned())
                .collect(),
        }
    }
}

impl OrgVocabulary {
    /// Parses `name=word` pairs separated by semicolons: `booking_checked_in=In House;
    /// room_cleaning=Dirty`. Names that are not listed keep the reference org's word.
    ///
    /// # Errors
    /// Every fault at once: unknown names, empty words, one word for two meanings.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let (mut words, mut faults) = (Self::default(), Vec::new());
        for pair in text
            .split(';')
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
        {
            let Some((name, word)) = pair
                .split_once('=')
                .map(|(name, word)| (name.trim(), word.trim()))
            else {
                faults.push(format!("{pair:?} is not name=word"));
                continue;
            };
            match WORDS
                .iter()
                .position(|(known, ..)| *known == name)
                .and_then(|at| words.own.get_mut(at))
            {
                None => faults.push(format!("{name:?} is not one of {}", names())),
                Some(_) if word.is_empty() => faults.push(format!("{name} has no value")),
                Some(own) => word.clone_into(own),
            }
        }
        faults.extend(words.ambiguous_values());
        if faults.is_empty() {
            Ok(words)
        } else {
            Err(faults)
        }
    }

    pub fn all(&self) -> impl Iterator<Item = OrgWord<'_>> {
        WORDS
            .iter()
            .zip(&self.own)
            .map(|((name, list, ours), theirs)| OrgWord {
                name,
                list: *list,
                ours,
                theirs,
            })
    }

    /// The org's word for a hotel word.
    pub(crate) fn theirs<'a>(&'a self, list: Picklist, ours: &'a str) -> &'a str {
        let known = self
            .all()
            .find(|word| word.list == list && word.ours == ours);
        known.map_or_else(
            || ours.strip_prefix(FOREIGN).unwrap_or(ours),
            |word| word.theirs,
        )
    }

    /// The hotel's word for an org word.
    pub(crate) fn ours(&self, list: Picklist, theirs: &str) -> String {
        if let Some(word) = self
            .all()
            .find(|word| word.list == list && word.theirs == theirs)
        {
            return word.ours.to_owned();
        }
        let misleads = self
            .all()
            .any(|word| word.list == list && word.ours == theirs)
            || theirs.starts_with(FOREIGN);
        if misleads {
            format!("{FOREIGN}{theirs}")
        } else {
            theirs.to_owned()
        }
    }

    /// One word with two meanings in one picklist can't be read back. The org ignores case when it
    /// filters.
    fn ambiguous_values(&self) -> Vec<String> {
        let same = |one: &OrgWord<'_>, other: &OrgWord<'_>| {
            one.list == other.list && one.theirs.to_lowercase() == other.theirs.to_lowercase()
        };
        let earlier = |place: usize, word: OrgWord<'_>| {
            let twin = self.all().take(place).find(|other| same(other, &word))?;
            Some(format!(
                "{} and {} are both {:?}",
                twin.name, word.name, word.theirs
            ))
        };
        self.all()
            .enumerate()
            .filter_map(|(place, word)| earlier(place, word))
            .collect()
    }
}

fn names() -> String {
    WORDS.map(|(name, ..)| name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_vocabulary_is_the_reference_orgs() {
        let words = OrgVocabulary::default();
        for word in words.all() {
            assert_eq!(
                (word.ours, word.theirs),
                (words.theirs(word.list, word.ours), word.ours)
            );
            assert_eq!(words.ours(word.list, word.theirs), word.ours);
        }
        assert_eq!(words.ours(Picklist::RoomStatus, "Deep Clean"), "Deep Clean");
        assert_eq!(
            words.theirs(Picklist::RoomStatus, "Deep Clean"),
            "Deep Clean"
        );
    }

    #[test]
    fn setting_names_are_unique() {
        let mut names: Vec<_> = WORDS.iter().map(|(name, ..)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), WORDS.len());
        assert_eq!(
            OrgVocabulary::default().ambiguous_values(),
            Vec::<String>::new()
        );
    }

    #[test]
    fn picklists_are_translated_independently() {
        let words =
            OrgVocabulary::parse("booking_checked_in=In House; stage_checked_in = Staying;")
                .unwrap();
        assert_eq!(
            words.theirs(Picklist::BookingStatus, "Checked In"),
            "In House"
        );
        assert_eq!(words.theirs(Picklist::Stage, "Checked In"), "Staying");
        assert_eq!(
            words.ours(Picklist::BookingStatus, "In House"),
            "Checked In"
        );
        assert_eq!(words.ours(Picklist::Stage, "In House"), "In House");
    }

    #[test]
    fn an_unrelated_value_with_our_spelling_round_trips() {
        let swapped = OrgVocabulary::parse("room_vacant=Cleaning; room_cleaning=Vacant").unwrap();
        assert_eq!(swapped.ours(Picklist::RoomStatus, "Cleaning"), "Vacant");
        assert_eq!(swapped.theirs(Picklist::RoomStatus, "Cleaning"), "Vacant");
        let words = OrgVocabulary::parse("room_vacant=Ready").unwrap();
        for theirs in [
            "Vacant",
            "Ready",
            "Deep Clean",
            "org:Vacant",
            "org:",
            "org:org:x",
            "Cleaning",
        ] {
            let ours = words.ours(Picklist::RoomStatus, theirs);
            assert_eq!(words.theirs(Picklist::RoomStatus, &ours), theirs, "{ours}");
            assert_eq!(ours == "Vacant", theirs == "Ready", "{theirs}");
        }
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let faults =
            OrgVocabulary::parse("nonsense; room_vacan=Free; room_occupied=; room_cleaning=vacant")
                .unwrap_err();
        assert_eq!(faults.len(), 4, "{faults:?}");
        assert!(
            faults[1].contains("\"room_vacan\" is not one of booking_reserved, "),
            "{faults:?}"
        );
        assert_eq!(
            faults[3],
            r#"room_vacant and room_cleaning are both "vacant""#
        );
        assert_eq!(OrgVocabulary::parse(" "), Ok(OrgVocabulary::default()));
    }
}
