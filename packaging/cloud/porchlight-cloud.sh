#!/bin/sh
# The commands of the cloud on the service's own folder and settings. Root hands over to the service's user first: a file that root leaves
# in the folder is one that the service cannot write.
set -eu

program=/usr/lib/porchlight-cloud/porchlight-cloud
export PORCHLIGHT_DATA="${PORCHLIGHT_DATA:-/var/lib/porchlight-cloud}"
export PORCHLIGHT_CONFIG="${PORCHLIGHT_CONFIG:-/etc/porchlight-cloud/cloud.yaml}"

if [ "$(id -u)" = 0 ]; then
	cd /
	exec setpriv --reuid porchlight-cloud --regid porchlight-cloud --init-groups --inh-caps=-all -- "$program" "$@"
fi

case "${1-}" in
"" | help | -*) ;;
*)
	if [ ! -r "$PORCHLIGHT_CONFIG" ]; then
		echo "porchlight-cloud: you cannot read $PORCHLIGHT_CONFIG: use sudo" >&2
		exit 1
	fi
	;;
esac
exec "$program" "$@"
