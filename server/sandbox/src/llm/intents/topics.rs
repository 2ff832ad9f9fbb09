//! Words that stand for a value of a field: states, types, priorities, statuses.

use crate::llm::heard::Heard;

fn pick(heard: &Heard, table: &[(&'static str, &'static str)]) -> Option<&'static str> {
    table.iter().find(|(_, phrases)| heard.any(phrases)).map(|(value, _)| *value)
}

/// The state of executions that is meant.
pub fn state(heard: &Heard) -> Option<&'static str> {
    pick(
        heard,
        &[
            (
                "needs_attention",
                "attention | a human | to decide | decision | our decision | intervention | by a person | hands on | needs a person | need a person | needs somebody | needs someone \
                    | waits for a person | waiting for a person | waiting for a human | waits for us | got stuck \
                    | are stuck | is stuck",
            ),
            ("queued", "queued | in the queue | queue"),
            ("retrying", "retried | retrying"),
            ("compensating", "compensating | being undone | being compensated"),
            ("compensated", "compensated"),
            ("refused", "refused | turned down | rejected"),
            ("completed", "completed"),
            ("running", "running"),
            ("waiting", "waiting"),
        ],
    )
}

/// The tool whose executions are meant.
pub fn tool(heard: &Heard) -> Option<&'static str> {
    pick(
        heard,
        &[
            ("process_guest_checkout", "check out | check outs"),
            ("check_in_guest", "check in | check ins"),
            ("post_charge", "charge | posted charges"),
            ("submit_maintenance_request", "maintenance request | defect"),
            ("submit_guest_service_request", "service request"),
            ("set_room_status", "room status | status change"),
            ("manage_bookings", "booking change | cancellation | changed booking"),
            ("create_booking", "booking | reservation"),
        ],
    )
}

/// How urgent it is said to be.
pub fn priority(heard: &Heard) -> Option<&'static str> {
    pick(
        heard,
        &[
            ("Low", "low priority | priority low | no rush | no hurry | not urgent | whenever you | low"),
            ("Medium", "medium | normal priority"),
            (
                "Urgent",
                "urgent | urgently | emergency | immediately | right away | at once | straight away | flood \
                    | flooding | flooded | dangerous | asap | pouring",
            ),
            ("High", "high | important | top priority | as soon as"),
        ],
    )
}

/// The type of cases that is named as such.
pub fn case_type(heard: &Heard) -> Option<&'static str> {
    pick(
        heard,
        &[
            ("Room Service", "room service | kitchen"),
            ("Housekeeping", "housekeeping"),
            ("Concierge", "concierge"),
            ("Facilities", "facilities | facility"),
            ("Maintenance", "maintenance | repair | technical"),
        ],
    )
}

/// A room's status, as staff name it in lists.
pub fn room_status(heard: &Heard) -> Option<&'static str> {
    pick(
        heard,
        &[
            ("Out of Service", "out of service | out of order | blocked | closed off | shut down"),
            (
                "Maintenance",
                "in maintenance | under maintenance | maintenance | under/in repair | being repaired | being fixed | being worked on | undergoing repairs",
            ),
            (
                "Cleaning",
                "dirty | cleaning | be cleaned | to clean | need cleaning | uncleaned | being cleaned \
                    | not clean | need a clean | cleaned | making up | be made up | to make up | want/wants/need/needs doing/servicing \
                    | wants cleaning | need servicing | to be done | to do up | unmade | still to do | to be turned over | to turn over",
            ),
            ("Occupied", "occupied | occupancy | taken | in use | somebody in | someone in | guests in | full"),
            (
                "Vacant",
                "vacant | empty | free | available | ready | unoccupied | clean | nobody is in | nobody in \
                    | no one in | no one is in",
            ),
        ],
    )
}

/// The status of bookings that is meant.
pub fn booking_status(heard: &Heard) -> Option<&'static str> {
    pick(
        heard,
        &[
            (
                "No Show",
                "no show | never came | never turned up | did not turn up | did not come | failed to show \
                    | never showed",
            ),
            ("Cancelled", "cancelled | called off | cancellation | cancel"),
            (
                "Checked Out",
                "checked out | have left | has left | departed | done with | past | old bookings | previous \
                    | earlier stays | finished",
            ),
            (
                "Checked In",
                "checked in | in house | in the house | in residence | staying with us | staying right now \
                    | staying here now | currently staying | staying now",
            ),
            (
                "Reserved",
                "reserved | arrive | arriving | arrival | expect | expected | upcoming | coming | still to come \
                    | due in | due today | ahead of me | future | to come",
            ),
        ],
    )
}

/// The status of cases that is meant.
pub fn case_status(heard: &Heard) -> Option<&'static str> {
    pick(
        heard,
        &[
            (
                "All",
                "all | ever | everything | done or not | open or closed | open and closed | entire \
                    | whole history | so far",
            ),
            ("In Progress", "in progress | being worked | under way | underway | working on"),
            ("Closed", "closed | done | finished | solved | completed | resolved | fixed"),
            ("New", "new | untouched | not started | nobody has started"),
            ("Open", "open | outstanding | unsolved | still to do"),
        ],
    )
}
