#!/bin/bash
# A real S3 for the tests that the fake cannot answer: Ceph's gateway with one monitor and one OSD in memory, on loopback.
# As root on Debian 12, from Debian's packages. `scripts/s3-server.sh start` prints the value of TINTYPE_TEST_S3, and
# `scripts/s3-server.sh stop` ends it by process id. Everything it keeps lies below S3_DIR.
set -euo pipefail
S3_DIR=${S3_DIR:-$(dirname "$(mktemp -u)")/tintype-s3}
S3_PORT=${S3_PORT:-4200}            # the gateway
MON_PORT=${MON_PORT:-4201}          # the monitor
OSD_PORTS=${OSD_PORTS:-4202-4219}   # the OSD takes four of these
S3_DAY_SECONDS=${S3_DAY_SECONDS:-}  # a rule of expiry counts a day as so many seconds
key=tintype-access
secret=tintype-secret-0123456789abcdef
bucket=tintype
conf=(--conf "$S3_DIR/ceph.conf")

stop() {
  [ -e "$S3_DIR/pids" ] || return 0
  tac "$S3_DIR/pids" | while read -r pid; do
    # The id may belong to another process by now: only one with our folder in its command line is ours.
    { tr '\0' ' ' <"/proc/$pid/cmdline"; } 2>/dev/null | grep -qF "$S3_DIR" || continue
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || continue 2; sleep 0.1; done
    kill -9 "$pid" 2>/dev/null || true
  done
  rm -rf "$S3_DIR"
}

install_packages() {
  local need=()
  for pair in radosgw:radosgw ceph-mon:ceph-mon ceph-osd:ceph-osd ceph:ceph-common curl:curl; do
    command -v "${pair%%:*}" >/dev/null || need+=("${pair##*:}")
  done
  ((${#need[@]})) || return 0
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >&2
  apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-unsafe-io "${need[@]}" >&2
}

write_configuration() {
  cat >"$S3_DIR/ceph.conf" <<CONF
[global]
fsid = $1
mon_initial_members = a
mon_host = v2:127.0.0.1:$MON_PORT
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr1 = false
ms_bind_port_min = ${OSD_PORTS%-*}
ms_bind_port_max = ${OSD_PORTS#*-}
keyring = $S3_DIR/keyring
auth_allow_insecure_global_id_reclaim = false
run_dir = $S3_DIR/run
admin_socket =
log_to_file = false
log_to_stderr = true
err_to_stderr = true
mon_cluster_log_to_file = false
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_max_pg_per_osd = 2000
mon_data_avail_crit = 1
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
[mon]
mon_data = $S3_DIR/mon
[osd]
osd_data = $S3_DIR/osd
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_memory_target = 1073741824
[client.rgw]
rgw_data = $S3_DIR/run
rgw_frontends = beast endpoint=127.0.0.1:$S3_PORT
rgw_thread_pool_size = 64
rgw_enable_apis = s3
${S3_DAY_SECONDS:+rgw_lc_debug_interval = $S3_DAY_SECONDS}
CONF
}

# In a session of its own: Ctrl-C of the caller does not end it.
run() { setsid "${@:2}" </dev/null >"$S3_DIR/$1.log" 2>&1 & echo "$!" >>"$S3_DIR/pids"; }

wait_for() {
  for _ in $(seq 150); do if "${@:2}" >/dev/null 2>&1; then return; fi; sleep 0.2; done
  echo "no $1 within 30 s:" >&2
  tail -20 "$S3_DIR/$1.log" >&2
  exit 1
}
ceph_says() { timeout 30 ceph "${conf[@]}" --connect-timeout 2 "$@"; }
osd_is_up() { ceph_says osd stat | grep -q '1 up'; }

start() {
  install_packages
  [ ! -e "$S3_DIR/pids" ] || { echo "it runs already, or was not stopped: $S3_DIR" >&2; exit 1; }
  rm -rf "$S3_DIR"
  mkdir -p "$S3_DIR"/{mon,osd,run}
  chmod 700 "$S3_DIR"
  local fsid uuid
  fsid=$(cat /proc/sys/kernel/random/uuid)
  uuid=$(cat /proc/sys/kernel/random/uuid)
  write_configuration "$fsid"
  ceph-authtool --create-keyring "$S3_DIR/keyring" --gen-key -n mon. --cap mon 'allow *' >&2
  for name in client.admin client.rgw; do
    ceph-authtool "$S3_DIR/keyring" --gen-key -n "$name" --cap mon 'allow *' --cap osd 'allow *'
  done
  ceph-authtool "$S3_DIR/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
  monmaptool --create --clobber --fsid "$fsid" --addv a "[v2:127.0.0.1:$MON_PORT]" "$S3_DIR/monmap" >&2
  ceph-mon "${conf[@]}" --mkfs -i a --monmap "$S3_DIR/monmap" --keyring "$S3_DIR/keyring" >&2
  run mon ceph-mon "${conf[@]}" -f -i a
  wait_for mon ceph_says mon stat
  ceph_says osd new "$uuid" 0 >&2
  ceph-osd "${conf[@]}" -i 0 --mkfs --osd-uuid "$uuid" >&2
  run osd ceph-osd "${conf[@]}" -f -i 0
  wait_for osd osd_is_up
  radosgw-admin "${conf[@]}" -n client.rgw user create --uid=tintype --display-name=tintype \
    --access-key="$key" --secret-key="$secret" >/dev/null
  run rgw radosgw "${conf[@]}" -f -n client.rgw
  wait_for rgw curl -fs "http://127.0.0.1:$S3_PORT/"
  # The hash is that of no bytes: the request has no body.
  curl -fsS -o /dev/null --aws-sigv4 aws:amz:us-east-1:s3 --user "$key:$secret" -X PUT \
    -H "x-amz-content-sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" \
    "http://127.0.0.1:$S3_PORT/$bucket"
  echo "TINTYPE_TEST_S3=http://$key:$secret@127.0.0.1:$S3_PORT/$bucket"
}

case "${1:-}" in
  start) start ;;
  stop) stop ;;
  *) echo "usage: scripts/s3-server.sh start|stop" >&2; exit 2 ;;
esac
