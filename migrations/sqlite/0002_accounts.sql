-- Who may come in, and what they did. Secrets are stored as hashes only.

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

create table call (
    id integer not null,
    at integer not null,
    caller text not null,
    interface text not null,
    tool text not null,
    outcome text not null,
    execution text,
    on_behalf_of text,
    constraint call_pk primary key (id)
) strict;

create index call_at on call (at);

create table setting (
    name text not null,
    value text not null,
    updated_at integer not null,
    constraint setting_pk primary key (name)
) strict;
