-- One round trip for each write of the engine. A function and not one big statement, because each statement in a (volatile)
-- function sees what was committed before it: a single statement would look at claims with the eyes it had before it waited
-- for the execution's lock. A changed function gets a new name (`append_v2`), so that old and new instances run side by side.

create function begin_v1(
    _id text, _saga text, _version bigint, _caller text, _interface text, _token text, _digest text, _input text,
    _label_names text[], _label_values text[], _worker text, _lease_us bigint, _at bigint,
    _row_at bigint, _row_by text, _row_fence bigint, _event text, _row_digest text,
    _actor text, _to_state text, _audit_journal text, _audit_hash text
) returns table (outcome text, other text, mark bigint) language plpgsql
-- Every statement in it has one good plan; without this some would be planned anew at each call.
set plan_cache_mode = force_generic_plan as
$$
declare
    _found record;
begin
    loop
        select c.last_value into mark from claim_change c;
        insert into execution (id, saga, version, caller, interface, token, input_digest, state, wake_at, created_at, updated_at,
                               fence, worker, lease_until, seq, audit_seq)
        values (_id, _saga, _version, _caller, _interface, _token, _digest, _to_state, null, _at, _at,
                1, _worker, now_us() + _lease_us, 1, 1)
        on conflict do nothing;
        if found then
            insert into content (execution, input) values (_id, _input);
            if cardinality(_label_names) > 0 then
                insert into label (execution, name, value) select _id, l.name, l.value from unnest(_label_names, _label_values) l (name, value);
            end if;
            insert into journal (execution, seq, at, written_by, fence, event, digest)
            values (_id, 1, _row_at, _row_by, _row_fence, _event, _row_digest);
            insert into audit (execution, seq, at, actor, from_state, to_state, journal, hash)
            values (_id, 1, _row_at, _actor, null, _to_state, _audit_journal, _audit_hash);
            outcome := 'new'; other := _id;
            return next; return;
        end if;
        select e.id, e.input_digest, e.worker, e.fence into _found from execution e
        where e.id = _id or (e.caller = _caller and e.token = _token) order by (e.id = _id) desc limit 1;
        if found then
            other := _found.id;
            if _found.input_digest <> _digest then
                outcome := 'mismatch';
            elsif _found.id = _id and _found.worker = _worker and _found.fence = 1 then
                -- The answer to this very call was lost; here it is again.
                outcome := 'new';
            else
                outcome := 'existing';
            end if;
            return next; return;
        end if;
        -- The token was freed between the two statements; try again.
    end loop;
end
$$;

create function append_v1(
    _id text, _worker text, _fence bigint,
    _seqs bigint[], _ats bigint[], _bys text[], _fences bigint[], _events text[], _digests text[],
    _audit_seqs bigint[], _audit_ats bigint[], _actors text[], _froms text[], _tos text[], _audit_journals text[], _hashes text[],
    _state text, _wake_in bigint, _lease text, _lease_us bigint, _claims text, _resources text[], _mark bigint,
    _answer text, _free_token boolean, _label_names text[], _label_values text[],
    _kinds text[], _keys text[], _bodies text[], _at bigint
) returns table (outcome text, other text, mark bigint) language plpgsql
-- Every statement in it has one good plan; without this some would be planned anew at each call.
set plan_cache_mode = force_generic_plan as
$$
declare
    _e record;
    _n int := cardinality(_seqs);
    _now bigint;
    _count bigint;
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

    update execution e set
        state = _state,
        -- The appender's clock may be wrong; only the distance is taken from it.
        wake_at = _now + _wake_in,
        updated_at = _at,
        token = case when _free_token then null else e.token end,
        worker = case when _lease = 'release' then null else e.worker end,
        lease_until = case _lease when 'release' then 0 when 'for' then greatest(e.lease_until, _now + _lease_us) else e.lease_until end,
        seq = coalesce(_seqs[_n], e.seq),
        audit_seq = coalesce(_audit_seqs[cardinality(_audit_seqs)], e.audit_seq)
    where e.id = _id;
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
    if _lease = 'release' and _wake_in <= 1000000 then
        perform pg_notify('dewy_due', '');
    end if;
    outcome := 'ok';
    return next; return;
end
$$;
