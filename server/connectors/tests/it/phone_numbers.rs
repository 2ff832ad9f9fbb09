//! Every example number of libphonenumber, in hotels of several countries: as forms and tools read
//! it, and in a contact in Salesforce.

use dewy_connectors::Country;

use crate::{canned_transport::salesforce_config, prelude::*};

/// Written by Google's own JavaScript: `end2end/vendors/phones.mjs`.
const EXAMPLES: &str = include_str!("../fixtures/example-phone-numbers.tsv");

/// Columns before those of numbers as they are dialed in a hotel's country.
const WRITTEN: usize = 4;

fn rows() -> Vec<Vec<&'static str>> {
    let lines = EXAMPLES.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect()).collect()
}

#[test]
fn every_example_number_is_read_as_itself_in_every_country() {
    let rows = rows();
    let (titles, examples) = rows.split_first().unwrap();
    assert!(examples.len() > 480, "a landline and a mobile each");
    let mut wrong = Vec::new();
    let mut read = |country: &str, written: &str, number: &str| {
        let read = country.parse::<Country>().unwrap().read(written);
        let read = read.as_ref().and_then(|read| read.texted());
        if read != Some(number) {
            wrong.push(format!("{country} {written}: {read:?}, not {number}"));
        }
    };
    for example in examples {
        let [region, number, international, national] = example[..WRITTEN] else {
            panic!("{example:?}");
        };
        read(region, national, number);
        for (hotel, dialed) in titles.iter().zip(example).skip(WRITTEN) {
            for written in [number, international, dialed] {
                read(hotel, written, number);
            }
        }
        for hotel in ["BR", "RU", "CN"] {
            read(hotel, number, number);
            read(hotel, international, number);
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_contact_is_texted_however_its_number_was_typed_in_salesforce() {
    let rows = rows();
    let (titles, examples) = rows.split_first().unwrap();
    let mut wrong = Vec::new();
    for (at, hotel) in titles.iter().enumerate().skip(WRITTEN) {
        let contact = |dialed: &str| {
            let record = json!({ "Id": "003000000000007AAA", "LastName": "A", "Phone": dialed });
            let found = json!({ "totalSize": 1, "done": true, "records": [record] });
            status(200, &found.to_string())
        };
        let canned = Canned::new(examples.iter().map(|example| contact(example[at])));
        let mut config = salesforce_config();
        config.country = hotel.parse().unwrap();
        let crm = Salesforce::new(config, canned, Arc::new(TestClock::new()));
        for example in examples {
            let found = crm.contacts(&"a@example.com".into()).await.answered();
            let phone = found.unwrap().remove(0).phone;
            if phone.as_deref() != Some(example[1]) {
                wrong.push(format!("{hotel} {}: {phone:?}", example[at]));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
