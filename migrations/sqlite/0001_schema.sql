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
    -- The last audit row that a checkpoint covers.
    checkpoint_seq integer not null default 0,
    -- Since when the oldest open signal waits. It stands here, so that looking for work and giving a lease back need not look into
    -- another table.
    signaled_at integer,
    -- Number of workers in a row that were lost over it, and the seq of its last row then: once a row was appended since, the number
    -- counts no more.
    lapses integer not null default 0,
    lapsed_seq integer not null default 0,
    constraint execution_pk primary key (id)
) strict;

create unique index execution_token on execution (caller, token) where token is not null;
create index execution_due on execution (wake_at) where worker is null and wake_at is not null;
-- Not on lease_until: that changes with nearly every append, and those that are held are few.
create index execution_held on execution (id) where worker is not null;
create index execution_created on execution (created_at);
create index execution_without_checkpoint on execution (id) where audit_seq > checkpoint_seq;
create index execution_signaled on execution (signaled_at) where signaled_at is not null;
-- Lists of the newest executions are read from these alone, however many there are: a page of fifty must not look through all of
-- them for the few of a rare kind.
create index execution_by_state on execution (state, created_at, id);
create index execution_by_saga on execution (saga, state, created_at, id);

-- Input and answer may hold personal data: they are kept apart from the journal, so that they can be erased.
create table execution_input (
    execution text not null,
    input text not null,
    answer text,
    constraint execution_input_pk primary key (execution)
) strict, without rowid;

create table label (
    execution text not null,
    name text not null,
    value text not null,
    constraint label_pk primary key (execution, name)
) strict, without rowid;

-- It holds the execution's id by itself, which begins with its moment.
create index label_newest on label (name, value);

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
create table counter (
    name text not null,
    value integer not null,
    constraint counter_pk primary key (name)
) strict, without rowid;

insert into counter (name, value) values ('claim_change', 1), ('claim_floor', 0);

-- What executions write when they end, in a form that lists can be read from.
create table projection (
    kind text not null,
    key text not null,
    execution text not null,
    body text not null,
    updated_at integer not null,
    constraint projection_pk primary key (kind, key)
) strict, without rowid;

create index projection_execution on projection (execution, kind);
create index projection_newest on projection (kind, updated_at, key);

-- What the audit trails' heads were at a time, chained to the checkpoint before: a trail that is cut or written anew no longer fits.
create table audit_checkpoint (
    n integer not null,
    at integer not null,
    heads text not null,
    hash text not null,
    constraint audit_checkpoint_pk primary key (n)
) strict;

-- Signals to an execution, kept until an append answers them. Answered ones stay: the same key must not be received twice.

create table signal (
    -- The order of arrival.
    n integer not null,
    execution text not null,
    key text not null,
    action text not null,
    sender text not null,
    reason text not null,
    at integer not null,
    -- When an append answered it.
    received_at integer,
    constraint signal_pk primary key (n),
    constraint signal_key unique (execution, key)
) strict;

create index signal_open on signal (execution, n) where received_at is null;

-- What only one process may do at a time: who does it, and until when it is certain that it still does.

create table named_lease (
    name text not null,
    holder text not null,
    until integer not null,
    constraint named_lease_pk primary key (name)
) strict;

-- Who may sign in. Secrets are stored as hashes only.

create table api_token (
    hash text not null,
    persona text not null,
    subject_email text,
    roles text not null,
    name text not null,
    created_at integer not null,
    expires_at integer,
    last_used_at integer,
    revoked_at integer,
    read_only integer not null default 0,
    created_by text,
    constraint api_token_pk primary key (hash)
) strict;

-- One row for each address that asked for a code; a new code replaces the old one, the sending times stay.
create table sign_in_code (
    email_hash text not null,
    code_hash text not null,
    expires_at integer not null,
    tries integer not null,
    used integer not null,
    -- Sendings since window_start; the window is an hour.
    sends integer not null,
    window_start integer not null,
    constraint sign_in_code_pk primary key (email_hash)
) strict;

create table rate_limit (
    bucket text not null,
    window_start integer not null,
    hits integer not null,
    expires_at integer not null,
    constraint rate_limit_pk primary key (bucket)
) strict;

create index rate_limit_expiry on rate_limit (expires_at);

create table session (
    id_hash text not null,
    subject text,
    data text not null,
    created_at integer not null,
    expires_at integer not null,
    -- To the minute.
    last_used_at integer,
    constraint session_pk primary key (id_hash)
) strict;

create index session_subject on session (subject) where subject is not null;
create index session_expiry on session (expires_at);

create table staff (
    email text not null,
    role text not null,
    password_hash text not null,
    disabled integer not null,
    updated_at integer not null,
    constraint staff_pk primary key (email)
) strict;

