-- The engine's tables. Times are microseconds since 1970 (UTC); ids are text (`exe_…`), so that every tool can read them.
-- The journal and audit tables have no foreign keys: the transaction that writes them has already read and checked the
-- execution's row, and a second look-up for each row would buy nothing.

-- Microseconds since 1970 by this server's clock, now: not at the start of the transaction, which may have waited for a lock.
create function now_us() returns bigint language sql volatile as
$$ select (extract(epoch from clock_timestamp()) * 1000000)::bigint $$;

create table execution (
    id text not null,
    saga text not null,
    version bigint not null,
    caller text not null,
    interface text not null,
    token text,
    input_digest text not null,
    state text not null,
    -- When somebody should take it, if nobody holds it.
    wake_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    -- Rises when the execution changes hands.
    fence bigint not null,
    worker text,
    lease_until bigint not null,
    -- The last journal row and the last audit row, kept here so that an append need not look them up.
    seq bigint not null,
    audit_seq bigint not null,
    -- The last audit row that a checkpoint covers.
    checkpoint_seq bigint not null default 0,
    -- Since when the oldest open signal waits. It stands here, so that looking for work and giving a lease back need not look into
    -- another table.
    signaled_at bigint,
    -- Number of workers in a row that were lost over it, and the seq of its last row then: once a row was appended since, the number
    -- counts no more.
    lapses bigint not null default 0,
    lapsed_seq bigint not null default 0,
    constraint execution_pk primary key (id)
)
-- Room beside each row, so that an append that changes no indexed column need not touch an index.
with (fillfactor = 60);

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
);

create table label (
    execution text not null,
    name text not null,
    value text not null,
    constraint label_pk primary key (execution, name)
);

-- Ids begin with their moment, so that these are in the order of lists.
create index label_newest on label (name, value, execution);

-- The event is text and never parsed here: its digest must be computable again from the very same words.
create table journal (
    execution text not null,
    seq bigint not null,
    at bigint not null,
    written_by text not null,
    fence bigint not null,
    event text not null,
    digest text not null,
    constraint journal_pk primary key (execution, seq)
);

create table audit (
    execution text not null,
    seq bigint not null,
    at bigint not null,
    actor text not null,
    from_state text,
    to_state text not null,
    journal text not null,
    hash text not null,
    constraint audit_pk primary key (execution, seq)
);

-- A row stays when its resource is given back, with the time of that on the change counter: whoever read before then must
-- read again.
create table claim (
    resource text not null,
    execution text,
    changed bigint not null,
    changed_at bigint not null,
    constraint claim_pk primary key (resource)
);

create index claim_execution on claim (execution) where execution is not null;

-- Counters: `claim_floor` is the highest change of a claim that was pruned.
create table counter (
    name text not null,
    value bigint not null,
    constraint counter_pk primary key (name)
);

insert into counter (name, value) values ('claim_floor', 0);

-- The change counter is a sequence, not a row: a row would make every claim in the hotel wait for every other. Reading
-- `last_value` is right outside any transaction, which is what a mark needs. The first number is used up here, so that a mark
-- read before the first change is lower than it.
create sequence claim_change;
select nextval('claim_change');

-- What executions write when they end, in a form that lists can be read from.
create table projection (
    kind text not null,
    key text not null,
    execution text not null,
    body text not null,
    updated_at bigint not null,
    constraint projection_pk primary key (kind, key)
);

create index projection_execution on projection (execution, kind);
create index projection_newest on projection (kind, updated_at, key);

-- What the audit trails' heads were at a time, chained to the checkpoint before: a trail that is cut or written anew no longer fits.
create table audit_checkpoint (
    n bigint not null,
    at bigint not null,
    heads text not null,
    hash text not null,
    constraint audit_checkpoint_pk primary key (n)
);

-- Signals to an execution, kept until an append answers them. Answered ones stay: the same key must not be received twice.

