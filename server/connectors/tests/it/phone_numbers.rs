//! Every example number of libphonenumber, in hotels of many countries.

use dewy_connectors::Country;

const EXAMPLES: &str = include_str!("../fixtures/example-phone-numbers.tsv");

#[test]
fn every_example_number_is_read_as_itself_in_every_country() {
    let examples: Vec<[&str; 4]> = EXAMPLES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            columns.try_into().unwrap()
        })
        .collect();
    assert!(examples.len() > 480, "a landline and a mobile each");
    let mut wrong = Vec::new();
    for home in ["US", "GB", "DE", "IT", "BR", "JP", "AU", "RU", "CN"] {
        let hotel: Country = home.parse().unwrap();
        for [region, number, international, national] in &examples {
            let local: Country = region.parse().unwrap();
            for (reader, written) in [(hotel, number), (hotel, international), (local, national)] {
                let read = reader.read(written);
                let read = read.as_ref().and_then(|read| read.texted());
                if read != Some(number) {
                    wrong.push(format!("{home} {written}: {read:?}"));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
