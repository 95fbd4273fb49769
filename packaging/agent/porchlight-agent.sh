#!/bin/sh
# The agent of this hub: the program on the hub's own folder and settings. Root hands over to the agent's own user first, for a
# file that root leaves in the folder is one that the agent cannot read.
set -eu

program=/usr/lib/porchlight-agent/porchlight-agent
settings=/etc/porchlight/agent.yaml
export PORCHLIGHT_DATA="${PORCHLIGHT_DATA:-/var/lib/porchlight-agent}"
export PORCHLIGHT_CONFIG="${PORCHLIGHT_CONFIG:-$settings}"

if [ "$(id -u)" != 0 ]; then
	case "${1-}" in
	"" | help | -*) ;;
	*)
		if [ ! -x "$PORCHLIGHT_DATA" ]; then
			echo "porchlight-agent: $PORCHLIGHT_DATA is not yours to look into: use sudo" >&2
			exit 4
		fi
		;;
	esac
	exec "$program" "$@"
fi

as_agent() {
	setpriv --reuid porchlight --regid porchlight --init-groups --inh-caps=-all -- "$program" "$@"
}

# The cloud that `pair` is asked for is the one that the agent is to use from then on.
keep_cloud() {
	while [ $# -gt 0 ]; do
		case "$1" in
		--cloud) cloud="${2-}" ;;
		--cloud=*) cloud="${1#--cloud=}" ;;
		esac
		shift
	done
	case "${cloud-}" in
	http://* | https://*) ;;
	*) return 0 ;;
	esac
	if ! grep -q '^cloud:' "$settings"; then
		printf 'cloud: %s\n' "$(printf '%s' "$cloud" | tr -d '[:space:]')" >>"$settings"
	elif ! grep -qxF "cloud: $cloud" "$settings"; then
		echo "porchlight-agent: $settings names another cloud: change it there, and leave --cloud out" >&2
		exit 2
	fi
}

is_pairing() {
	[ "${1-}" = pair ] || return 1
	case " $* " in *" --help "* | *" -h "*) return 1 ;; esac
}

cd /
if is_pairing "$@"; then
	keep_cloud "$@"
	as_agent check-config >/dev/null
	# The service shows its code here, and goes on asking when no user looks any more.
	if [ -d /run/systemd/system ]; then systemctl start porchlight-agent.service; fi
fi
as_agent "$@"