create table signal (
    -- The order of arrival.
    n bigint not null generated always as identity,
    execution text not null,
    key text not null,
    action text not null,
    sender text not null,
    reason text not null,
    at bigint not null,
    -- When an append answered it.
    received_at bigint,
    constraint signal_pk primary key (n),
    constraint signal_key unique (execution, key)
);

create index signal_open on signal (execution, n) where received_at is null;

-- What only one process may do at a time: who does it, and until when it is certain that it still does.

create table named_lease (
    name text not null,
    holder text not null,
    until bigint not null,
    constraint named_lease_pk primary key (name)
);

-- Who may sign in. Secrets are stored as hashes only.

create table api_token (
    hash text not null,
    persona text not null,
    subject_email text,
    roles text not null,
    name text not null,
    created_at bigint not null,
    expires_at bigint,
    last_used_at bigint,
    revoked_at bigint,
    read_only bigint not null default 0,
    created_by text,
    constraint api_token_pk primary key (hash)
);

-- One row for each address that asked for a code; a new code replaces the old one, the sending times stay.
create table sign_in_code (
    email_hash text not null,
    code_hash text not null,
    expires_at bigint not null,
    tries bigint not null,
    used bigint not null,
    -- Sendings since window_start; the window is an hour.
    sends bigint not null,
    window_start bigint not null,
    constraint sign_in_code_pk primary key (email_hash)
);

create table rate_limit (
    bucket text not null,
    window_start bigint not null,
    hits bigint not null,
    expires_at bigint not null,
    constraint rate_limit_pk primary key (bucket)
);

create index rate_limit_expiry on rate_limit (expires_at);

create table session (
    id_hash text not null,
    subject text,
    data text not null,
    created_at bigint not null,
    expires_at bigint not null,
    -- To the minute.
    last_used_at bigint,
    constraint session_pk primary key (id_hash)
);

create index session_subject on session (subject) where subject is not null;
create index session_expiry on session (expires_at);

create table staff (
    email text not null,
    role text not null,
    password_hash text not null,
    disabled bigint not null,
    updated_at bigint not null,
    constraint staff_pk primary key (email)
);

create table setting (
    name text not null,
    value text not null,
    updated_at bigint not null,
    constraint setting_pk primary key (name)
);

-- People are named by an id in the record of calls, so that what is stored about a person here can be erased without breaking it.
create table person (
    id text not null,
    email text not null,
    constraint person_pk primary key (id)
);

-- The record of calls, chained.
create table tool_call (
    -- Which process wrote it, in which of its batches, at which place.
    writer text not null,
    n bigint not null,
    pos bigint not null,
    at bigint not null,
    caller text not null,
    interface text not null,
    credential text,
    request text,
    tool text not null,
    status bigint not null,
    outcome text not null,
    execution text,
    on_behalf_of text,
    -- Over all of the above.
    digest text not null,
    constraint tool_call_pk primary key (writer, n, pos)
);

create index tool_call_at on tool_call (at);
create index tool_call_execution on tool_call (execution) where execution is not null;

-- The hash covers the digests of the batch's calls and the hash of the writer's batch before.
create table call_batch (
    writer text not null,
    n bigint not null,
    at bigint not null,
    size bigint not null,
    hash text not null,
    constraint call_batch_pk primary key (writer, n)
);

-- The newest batch of each writer, and the newest that a checkpoint covers.
create table call_chain (
    writer text not null,
    n bigint not null,
    hash text not null,
    checkpoint_n bigint not null,
    constraint call_chain_pk primary key (writer)
);

create index call_chain_without_checkpoint on call_chain (writer) where n > checkpoint_n;

-- Calls that could not be recorded as they were, each with the reason.
create table unrecorded_call (
    writer text not null,
    at bigint not null,
    body text not null,
    reason text not null
);

-- What staff write down about a stay for one another. It may be about a person, so it lies apart from journal and record of calls,
-- by booking, and can be erased with the guest's other data.

