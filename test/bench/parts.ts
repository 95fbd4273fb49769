/** What the benchmarks start: the product's cloud and hub, or the bare ones, each in a process of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";

/** Ticks of processor time a second (Linux, USER_HZ). */
const TICKS = 100;

/** Processor time that a process has used so far, seconds. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
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

export interface Product extends AsyncDisposable {
  readonly url: string;
  readonly folder: string;
  readonly cloud: Program;
  /** Starts the cloud again, on its data and port, after it was killed. */
  restartCloud(): Promise<void>;
  readonly hubs: readonly Program[];
  readonly api: Api;
  readonly environmentId: string;
  readonly ecosystemId: string;
  /** IDs of all devices, in the order of their edgeIds. */
  readonly devices: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The product: a cloud, and hubs whose devices, with `LightColor` each, are in memory.
 * @param database `postgres://…`; SQLite in the cloud's folder when left out
 */
export async function startProduct(hubs: number, devicesPerHub: number, database?: string): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bench-"));
  const serve = (port: string) =>
    new Program("cloud", "cloud/src/main.ts", [
      "serve",
      "--port",
      port,
      "--data",
      join(folder, "cloud"),
      "--rate-limit",
      "off",
      ...(database === undefined ? [] : ["--database", database]),
    ]);
  let cloud = serve("0");
  const url = await cloud.line(listening);
  const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
  const nobody = new Api(url);
  const account = await nobody.good<{ environmentId: string; ecosystemId: string }>("POST", "/api/accounts", login);
  const { token } = await nobody.good<{ token: string }>("POST", "/api/accounts/login", login);
  const api = nobody.as(token);
  const started: Program[] = [];
  for (let hub = 1; hub <= hubs; hub++) {
    const client = await api.good<{ id: string }>("POST", "/api/clients", { environmentId: account.environmentId });
    const made = await api.good<{ token: string }>("POST", `/api/clients/${client.id}/tokens`);
    const file = join(folder, `token-${hub}`);
    writeFileSync(file, made.token, { mode: 0o600 });
    const program = new Program("hub", "test/bench/product/hub.ts", [
      url,
      file,
      join(folder, `hub-${hub}`),
      String(hub),
      String(devicesPerHub),
    ]);
    await program.line(ready);
    started.push(program);
  }
  const devices = await eventually(
    "all devices are there",
    async () => {
      const found: { id: string; edgeId: string }[] = [];
      let page = await api.good<{ items: typeof found; continuationToken?: string }>("GET", "/api/devices");
      found.push(...page.items);
      while (page.continuationToken) {
        page = await api.good("GET", `/api/devices?continuationToken=${encodeURIComponent(page.continuationToken)}`);
        found.push(...page.items);
      }
      if (found.length < hubs * devicesPerHub) return undefined;
      const path = `/api/environments/${account.environmentId}/services/LightColor.hue`;
      const { items } = await api.good<{ items: unknown[] }>("GET", path);
      if (items.length < hubs * devicesPerHub) return undefined;
      return found.sort((a, b) => (a.edgeId < b.edgeId ? -1 : 1)).map((device) => device.id);
    },
    180_000,
  );
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    ...account,
    url,
    folder,
    get cloud() {
      return cloud;
    },
    async restartCloud() {
      cloud = serve(new URL(url).port);
      await cloud.line(listening);
    },
    hubs: started,
    api,
    devices,
    headers,
    [Symbol.asyncDispose]: () => end([...started, cloud], folder),
  };
}

async function end(programs: readonly Program[], folder: string): Promise<void> {
  for (const program of programs) await program[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
