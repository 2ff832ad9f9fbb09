//! Proposals state all terms before approval, and are made only for what the user asked.

use super::script_player::scripts;

scripts! {
    a_booking_names_the_room_the_nights_and_the_total r#"
        model calls create_booking {"room_type":"Standard","check_in_date":"{+20}","check_out_date":"{+22}","guest_first_name":"Beth","guest_last_name":"Gibbs","number_of_guests":1}
        beth: Book me a standard room
        card question starts Book room
        card question has for $
        card yes starts Book for $
        card facts starts Total: $
        card fact#0 has 2 nights
        card fact#1 starts Paid now: $0.00.
        beth approves
        states is done"#

    a_cancellation_is_marked_destructive_and_names_the_loss r#"
        model calls manage_bookings {"booking_number":"BK-0034","action":"cancel"}
        sarah: Cancel my booking
        card loses is true
        card yes is Cancel the booking
        card question has BK-0034 & room 205
        card fact#0 starts Lost: room 205 for
        card fact#1 starts Refund: none
        model calls manage_bookings {"booking_number":"BK-0034","check_out_date":"{+9}"}
        sarah: Make it longer instead
        card loses is false
        card fact New total: $ has more than before
        sarah: What does that mean?
        # The newer wish took its place
        states is superseded proposed"#

    a_check_out_names_its_time_amount_and_lost_nights r#"
        beth asks to check out
        card fact#0 starts When: now
        card facts has Paid now: $250.00. Open afterwards: $0.00.
        model calls process_guest_checkout {"room_number":"102"}
        wei: Check me out of 102
        card question has BK-0022
        card facts has Early departure: the stay is booked until"#

    a_check_in_names_the_room_the_nights_the_guest_and_the_price r#"
        model calls check_in_guest {}
        sarah: I have arrived
        card question is Check in to room 205 now?
        card fact#0 starts Stay:
        card fact#0 ends (3 nights), booking BK-0034.
        card fact#1 is Price of the stay: $525.00. Paid now: $0.00.
        model calls check_in_guest {"guest_email":"sarah@example.com"}
        desk: Check in Sarah Johnson
        card question is Check Sarah Johnson in to room 205 now?"#

    an_impossible_phone_number_is_refused_before_it_is_asked_about r#"
        model calls create_contact_if_not_found {"email":"ada@example.com","first_name":"Ada","last_name":"Byron","phone":"555-0199"}
        desk: Add Ada Byron, ada@example.com, 555-0199 => 0 cards
        told has phone is not a phone number
        model calls create_contact_if_not_found {"email":"ada@example.com","first_name":"Ada","last_name":"Byron","phone":"+1 (012) 555-0199"}
        desk: Add Ada Byron, ada@example.com, +1 (012) 555-0199 => 0 cards
        told has its country has no such number
        model calls create_contact_if_not_found {"email":"ada@example.com","first_name":"Ada","last_name":"Byron","phone":"(212) 555-0199"}
        desk: Add Ada Byron, ada@example.com, (212) 555-0199 => 1 cards"#

    later_is_never_now r#"
        model calls process_guest_checkout {}
        model says Whenever you like.
        beth: I'd like to check out later => 0 cards
        last is answered: Whenever you like.\nNothing has been changed.
        model calls process_guest_checkout {}
        model says Whenever you like.
        beth: Can I check out tomorrow at 9? => 0 cards
        last is answered: Whenever you like.\nNothing has been changed.
        model calls process_guest_checkout {}
        model says Whenever you like.
        beth: Not now, but check me out => 0 cards
        last is answered: Whenever you like.\nNothing has been changed.
        charges is 0"#

    a_charge_names_the_bill_before_and_after r#"
        model calls post_charge {"room_number":"302","amount":1250,"description":"Minibar"}
        desk: Post 12.50 to 302
        card fact#0 has open $250.00 now, $262.50 afterwards"#

    what_is_refused_or_not_said_is_not_proposed r#"
        # Without a stay never another guest's
        model calls post_charge {"amount":5000,"description":"Spa"}
        model says Which room is it?
        desk: Put $50 for the spa on her room => 0 cards
        # A stay that has begun can only be ended by a check-out
        model calls manage_bookings {"booking_number":"BK-0042","action":"cancel"}
        beth: Cancel my booking => 0 cards
        model calls manage_bookings {"booking_number":"BK-0042","check_in_date":"{+1}"}
        beth: Change my dates, please => 0 cards
        model calls manage_bookings {"booking_number":"BK-0042","check_in_date":"{+1}","check_out_date":"{+1}"}
        beth: Change my dates, please => 0 cards
        model calls manage_bookings {"booking_number":"BK-0034","check_in_date":"{+6}","check_out_date":"{+6}"}
        sarah: Change my dates, please => 0 cards
        model calls manage_bookings {"booking_number":"BK-0034","number_of_guests":12}
        sarah: Change my dates, please => 0 cards
        # Two hours are no night
        model calls manage_bookings {"booking_number":"BK-0042","check_out_date":"{+9}"}
        beth: Can I leave two hours later tomorrow? => 0 cards"#

    staff_move_a_checked_in_guest r#"
        model calls manage_bookings {"booking_number":"BK-0024","room_number":"305"}
        desk: Move Nora O'Brien to 305
        card facts has Room: 305, instead of 104. & New total: $629.00
        desk approves
        states is done"#

    a_question_about_a_proposal_is_answered_from_its_own_terms "
        beth asks to check out
        let when = card fact#0
        beth: how much will that be and what do I lose?
        last has $250.00 & {when}
        states is proposed
        asked is 0"

    a_typed_yes_is_no_click_and_a_typed_no_declines "
        beth asks to check out
        beth: Yes, please!
        last has press “Pay $250.00” above
        states is proposed
        asked is 0
        # Of two questions the last one is answered
        model says I don't know. Shall I call a colleague?
        beth: Is there a pool?
        asked is 1
        beth: no
        asked is 1
        states is proposed
        beth: no thanks
        last has Declined. Nothing was done.
        states is declined
        charges is 0
        asked is 0
        # Nothing is open: it is asked again
        beth: no
        asked is 1"

    a_proposal_states_each_value_once r#"
        beth asks to check out
        card facts lacks Amount: & Booking number: & Room number: & Action:
        model calls submit_guest_service_request {"type":"Housekeeping","description":"May I have two more towels?"}
        beth: May I have two more towels?
        card question is Send this request to Housekeeping? “May I have two more towels?”
        card facts lacks Description: & Type: & Room number: & Action:
        model calls create_booking {"room_type":"Standard","check_in_date":"{+20}","check_out_date":"{+22}","number_of_guests":1}
        beth: Book me a standard room
        card facts has Number of guests: 1
        card facts lacks Amount: & Check in date: & Check out date: & Room number: & Action:"#

    a_proposal_replaces_another_of_the_same_stay r#"
        beth asks to check out
        model calls manage_bookings {"booking_number":"BK-0042","check_out_date":"{+9}"}
        beth: Or one more week
        states is superseded proposed
        # Nor both from one answer
        model calls process_guest_checkout {} manage_bookings {"booking_number":"BK-0042","check_out_date":"{+9}"}
        beth: Check me out, and a week more
        states lacks proposed proposed
        states has proposed"#

    what_staff_propose_for_two_guests_stays_open r#"
        model calls check_in_guest {"guest_email":"sarah@example.com"} manage_bookings {"booking_number":"BK-0024","room_number":"305"}
        desk: Check in Sarah, and move Nora to 305
        states is proposed proposed"#

    an_allergy_stays_beside_a_later_wish r#"
        model calls manage_bookings {"booking_number":"BK-0034","special_requests":"PEANUT ALLERGY"}
        desk: note a peanut allergy on BK-0034
        desk approves
        model calls manage_bookings {"booking_number":"BK-0034","special_requests":"A room with a view"}
        sarah: a room with a view, please
        card terms has PEANUT
        sarah approves
        record Booking__c Name=BK-0034: Special_Requests__c ends PEANUT ALLERGY; A room with a view
        # In the house it is a request of now
        model calls manage_bookings {"booking_number":"BK-0042","special_requests":"An ocean view"}
        beth: Can I get a room with an ocean view? => 0 cards"#

    the_words_of_a_further_conversation_reach_the_desk r#"
        model calls hand_over_to_staff {"reason":"They complain."}
        beth posts new0: The bed is broken
        beth waits
        model calls hand_over_to_staff {"reason":"They complain."}
        beth posts new1: So is the shower
        beth waits
        model calls hand_over_to_staff {"reason":"They complain."}
        beth posts new2: I want my money back
        beth waits
        lines lacks failed
        waiting count is 2
        waiting words has said: I want my money back"#
}
