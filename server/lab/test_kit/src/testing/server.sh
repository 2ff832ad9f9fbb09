# Runs a Postgres for as long as the pipe at stdin is open, then leaves nothing behind.
# $1: the folder with Postgres' programs; $2: the folder to use; $3: the port; $4: further options
set -eu
bin=$1 dir=$2 port=$3 options=$4
mkdir "$dir"
as=
if [ "$(id -u)" = 0 ]; then
    # Postgres refuses to run as root.
    chown postgres "$dir"
    as='runuser -u postgres --'
fi
clean() {
    cd /
    $as "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$dir"
}
trap clean EXIT
cd "$dir"
$as "$bin/initdb" -D "$dir/data" -A trust -U postgres -E UTF8 --locale=C --no-sync >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; exit 1; }
$as "$bin/pg_ctl" -D "$dir/data" -w -t 60 -l "$dir/data/server.log" \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200 $options" start >/dev/null 2>&1 </dev/null \
    || { cat "$dir/data/server.log" >&2; exit 1; }
echo ready
cat >/dev/null
