-- Conversations with the concierge. They are what people said, so they lie apart from journal and record of calls, by person, and go
-- with the time set for them, with the person's own wish, or with the person's other data.

create table conversation (
    id text not null,
    -- The caller's key: guest:beth.gibbs@email.com.
    owner text not null,
    title text not null,
    -- Who answers: model or staff.
    standing text not null,
    case_number text,
    created_at integer not null,
    changed_at integer not null,
    -- The model's turn that is under way. It lapses by itself, for its process may have died.
    turn text,
    turn_until integer,
    constraint conversation_pk primary key (id),
    constraint conversation_standing check (standing in ('model', 'staff'))
) strict, without rowid;

create index conversation_by_owner on conversation (owner, changed_at);
create index conversation_by_standing on conversation (standing, changed_at);
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
create table card (
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
    constraint card_pk primary key (id)
) strict, without rowid;

create index card_by_conversation on card (conversation, created_at);
create index card_under_way on card (state, created_at) where state in ('confirmed', 'running');

-- What the model used, by day in the hotel's zone and by person.
create table model_use (
    day text not null,
    person text not null,
    turns integer not null,
    input_tokens integer not null,
    output_tokens integer not null,
    micros integer not null,
    millis integer not null,
    constraint model_use_pk primary key (day, person)
) strict, without rowid;
