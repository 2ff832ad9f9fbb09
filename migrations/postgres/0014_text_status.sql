-- What the carrier has reported about each text, and which texts it refused at once. Numbers are kept as keyed hashes only.

create table text_status (
    -- SM…; of a text that was refused at once: "refused", its recipient and the time.
    sid text not null,
    recipient text not null,
    status text not null,
    -- How far it is; a report of an earlier stage changes nothing, and a final one stands.
    stage bigint not null,
    error_code bigint,
    changed_at bigint not null,
    constraint text_status_pk primary key (sid)
);

create index text_status_recipient on text_status (recipient, changed_at);
create index text_status_age on text_status (changed_at);
