-- The record of calls, chained. Table `call` is written by older instances that still run beside this one, and goes later.

-- People are named by an id in the record of calls, so that what is told about a person here can be erased without breaking it.
create table person (
    id text not null,
    email text not null,
    constraint person_pk primary key (id)
) strict, without rowid;

create table tool_call (
    -- Which process wrote it, in which of its batches, at which place.
    writer text not null,
    n integer not null,
    pos integer not null,
    at integer not null,
    caller text not null,
    interface text not null,
    credential text,
    request text,
    tool text not null,
    status integer not null,
    outcome text not null,
    execution text,
    on_behalf_of text,
    -- Over all of the above.
    digest text not null,
    constraint tool_call_pk primary key (writer, n, pos)
) strict, without rowid;

create index tool_call_at on tool_call (at);
create index tool_call_execution on tool_call (execution) where execution is not null;

-- The hash covers the digests of the batch's calls and the hash of the writer's batch before.
create table call_batch (
    writer text not null,
    n integer not null,
    at integer not null,
    size integer not null,
    hash text not null,
    constraint call_batch_pk primary key (writer, n)
) strict, without rowid;

-- The newest batch of each writer, and the newest that an anchor covers.
create table call_chain (
    writer text not null,
    n integer not null,
    hash text not null,
    anchored integer not null,
    constraint call_chain_pk primary key (writer)
) strict, without rowid;

create index call_chain_unanchored on call_chain (writer) where n > anchored;

alter table api_token add column read_only integer not null default 0;
alter table api_token add column created_by text;
