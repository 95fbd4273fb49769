#!/bin/sh
# Boots a copy of this machine, with systemd, in namespaces of its own: what is installed there is gone when it ends, and nothing of
# it was ever outside. The network is this machine's, and so are the serial lines.
#   unshare --mount --propagation private sh machine.sh FOLDER
set -eu
folder=$1

if [ "${2-}" != inside ]; then
	# The cgroups of the machine must be its own, and end with it.
	mkdir "$folder/cgroup"
	mount -t cgroup2 cgroup2 "$folder/cgroup"
	home="$folder/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)"
	own="$folder/cgroup/porchlight-test-$$"
	mkdir "$own"
	echo $$ >"$own/cgroup.procs"
	# Its end is our end: a signal that stops us stops all of it.
	setpriv --pdeathsig KILL unshare --mount --propagation private --pid --uts --ipc --cgroup --fork --kill-child sh "$0" "$folder" inside || true
	echo $$ >"$home/cgroup.procs"
	find "$own" -depth -type d -exec rmdir {} \;
	exit
fi

root="$folder/root"
mkdir "$folder/disk" "$root"
mount -t tmpfs tmpfs "$folder/disk"
mkdir "$folder/disk/upper" "$folder/disk/work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/disk/upper,workdir=$folder/disk/work" "$root"

mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for each in dev run tmp; do mount -t tmpfs tmpfs "$root/$each"; done
chmod 1777 "$root/tmp"
for each in null zero full random urandom tty; do
	touch "$root/dev/$each"
	mount --bind "/dev/$each" "$root/dev/$each"
done
mkdir "$root/dev/pts" "$root/dev/shm"
# What PrivateDevices copies has a terminal multiplexer in it.
ln -s pts/ptmx "$root/dev/ptmx"
mount --rbind /dev/pts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"

# A bare machine: no Node.js, no service, no packages of ours, and nothing that a boot would do to the network.
rm -f "$root/usr/bin/node" "$root/usr/local/bin/node" "$root/usr/sbin/policy-rc.d"
find "$root/etc/systemd/system" "$root/lib/systemd/system" -path '*.wants/*' -delete
# What Debian keeps of manual pages for looking them up is not ours, and takes ten seconds of a processor.
rm -f "$root/var/lib/man-db/auto-update"
: >"$root/etc/fstab"

# The kernel lets no process in a chroot make a user namespace, as the agent does for drivers of packages.
cd "$root"
pivot_root . mnt
umount --lazy /mnt
exec env -i PATH=/usr/sbin:/usr/bin container=porchlight-test \
	/lib/systemd/systemd --unit=multi-user.target --log-target=null --show-status=no
