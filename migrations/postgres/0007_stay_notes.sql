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
