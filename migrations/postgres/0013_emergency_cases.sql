-- Cases that emergencies owe: to be opened for the message that reported danger, and to be closed once somebody has handled it.
create table emergency_case (
    conversation text not null,
    -- Of the message that reported it.
    token text not null,
    -- Once it is open.
    case_number text,
    -- Who handled the emergency: from then on the case is to be closed.
    handled_by text,
    constraint emergency_case_pk primary key (conversation, token)
);
insert into emergency_case (conversation, token, case_number)
select id, '', case_number from conversation where emergency = 1 and case_number is not null;
