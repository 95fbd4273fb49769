/** The command line of a child: this very program with another argument, its environment emptied, and its rights on the machine. */
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isSea } from "node:sea";

export interface ChildProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Files and folders that it must read in addition to the driver's. */
  readonly reads: readonly string[];
}

export interface ChildRights {
  /** Folders that it may read. */
  readonly reads: readonly string[];
  /** Heap limit of JavaScript objects, MB. */
  readonly heapMb: number;
  /** Whether it may open files under /dev, such as serial lines. */
  readonly mayOpenDevices: boolean;
}

/** The argument with which this program runs a driver (`main.ts`). */
const DRIVER_COMMAND = "driver";
/** Part of util-linux: makes the system end a child together with its parent. */
const SETPRIV = "/usr/bin/setpriv";

/** This program; when it runs from its sources, the child must read those too. */
export function ownProgram(): ChildProgram {
  const [, script = ""] = process.argv;
  if (isSea()) return { command: process.execPath, args: [DRIVER_COMMAND], reads: [] };
  const root = join(dirname(realpathSync(script)), "..", "..");
  const modules = join(root, "node_modules");
  const reads = [root, ...(existsSync(modules) ? [realpathSync(modules)] : [])];
  return { command: process.execPath, args: [script, DRIVER_COMMAND], reads };
}

/** The environment of a child: the agent's time zone and language, and the restrictions of Node.js. */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  { reads, heapMb, mayOpenDevices }: ChildRights,
): Record<string, string> {
  const options = [
    "--permission",
    ...reads.map((path) => `--allow-fs-read=${path}`),
    ...(mayOpenDevices ? ["--allow-fs-read=/dev", "--allow-fs-write=/dev"] : []),
    `--max-old-space-size=${heapMb}`,
    // Collects young objects often: a driver has few of them. The default of Node.js makes a library of megabytes take a third more.
    "--max-semi-space-size=1",
  ];
  const kept = ["TZ", "LANG"].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), NODE_OPTIONS: options.map(quoted).join(" ") };
}

/** The command such that the system ends the child when the agent dies; unchanged where the system has no `setpriv`. */
export function endingWithParent({ command, args }: ChildProgram): [string, string[]] {
  const by = ["--pdeathsig", "KILL", "--"];
  const isThere = spawnSync(SETPRIV, [...by, "/bin/true"], { stdio: "ignore", timeout: 5000 }).status === 0;
  return isThere ? [SETPRIV, [...by, command, ...args]] : [command, [...args]];
}

/** Quotes an option for NODE_OPTIONS. */
function quoted(option: string): string {
  return /[\s"\\]/.test(option) ? `"${option.replace(/["\\]/g, "\\$&")}"` : option;
}
