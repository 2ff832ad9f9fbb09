-- Calls that could not be recorded as they were, each with the reason.
create table call_aside (
    writer text not null,
    at bigint not null,
    body text not null,
    reason text not null
);