create table setting (
    name text not null,
    value text not null,
    updated_at integer not null,
    constraint setting_pk primary key (name)
) strict;

-- People are named by an id in the record of calls, so that what is stored about a person here can be erased without breaking it.
create table person (
    id text not null,
    email text not null,
    constraint person_pk primary key (id)
) strict, without rowid;

-- The record of calls, chained.
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

-- The newest batch of each writer, and the newest that a checkpoint covers.
create table call_chain (
    writer text not null,
    n integer not null,
    hash text not null,
    checkpoint_n integer not null,
    constraint call_chain_pk primary key (writer)
) strict, without rowid;

create index call_chain_without_checkpoint on call_chain (writer) where n > checkpoint_n;

-- Calls that could not be recorded as they were, each with the reason.
create table unrecorded_call (
    writer text not null,
    at integer not null,
    body text not null,
    reason text not null
) strict;

-- What staff write down about a stay for one another. It may be about a person, so it lies apart from journal and record of calls,
-- by booking, and can be erased with the guest's other data.

create table stay_note (
    booking text not null,
    author text not null,
    -- Of the form it was written in: sending that again writes nothing.
    token text not null,
    at integer not null,
    body text not null,
    constraint stay_note_pk primary key (booking, author, token)
) strict, without rowid;

-- Conversations with the concierge. They are what people said, so they lie apart from journal and record of calls, by person, and go
-- with the time set for them, with the person's own wish, or with the person's other data.

create table conversation (
    id text not null,
    -- The caller's key: guest:beth.gibbs@email.com.
    owner text not null,
    title text not null,
    -- Who answers: model or staff.
    responder text not null,
    case_number text,
    created_at integer not null,
    changed_at integer not null,
    -- The model's turn that is under way. It lapses by itself, for its process may have died.
    turn text,
    turn_until integer,
    -- A conversation with staff waits from the guest's first unanswered message on.
    waiting_since integer,
    -- Whether it may be about danger to people.
    emergency integer not null default 0,
    constraint conversation_pk primary key (id),
    constraint conversation_responder check (responder in ('model', 'staff'))
) strict, without rowid;

create index conversation_by_owner on conversation (owner, changed_at);
create index conversation_by_responder on conversation (responder, changed_at);
create index conversation_by_age on conversation (changed_at);

-- What was said and done; only ever added to.
create table entry (
    conversation text not null,
    seq integer not null,
    at integer not null,
    -- Of the form it was said in: sending that again says nothing.
    token text,
    body text not null,
    constraint entry_pk primary key (conversation, seq),
    constraint entry_token unique (conversation, token)
) strict, without rowid;

-- Acts that the model proposed. The person's yes is bound to all that stands here, and can be given once.
create table proposal (
    id text not null,
    conversation text not null,
    owner text not null,
    call_id text not null,
    tool text not null,
    -- Input, question, facts and choices, as JSON; never changed.
    body text not null,
    nonce text not null,
    state text not null,
    created_at integer not null,
    expires_at integer not null,
    execution text,
    chosen text,
    constraint proposal_pk primary key (id)
) strict, without rowid;

create index proposal_by_conversation on proposal (conversation, created_at);
create index proposal_under_way on proposal (state, created_at) where state in ('confirmed', 'running');

-- What the model used, by day in the hotel's zone and by person.
create table model_usage (
    day text not null,
    person text not null,
    turns integer not null,
    input_tokens integer not null,
    output_tokens integer not null,
    micros integer not null,
    millis integer not null,
    constraint model_usage_pk primary key (day, person)
) strict, without rowid;

-- Cases that conversations owe: to be opened, and to be closed once somebody has handled the emergency or handed back the conversation.
create table owed_case (
    conversation text not null,
    -- Of the message that reported danger; of a hand-over, `hand-over` and the case number.
    token text not null,
    -- Once it is open.
    case_number text,
    -- Who handled the emergency, or handed the conversation back: from then on the case is to be closed.
    handled_by text,
    constraint owed_case_pk primary key (conversation, token)
) strict, without rowid;

-- What the carrier has reported about each text, and which texts it refused at once. Numbers are kept as keyed hashes only.

create table text_status (
    -- SM…; of a text that was refused at once: "refused", its recipient and the time.
    sid text not null,
    recipient text not null,
    status text not null,
    -- How far it is; a report of an earlier stage changes nothing, and a final one stands.
    stage integer not null,
    error_code integer,
    changed_at integer not null,
    constraint text_status_pk primary key (sid)
) strict;

create index text_status_recipient on text_status (recipient, changed_at);
create index text_status_age on text_status (changed_at);
