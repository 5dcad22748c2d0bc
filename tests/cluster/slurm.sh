#!/bin/bash
# A sweep on a real Slurm, with a node that fails under it.
#
#   tests/cluster/slurm.sh PROGRAM
#
# Starts munge, a controller and three nodes on the loopback address, in a folder and on ports of its
# own; submits an array of shards and the merge with deploy/slurm/submit; kills the daemon of a node in
# the middle of its task, which is then started again elsewhere while the orphan goes on writing; and
# compares the merged results with those of one process, byte by byte.
#
# Needs root and Debian's slurm-wlm and munge; no systemd, no cgroups. It ends what it started and
# nothing else.
set -euo pipefail

program=$(realpath -- "$1")
here=$(dirname -- "$(realpath -- "$0")")
repository=$(realpath -- "$here/../..")
shards=6

needed="munged slurmctld slurmd sbatch scontrol squeue"
for command in $needed; do
    PATH=$PATH:/usr/sbin command -v "$command" >/dev/null || {
        echo "$command is not installed: apt-get install --no-install-recommends slurm-wlm munge" >&2
        exit 3
    }
done
export PATH=$PATH:/usr/sbin
if [ "$(id -u)" != 0 ]; then
    echo "needs root: slurmd runs jobs as their users" >&2
    exit 3
fi

place=$(mktemp -d -t failover-budget-slurm.XXXXXX)
chmod 755 "$place"
export SLURM_CONF=$place/slurm.conf

