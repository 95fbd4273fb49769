/** What the benchmarks start: the product's cloud and hub, or the bare ones, each in a process of its own. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../parts/program.ts";
import { type Furnished, furnish } from "./furnish.ts";
import { INSPECTED } from "./profile/session.ts";

/** Ticks of processor time a second (Linux, USER_HZ). */
const TICKS = 100;

/** Processor time that a process has used so far, seconds. */
export function processorSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** What a start leaves behind is collected by then, and then it is watched, ms. */
const SETTLE_MS = 30_000;
const WATCH_MS = 60_000;

export interface Idle {
  readonly residentBytes: number;
  /** Of them, those that are no pages of a file: what cannot be dropped and read again. */
  readonly privateBytes: number;
  /** Of one core. */
  readonly processor: number;
}

/** What a process takes that has nothing to do. */
export async function idle(pid: number): Promise<Idle> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const [began, used] = [performance.now(), processorSeconds(pid)];
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  const processor = (processorSeconds(pid) - used) / ((performance.now() - began) / 1000);
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const bytes = (name: string) => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]);
  return { residentBytes: bytes("VmRSS"), privateBytes: bytes("RssAnon"), processor };
}

/** Processor time that those of its children have used that have ended, seconds. */
export function endedChildrenSeconds(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/** What the kernel says of a process, from its state on (proc(5)). */
function statOf(pid: number): readonly string[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
}

const listening = (line: string) => /^listening on (http\S+)$/.exec(line)?.[1];
const ready = (line: string) => (line === "ready" ? true : undefined);

export interface Pair extends AsyncDisposable {
  readonly url: string;
  readonly cloud: Program;
  readonly hub: Program;
}

/** The bare relay. @param commits how many group-committed rows stand in a row on each side */
export async function startBare(commits: { cloud: number; hub: number }): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bare-"));
  const cloud = new Program("bare cloud", "test/bench/bare/cloud.ts", [
    join(folder, "cloud.db"),
    String(commits.cloud),
  ]);
  const url = await cloud.line(listening);
  const hub = new Program("bare hub", "test/bench/bare/hub.ts", [
    url.replace("http", "ws"),
    join(folder, "hub.db"),
    String(commits.hub),
  ]);
  await hub.line(ready);
  return { url, cloud, hub, [Symbol.asyncDispose]: () => end([hub, cloud], folder) };
}

export interface Product extends AsyncDisposable, Furnished {
  readonly url: string;
  readonly folder: string;
  readonly cloud: Program;
  /** Starts the cloud again, on its data and port, after it was killed. */
  restartCloud(): Promise<void>;
}

/**
 * The product: a cloud, and hubs whose devices, with `LightColor` each, are in memory.
 * @param settings of the cloud, by flag: SQLite in its folder and no limits of rates when left out; undefined is the product's own default
 */
export async function startProduct(
  hubs: number,
  devicesPerHub: number,
  settings: Readonly<Record<string, string | undefined>> = {},
): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
  const serve = (port: string) => {
    const options = { port, data: join(folder, "cloud"), "rate-limit": "off", ...settings };
    const args = Object.entries(options).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, value]));
    return new Program("cloud", "cloud/src/main.ts", ["serve", ...args], INSPECTED);
  };
  let cloud = serve("0");
  const url = await cloud.line(listening);
  const home = await furnish({ url, folder, hubs, devicesPerHub });
  return {
    ...home,
    url,
    folder,
    get cloud() {
      return cloud;
    },
    async restartCloud() {
      cloud = serve(new URL(url).port);
      await cloud.line(listening);
    },
    async [Symbol.asyncDispose]() {
      await home[Symbol.asyncDispose]();
      await end([cloud], folder);
    },
  };
}

async function end(programs: readonly Program[], folder: string): Promise<void> {
  for (const program of programs) await program[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