create table stay_note (
    booking text not null,
    author text not null,
    -- Of the form it was written in: sending that again writes nothing.
    token text not null,
    at bigint not null,
    body text not null,
    constraint stay_note_pk primary key (booking, author, token)
);

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
    created_at bigint not null,
    changed_at bigint not null,
    -- The model's turn that is under way. It lapses by itself, for its process may have died.
    turn text,
    turn_until bigint,
    -- A conversation with staff waits from the guest's first unanswered message on.
    waiting_since bigint,
    -- Whether it may be about danger to people.
    emergency integer not null default 0,
    constraint conversation_pk primary key (id),
    constraint conversation_responder check (responder in ('model', 'staff'))
);

create index conversation_by_owner on conversation (owner, changed_at);
create index conversation_by_responder on conversation (responder, changed_at);
create index conversation_by_age on conversation (changed_at);

-- What was said and done; only ever added to.
create table entry (
    conversation text not null,
    seq bigint not null,
    at bigint not null,
    -- Of the form it was said in: sending that again says nothing.
    token text,
    body text not null,
    constraint entry_pk primary key (conversation, seq),
    constraint entry_token unique (conversation, token)
);

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
    created_at bigint not null,
    expires_at bigint not null,
    execution text,
    chosen text,
    constraint proposal_pk primary key (id)
);

create index proposal_by_conversation on proposal (conversation, created_at);
create index proposal_under_way on proposal (state, created_at) where state in ('confirmed', 'running');

-- What the model used, by day in the hotel's zone and by person.
create table model_usage (
    day text not null,
    person text not null,
    turns bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    micros bigint not null,
    millis bigint not null,
    constraint model_usage_pk primary key (day, person)
);

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
);

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

-- One round trip for an append that no single statement fits (`single_statement_append.rs`). A function and not one big statement, because each statement in a (volatile)
-- function sees what was committed before it: a single statement would look at claims with the eyes it had before it waited
-- for the execution's lock. A changed function gets a new name (`append_v2`), so that old and new instances run side by side.
-- It closes the signals it answers, and notifies when it gives back an execution that has an open one.

create function append_v1(
    _id text, _worker text, _fence bigint,
    _seqs bigint[], _ats bigint[], _bys text[], _fences bigint[], _events text[], _digests text[],
    _audit_seqs bigint[], _audit_ats bigint[], _actors text[], _from_states text[], _to_states text[], _audit_journals text[], _hashes text[],
    _state text, _wake_in bigint, _lease text, _lease_us bigint, _claims text, _resources text[], _mark bigint,
    _answer text, _free_token boolean, _label_names text[], _label_values text[],
    _kinds text[], _keys text[], _bodies text[], _handled text[], _at bigint
) returns table (outcome text, other text, mark bigint) language plpgsql
-- Every statement in it has one good plan; without this some would be planned anew at each call.
set plan_cache_mode = force_generic_plan as
$$
declare
    _e record;
    _n int := cardinality(_seqs);
    _now bigint;
    _count bigint;
    _signaled bigint;
