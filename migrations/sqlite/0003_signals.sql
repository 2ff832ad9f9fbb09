-- What is said to an execution from outside it, kept until an append answers it. Answered ones stay: the same key must not be
-- heard twice.

create table signal (
    -- The order of arrival.
    n integer not null,
    execution text not null,
    key text not null,
    ask text not null,
    asked_by text not null,
    why text not null,
    at integer not null,
    heard_at integer,
    constraint signal_pk primary key (n),
    constraint signal_key unique (execution, key)
) strict;

create index signal_open on signal (execution, n) where heard_at is null;

-- Since when the oldest open signal waits. It stands on the execution's own row, so that looking for work and giving a lease back
-- need not look into another table.
alter table execution add column signalled_at integer;

create index execution_signalled on execution (signalled_at) where signalled_at is not null;
