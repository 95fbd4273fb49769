#!/bin/sh
# Before the bridge starts, as root: where the hub's API at home is, and a token for it, which only the bridge can read. A token that
# the hub has refused (it has another owner, or the token was revoked) was put aside by the bridge: then there is another.
set -eu

folder=/var/lib/porchlight-matter-bridge
umask 0077
# The unit sets them for the bridge; the agent reads the same names.
unset PORCHLIGHT_DATA PORCHLIGHT_CONFIG

keep() {
	printf '%s\n' "$2" >"$folder/$1.new"
	chown porchlight-matter:porchlight-matter "$folder/$1.new"
	mv "$folder/$1.new" "$folder/$1"
}

status=$(porchlight-agent status --json) || true
url=$(printf '%s' "$status" | sed -n 's/.*"localApi":{"url":"\([^"]*\)".*/\1/p')
if [ -z "$url" ]; then
	case "$status" in
	*'"edgeId"'*) echo "the hub serves no API at home: set apiPort in /etc/porchlight/agent.yaml, such as 'apiPort: 8090', and restart porchlight-agent" ;;
	*) echo "porchlight-agent does not run" ;;
	esac >&2
	exit 1
fi
keep hub "$url"
if [ ! -s "$folder/token" ]; then
	token=$(porchlight-agent token create --name "Matter bridge" 2>/dev/null)
	keep token "$token"
fi
