-- What is said to an execution from outside it, kept until an append answers it. Answered ones stay: the same key must not be
-- heard twice.

create table signal (
    -- The order of arrival.
    n bigint not null generated always as identity,
    execution text not null,
    key text not null,
    ask text not null,
    asked_by text not null,
    why text not null,
    at bigint not null,
    heard_at bigint,
    constraint signal_pk primary key (n),
    constraint signal_key unique (execution, key)
);

create index signal_open on signal (execution, n) where heard_at is null;

-- Since when the oldest open signal waits. It stands on the execution's own row, so that looking for work and giving a lease back
-- need not look into another table.
alter table execution add column signalled_at bigint;

create index execution_signalled on execution (signalled_at) where signalled_at is not null;

-- `append_v1` that also closes the signals it answers, and rings when it gives back an execution that has an open one.
create function append_v2(
    _id text, _worker text, _fence bigint,
    _seqs bigint[], _ats bigint[], _bys text[], _fences bigint[], _events text[], _digests text[],
    _audit_seqs bigint[], _audit_ats bigint[], _actors text[], _froms text[], _tos text[], _audit_journals text[], _hashes text[],
    _state text, _wake_in bigint, _lease text, _lease_us bigint, _claims text, _resources text[], _mark bigint,
    _answer text, _free_token boolean, _label_names text[], _label_values text[],
    _kinds text[], _keys text[], _bodies text[], _heard text[], _at bigint
) returns table (outcome text, other text, mark bigint) language plpgsql
-- Every statement in it has one good plan; without this some would be planned anew at each call.
set plan_cache_mode = force_generic_plan as
$$
declare
    _e record;
    _n int := cardinality(_seqs);
    _now bigint;
    _count bigint;
    _signalled bigint;
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
        union all select 1 from tally t where t.name = 'claim_floor' and t.value > _mark;
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
        insert into beside (kind, key, execution, body, updated_at)
        select b.kind, b.key, _id, b.body, _at from unnest(_kinds, _keys, _bodies) b (kind, key, body) order by b.kind, b.key
        on conflict (kind, key) do update set body = excluded.body, updated_at = excluded.updated_at
        where beside.execution = excluded.execution;
        get diagnostics _count = row_count;
        if _count < cardinality(_kinds) then
            select b.kind, b.key, b.execution into _e from beside b
            join unnest(_kinds, _keys) w (kind, key) on w.kind = b.kind and w.key = b.key
            where b.execution <> _id order by b.kind, b.key limit 1;
            -- An exception and not an answer: the claims above must not stay.
            raise exception using errcode = 'DW001', message = json_build_array(_e.kind, _e.key, _e.execution)::text;
        end if;
    end if;

    if cardinality(_heard) > 0 then
        update signal s set heard_at = _now where s.execution = _id and s.key = any (_heard) and s.heard_at is null;
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
        signalled_at = case when cardinality(_heard) > 0
            then (select min(s.at) from signal s where s.execution = _id and s.heard_at is null) else e.signalled_at end
    where e.id = _id returning e.signalled_at into _signalled;
    if _n > 0 then
        insert into journal (execution, seq, at, written_by, fence, event, digest)
        select _id, r.* from unnest(_seqs, _ats, _bys, _fences, _events, _digests) r;
    end if;
    if cardinality(_audit_seqs) > 0 then
        insert into audit (execution, seq, at, actor, from_state, to_state, journal, hash)
        select _id, a.* from unnest(_audit_seqs, _audit_ats, _actors, _froms, _tos, _audit_journals, _hashes) a;
    end if;
    if _answer is not null then
        update content c set answer = _answer where c.execution = _id;
    end if;
    if cardinality(_label_names) > 0 then
        insert into label (execution, name, value)
        select _id, l.name, l.value from unnest(_label_names, _label_values) l (name, value)
        on conflict (execution, name) do update set value = excluded.value;
    end if;
    if _lease = 'release' and (_wake_in <= 1000000 or _signalled is not null) then
        perform pg_notify('dewy_due', '');
    end if;
    outcome := 'ok';
    return next; return;
end
$$;
