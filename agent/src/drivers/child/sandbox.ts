/**
 * The sandbox of a child: Node.js denies it files and programs, and the kernel hides, by namespaces, everything else of the agent:
 * sockets, processes, its data folder (ADR 31). It uses programs of util-linux, which every Debian has.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { ChildProgram } from "./child-program.ts";

export interface SandboxView {
  /** Files and folders that it sees in addition to the system's programs and libraries. */
  readonly reads: readonly string[];
  readonly mayOpenDevices: boolean;
  /** Without this it has no network, and no abstract sockets. */
  readonly mayUseNetwork: boolean;
}

/** One of these is covered by an empty folder; it must hold nothing that the child has to see. */
const PLACES = ["/mnt", "/media", "/srv", "/opt", "/var/tmp", "/home", "/tmp"];
const UNSHARE = "/usr/bin/unshare";
const SETPRIV = "/usr/bin/setpriv";

/**
 * Mounts a new root over a folder, binds the child's files into it, read-only, and runs the child as its only process tree, without
 * capabilities. It has no /proc and no /run, and nothing of the old root stays mounted.
 */
const ENTER = `
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
base=$1 devices=$2
shift 2
mount -n -t tmpfs -o mode=0755,nosuid,nodev,size=1m porchlight "$base"
see() {
  if [ ! -e "$1" ] || [ -e "$base$1" ]; then return 0; fi
  if [ -d "$1" ]; then mkdir -p "$base$1"; else mkdir -p "$base\${1%/*}"; : > "$base$1"; fi
  mount -n --rbind "$1" "$base$1"
  mount -n -o "remount,bind,$(findmnt -n -o VFS-OPTIONS --target "$base$1"),ro" "$base$1" 2>/dev/null || :
}
for each in /usr /etc; do see "$each"; done
for each in /bin /sbin /lib /lib32 /lib64; do
  if [ -L "$each" ]; then cp -P "$each" "$base$each"; else see "$each"; fi
done
for each in /etc/porchlight /etc/porchlight-agent; do
  if [ -d "$base$each" ]; then mount -n -t tmpfs -o mode=0755,size=4k porchlight "$base$each"; fi
done
see "$(readlink -f /etc/resolv.conf || echo /etc/resolv.conf)"
while [ "$1" != -- ]; do see "$1"; shift; done
shift
mkdir -p "$base/dev" "$base/tmp"
if [ "$devices" = yes ]; then
  mount -n --rbind /dev "$base/dev"
  if [ -d "$base/dev/shm" ]; then mount -n -t tmpfs -o mode=0755,size=4k porchlight "$base/dev/shm"; fi
else
  for each in null zero full random urandom; do
    : > "$base/dev/$each"
    mount -n --bind "/dev/$each" "$base/dev/$each"
  done
fi
mkdir "$base/proc" "$base/old"
mount -n --rbind /proc "$base/proc"
cd "$base"
pivot_root . old
cd /
umount -n -l /old
umount -n -l /proc
rmdir /old /proc
mount -n -o remount,ro / 2>/dev/null || :
exec ${SETPRIV} --bounding-set=-all --no-new-privs -- "$@"
`;

/** The command that runs a program in its sandbox and ends it with its parent. */
export function sandboxed(
  { command, args }: Pick<ChildProgram, "command" | "args">,
  view: SandboxView,
): [string, string[]] {
  const { mayOpenDevices, mayUseNetwork } = view;
  const reads = [...view.reads, command];
  const base = PLACES.find((place) => existsSync(place) && !reads.some((path) => isWithin(path, place)));
  const namespaces = ["--user", "--map-root-user", "--mount", "--ipc", "--pid", ...(mayUseNetwork ? [] : ["--net"])];
  const enter = ["/bin/sh", "-c", ENTER, "sandbox", base ?? "", mayOpenDevices ? "yes" : "no", ...reads, "--"];
  return [
    SETPRIV,
    [
      ...["--pdeathsig", "KILL", "--", UNSHARE, ...namespaces, "--fork", "--kill-child=KILL", "--"],
      ...[...enter, command, ...args],
    ],
  ];
}

/** The reason why this system cannot sandbox a child; undefined when it can. Never rejects. */
export function sandboxProblem(program: ChildProgram, view: SandboxView): Promise<string | undefined> {
  const [command, args] = sandboxed(
    { command: "/bin/true", args: [] },
    { ...view, reads: [...view.reads, program.command] },
  );
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: "/", env: {}, stdio: ["ignore", "ignore", "pipe"], timeout: 10_000 });
    let tail = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      tail = `${tail}${text}`.slice(-400);
    });
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (code) => resolve(code === 0 ? undefined : tail.trim().split("\n").at(-1) || `status ${code}`));
  });
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