# Every process of ours carries SLURM_CONF in its environment, orphans too.
ours() {
    local found
    for found in /proc/[0-9]*; do
        if grep -qs -- "SLURM_CONF=$place/" "$found/environ" 2>/dev/null; then
            found=${found#/proc/}
            [ "$found" = $$ ] || [ "$found" = "$BASHPID" ] || echo "$found"
        fi
    done
}

clean_up() {
    local code=$? signal
    trap - EXIT
    if [ $code != 0 ]; then
        echo "--- failed; the last lines of the logs:" >&2
        tail -n 15 "$place"/*.log "$place"/results/logs/* >&2 2>/dev/null || true
    fi
    for signal in CONT TERM KILL; do
        for process in $(ours); do kill -$signal "$process" 2>/dev/null || true; done
        [ $signal = CONT ] || sleep 0.5
    done
    rm -rf -- "$place"
    exit $code
}
trap clean_up EXIT
trap 'exit 130' INT TERM

say() { printf '%3d s  %s\n' "$SECONDS" "$*"; }

# Waits until a command succeeds: until SECONDS-TO-WAIT WHAT COMMAND…
until_true() {
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        if [ $SECONDS -ge $end ]; then
            echo "waited in vain for $what" >&2
            squeue 2>/dev/null >&2 || true
            exit 1
        fi
        sleep 0.1
    done
}

# --- the cluster ----------------------------------------------------------------------------------
port=$((20000 + $$ % 1000 * 10))
mkdir -p "$place"/{state,spool,munge}
chmod 700 "$place/munge"
dd if=/dev/urandom of="$place/munge/key" bs=128 count=1 status=none
chmod 400 "$place/munge/key"
cat > "$SLURM_CONF" <<CONF
ClusterName=loopback
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge.socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool/%n
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd-%n.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1
SlurmdParameters=config_overrides
SlurmdTimeout=10
InactiveLimit=0
JobRequeue=1
ReturnToService=1
MpiDefault=none
CONF
for node in 0 1 2; do
    echo "NodeName=node$node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1 + node)) CPUs=1 State=UNKNOWN"
done >> "$SLURM_CONF"
echo "PartitionName=all Nodes=node[0-2] Default=YES MaxTime=10 State=UP" >> "$SLURM_CONF"

munged --force --foreground --key-file="$place/munge/key" --socket="$place/munge.socket" \
    --pid-file="$place/munge/pid" --log-file="$place/munged.log" --seed-file="$place/munge/seed" \
    2>> "$place/munged.log" &
disown
until_true 10 "munge" test -S "$place/munge.socket"
slurmctld -D > /dev/null 2>> "$place/slurmctld.out.log" &
disown
declare -a daemon
for node in 0 1 2; do
    slurmd -D -N node$node > /dev/null 2>> "$place/slurmd.out.log" &
    daemon[node]=$!
    disown
done
all_idle() { [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 3 ]; }
until_true 30 "three idle nodes" all_idle
say "a controller and three nodes are up"

# --- one process, to compare with -----------------------------------------------------------------
"$program" sweep "$here/spec.toml" -o "$place/alone" --progress none -q > /dev/null
say "the sweep in one process is done"

# --- the array ------------------------------------------------------------------------------------
# What the tasks run tells when each try of a task begins and ends.
cat > "$place/program" <<WRAPPER
#!/bin/bash
try="\${SLURM_ARRAY_TASK_ID:-merge} \${SLURM_RESTART_COUNT:-0}"
echo "begin \$try \$SLURMD_NODENAME" >> "$place/tries"
"$program" "\$@" &
echo \$! > "$place/process-\${try// /-}"
code=0
wait \$! || code=\$?
echo "end \$try \$code" >> "$place/tries"
exit \$code
WRAPPER
chmod +x "$place/program"
touch "$place/tries"
jobs=$(FAILOVER_BUDGET=$place/program "$repository/deploy/slurm/submit" \
    "$here/spec.toml" "$place/results" $shards --cpus-per-task=1)
array=$(awk '$1 == "array" { print $2 }' <<< "$jobs")
merge=$(awk '$1 == "merge" { print $2 }' <<< "$jobs")
say "array $array of $shards shards and merge $merge are submitted"

# --- a node fails ---------------------------------------------------------------------------------
# The task that runs on node1, once it has written a part.
victim=""
in_the_middle() {
    victim=$(awk '$1 == "begin" && $4 == "node1" { task = $2 } $1 == "end" && $2 == task { task = "" } END { print task }' "$place/tries")
    [ -n "$victim" ] && [ -s "$place/process-$victim-0" ] &&
        [ -n "$(find "$place/results/shard-$victim/parts" -name '*.part' -print -quit 2>/dev/null)" ]
}
until_true 60 "a task on node1 with a part" in_the_middle
orphan=$(cat "$place/process-$victim-0")
# Held until its successor writes too, whatever the speed of the machine.
kill -STOP "$orphan"
kill -KILL "${daemon[1]}"
if grep -q "^end $victim 0 " "$place/tries"; then
    echo "the task had ended before its node failed; make tests/cluster/spec.toml longer" >&2
    exit 1
fi
before=$(find "$place/results/shard-$victim/parts" -name '*.part' | wc -l)
say "node1 is dead; task $victim had $before parts, and its process $orphan is an orphan"

requeued() { [ "$(squeue -h -j "${array}_$victim" -o %t 2>/dev/null)" = PD ]; }
until_true 60 "task $victim to be queued again" requeued
say "task $victim is queued again"
scontrol update "job=${array}_$victim" StartTime=now
begun_again() { grep -q "^begin $victim [1-9]" "$place/tries"; }
until_true 60 "task $victim to begin again" begun_again
kill -0 "$orphan"
kill -CONT "$orphan"
say "task $victim has begun again, and the orphan goes on writing"

# --- the end --------------------------------------------------------------------------------------
merged() { grep -q '^end merge ' "$place/tries"; }
until_true 120 "the merge" merged
orphan_ended() { grep -q "^end $victim 0 " "$place/tries"; }
until_true 60 "the orphan's end" orphan_ended
say "the merge is done; the tries were:"
cat "$place/tries"
if grep '^end' "$place/tries" | grep -v ' 0$'; then
    echo "a try failed" >&2
    exit 1
fi
[ "$(grep -c "^begin $victim " "$place/tries")" = 2 ]
after=$(find "$place/results/shard-$victim/parts" -name '*.part' | wc -l)
if [ "$before" -ge "$after" ]; then
    echo "the orphan had nothing left to write: $before of $after parts; make the spec longer" >&2
    exit 1
fi
diff -r --exclude=.lock "$place/alone" "$place/results/whole"
say "the merged results are those of one process, byte by byte: $(ls "$place/alone" | xargs)"
