#!/bin/sh
# Makes the secrets that compose.yaml mounts, once: passwords of the database and of NATS, and the settings of the cloud with both in them.
#   make-secrets.sh NAME [FOLDER]
# NAME: the service's name in addresses, such as cloud.example. FOLDER: where to; `secrets` beside this script when left out.
set -eu
name=${1:?"usage: make-secrets.sh NAME [FOLDER], such as make-secrets.sh cloud.example"}
folder=${2:-$(dirname "$0")/secrets}

random() {
	head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'
}

if [ -e "$folder/cloud.yaml" ]; then
	echo "$folder has secrets already: a database keeps the password that it was made with." >&2
	exit 1
fi
# Others on this machine cannot enter the folder. The files can be read by all, for each container is another user.
mkdir -p "$folder"
chmod 700 "$folder"
umask 022
database=$(random)
nats=$(random)

printf '%s' "$database" >"$folder/postgres-password"
cat >"$folder/nats.conf" <<END
authorization { user: porchlight, password: "$nats" }
ping_interval: "2s"
ping_max: 2
END
cat >"$folder/cloud.yaml" <<END
publicUrl: https://$name
# The address of the proxy in compose.yaml.
trustedProxy: [172.30.79.2]
database: postgres://porchlight:$database@postgres/porchlight
nats: nats://porchlight:$nats@nats:4222
END