begin
    select e.worker, e.fence, e.seq, e.lease_until into _e from execution e where e.id = _id for update;
    if not found or _e.fence <> _fence then
        outcome := 'fenced'; return next; return;
    end if;
    if _n > 0 then
        if _seqs[_n] <= _e.seq then
            -- Already stored? Then this is a repetition after a lost answer.
            perform 1 from journal j where j.execution = _id and j.seq = _seqs[_n] and j.digest = _digests[_n] and j.fence = _fences[_n];
            outcome := case when found then 'ok' else 'fenced' end;
            return next; return;
        end if;
        if _seqs[1] <> _e.seq + 1 then
            outcome := 'fenced'; return next; return;
        end if;
    end if;
    if _e.worker is distinct from _worker then
        outcome := 'fenced'; return next; return;
    end if;
    _now := now_us();

    if _claims = 'take' then
        -- Locked in the order of their names, so that two executions cannot wait for each other. A placeholder that stays
        -- after a refusal says nothing: nobody's, changed at 0.
        insert into claim (resource, execution, changed, changed_at)
        select r, null, 0, _now from unnest(_resources) r order by r on conflict do nothing;
        perform 1 from claim c where c.resource = any (_resources) order by c.resource for update;
        select c.execution into other from claim c
        where c.resource = any (_resources) and c.execution is not null and c.execution <> _id order by c.resource limit 1;
        if found then
            outcome := 'held'; return next; return;
        end if;
        perform 1 from claim c where c.resource = any (_resources) and c.execution is null and c.changed > _mark
        union all select 1 from counter t where t.name = 'claim_floor' and t.value > _mark;
        if found then
            outcome := 'stale'; other := null;
            select c.last_value into mark from claim_change c;
            return next; return;
        end if;
        update claim c set execution = _id, changed = nextval('claim_change'), changed_at = _now
        where c.resource = any (_resources) and c.execution is null;
        select count(*) into _count from claim c where c.resource = any (_resources) and c.execution = _id;
        if _count <> cardinality(_resources) then
            raise exception using errcode = '40001', message = 'a claim was pruned while it was taken';
        end if;
    elsif _claims = 'release' then
        update claim c set execution = null, changed = nextval('claim_change'), changed_at = _now where c.execution = _id;
    end if;

    if cardinality(_kinds) > 0 then
        insert into projection (kind, key, execution, body, updated_at)
        select b.kind, b.key, _id, b.body, _at from unnest(_kinds, _keys, _bodies) b (kind, key, body) order by b.kind, b.key
        on conflict (kind, key) do update set body = excluded.body, updated_at = excluded.updated_at
        where projection.execution = excluded.execution;
        get diagnostics _count = row_count;
        if _count < cardinality(_kinds) then
            select b.kind, b.key, b.execution into _e from projection b
            join unnest(_kinds, _keys) w (kind, key) on w.kind = b.kind and w.key = b.key
            where b.execution <> _id order by b.kind, b.key limit 1;
            -- An exception and not an answer: the claims above must not stay.
            raise exception using errcode = 'DW001', message = json_build_array(_e.kind, _e.key, _e.execution)::text;
        end if;
    end if;

    if cardinality(_handled) > 0 then
        update signal s set received_at = _now where s.execution = _id and s.key = any (_handled) and s.received_at is null;
    end if;

    update execution e set
        state = _state,
        -- The appender's clock may be wrong; only the distance is taken from it.
        wake_at = _now + _wake_in,
        updated_at = _at,
        token = case when _free_token then null else e.token end,
        worker = case when _lease = 'release' then null else e.worker end,
        lease_until = case _lease when 'release' then 0 when 'for' then greatest(e.lease_until, _now + _lease_us) else e.lease_until end,
        seq = coalesce(_seqs[_n], e.seq),
        audit_seq = coalesce(_audit_seqs[cardinality(_audit_seqs)], e.audit_seq),
        -- Whoever signals writes this column as well, and so waits for us or is seen by us.
        signaled_at = case when cardinality(_handled) > 0
            then (select min(s.at) from signal s where s.execution = _id and s.received_at is null) else e.signaled_at end
    where e.id = _id returning e.signaled_at into _signaled;
    if _n > 0 then
        insert into journal (execution, seq, at, written_by, fence, event, digest)
        select _id, r.* from unnest(_seqs, _ats, _bys, _fences, _events, _digests) r;
    end if;
    if cardinality(_audit_seqs) > 0 then
        insert into audit (execution, seq, at, actor, from_state, to_state, journal, hash)
        select _id, a.* from unnest(_audit_seqs, _audit_ats, _actors, _from_states, _to_states, _audit_journals, _hashes) a;
    end if;
    if _answer is not null then
        update execution_input c set answer = _answer where c.execution = _id;
    end if;
    if cardinality(_label_names) > 0 then
        insert into label (execution, name, value)
        select _id, l.name, l.value from unnest(_label_names, _label_values) l (name, value)
        on conflict (execution, name) do update set value = excluded.value;
    end if;
    if _lease = 'release' and (_wake_in <= 1000000 or _signaled is not null) then
        perform pg_notify('dewy_due', '');
    end if;
    outcome := 'ok';
    return next; return;
end
$$;
