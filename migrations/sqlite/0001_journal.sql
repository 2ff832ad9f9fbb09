-- The engine's tables. Times are microseconds since 1970 (UTC); ids are text (`exe_…`), so that every tool can read them.
-- The journal and audit tables have no foreign keys: the transaction that writes them has already read and checked the
-- execution's row, and a second look-up for each row would buy nothing.

create table execution (
    id text not null,
    saga text not null,
    version integer not null,
    caller text not null,
    interface text not null,
    token text,
    input_digest text not null,
    state text not null,
    -- When somebody should take it, if nobody holds it.
    wake_at integer,
    created_at integer not null,
    updated_at integer not null,
    -- Rises when the execution changes hands.
    fence integer not null,
    worker text,
    lease_until integer not null,
    -- The last journal row and the last audit row, kept here so that an append need not look them up.
    seq integer not null,
    audit_seq integer not null,
    -- The last audit row that an anchor covers.
    anchored_seq integer not null default 0,
    constraint execution_pk primary key (id)
) strict;

create unique index execution_token on execution (caller, token) where token is not null;
create index execution_due on execution (wake_at) where worker is null and wake_at is not null;
-- Not on lease_until: that changes with nearly every append, and those that are held are few.
create index execution_held on execution (id) where worker is not null;
create index execution_created on execution (created_at);
create index execution_unanchored on execution (id) where audit_seq > anchored_seq;

-- Input and answer may hold personal data: they are beside the journal, so that they can be erased.
create table content (
    execution text not null,
    input text not null,
    answer text,
    constraint content_pk primary key (execution)
) strict, without rowid;

create table label (
    execution text not null,
    name text not null,
    value text not null,
    constraint label_pk primary key (execution, name)
) strict, without rowid;

create index label_value on label (name, value);

-- The event is text and never parsed here: its digest must be computable again from the very same words.
create table journal (
    execution text not null,
    seq integer not null,
    at integer not null,
    written_by text not null,
    fence integer not null,
    event text not null,
    digest text not null,
    constraint journal_pk primary key (execution, seq)
) strict, without rowid;

create table audit (
    execution text not null,
    seq integer not null,
    at integer not null,
    actor text not null,
    from_state text,
    to_state text not null,
    journal text not null,
    hash text not null,
    constraint audit_pk primary key (execution, seq)
) strict, without rowid;

-- A row stays when its resource is given back, with the time of that on the change counter: whoever read before then must
-- read again.
create table claim (
    resource text not null,
    execution text,
    changed integer not null,
    changed_at integer not null,
    constraint claim_pk primary key (resource)
) strict, without rowid;

create index claim_execution on claim (execution) where execution is not null;

-- Counters: `claim_change` rises with each change of a claim; `claim_floor` is the highest change that was pruned.
create table tally (
    name text not null,
    value integer not null,
    constraint tally_pk primary key (name)
) strict, without rowid;

insert into tally (name, value) values ('claim_change', 1), ('claim_floor', 0);

create table beside (
    kind text not null,
    key text not null,
    execution text not null,
    body text not null,
    updated_at integer not null,
    constraint beside_pk primary key (kind, key)
) strict, without rowid;

create index beside_execution on beside (execution, kind);

-- What the audit trails' heads were at a time, chained to the anchor before: a trail that is cut or written anew no longer fits.
create table anchor (
    n integer not null,
    at integer not null,
    heads text not null,
    hash text not null,
    constraint anchor_pk primary key (n)
) strict;
