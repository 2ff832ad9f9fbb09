-- Who may come in, and what they did. Secrets are stored as hashes only.

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

create table call (
    id bigint not null generated always as identity,
    at bigint not null,
    caller text not null,
    interface text not null,
    tool text not null,
    outcome text not null,
    execution text,
    on_behalf_of text,
    constraint call_pk primary key (id)
);

create index call_at on call (at);

create table setting (
    name text not null,
    value text not null,
    updated_at bigint not null,
    constraint setting_pk primary key (name)
);
