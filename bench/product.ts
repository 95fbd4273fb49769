/** What benchmarks start: the cloud and hubs of the product with devices in memory, or the bare relay, each in a process of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "../test/parts/api.ts";
import { eventually } from "../test/parts/eventually.ts";
import { Program } from "../test/parts/program.ts";

export const listening = (line: string) => /^listening on (http\S+)$/.exec(line)?.[1];
export const ready = (line: string) => (line === "ready" ? true : undefined);

const PATIENCE_MS = 180_000;

export interface Account {
  readonly api: Api;
  readonly token: string;
  readonly environmentId: string;
  readonly ecosystemId: string;
}

/** Makes an account, and logs in. @param email of another account than the first */
export async function signUp(url: string, email = "bench@home.example"): Promise<Account> {
  const login = { email, password: "a-long-and-quiet-password" };
  const anonymous = new Api(url);
  const made = await anonymous.good<Omit<Account, "api" | "token">>("POST", "/api/accounts", login);
  const { token } = await anonymous.good<{ token: string }>("POST", "/api/accounts/login", login);
  return { ...made, api: anonymous.as(token), token };
}

/** Makes the client of a hub, and its token. */
export async function addClient({ api, environmentId }: Pick<Account, "api" | "environmentId">) {
  const { id } = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
  const { token } = await api.good<{ token: string }>("POST", `/api/clients/${id}/tokens`);
  return { id, token };
}

export interface Pair extends AsyncDisposable {
  readonly url: string;
  readonly cloud: Program;
  readonly hub: Program;
}

/** As many commits in a row as a PUT of the product has: the hub before and after the device, the cloud once for command, value and event. */
export const COMMITS = { cloud: 1, hub: 2 };

/** The bare relay. @param commits how many group-committed rows are in a row on each side */
export async function startBare(commits: { cloud: number; hub: number }): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-bare-"));
  const start = (side: "cloud" | "hub", ...words: string[]) =>
    new Program(`bare ${side}`, "bench/bare.ts", [side, join(folder, `${side}.db`), String(commits[side]), ...words]);
  const cloud = start("cloud");
  const url = await cloud.line(listening);
  const hub = start("hub", url.replace("http", "ws"));
  await hub.line(ready);
  return { url, cloud, hub, [Symbol.asyncDispose]: () => end([hub, cloud], folder) };
}

export interface Product extends AsyncDisposable, Account {
  readonly url: string;
  readonly folder: string;
  readonly cloud: Program;
  readonly hubs: readonly Program[];
  /** IDs of all devices, in the order of their edgeIds. */
  readonly devices: readonly string[];
  readonly headers: Record<string, string>;
  /** Starts the cloud again, on its data and port, after it was killed. */
  restartCloud(): Promise<void>;
}

/**
 * A cloud with an account, and hubs whose devices, with `LightColor` each, are in memory. Resolves when each device has a value.
 * @param settings of the cloud, by flag: SQLite in its folder and no rate limits when left out; undefined is the product's own default
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
    return new Program("cloud", "cloud/src/main.ts", ["serve", ...args]);
  };
  let cloud = serve("0");
  const url = await cloud.line(listening);
  const account = await signUp(url);
  const programs: Program[] = [];
  for (let hub = 1; hub <= hubs; hub++) {
    const file = join(folder, `token-${hub}`);
    writeFileSync(file, (await addClient(account)).token, { mode: 0o600 });
    const args = [url, file, join(folder, `hub-${hub}`), String(hub), String(devicesPerHub)];
    const program = new Program("hub", "bench/product-hub.ts", args);
    programs.push(program);
    await program.line(ready);
  }
  const all = () => devicesWithValues(account, hubs * devicesPerHub);
  const devices = await eventually("each device has a value", all, PATIENCE_MS);
  return {
    ...{ ...account, url, folder, hubs: programs, devices },
    headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json" },
    get cloud() {
      return cloud;
    },
    async restartCloud() {
      cloud = serve(new URL(url).port);
      await cloud.line(listening);
    },
    [Symbol.asyncDispose]: () => end([...programs, cloud], folder),
  };
}

/** Undefined until there are so many, each with a value. */
async function devicesWithValues({ api, environmentId }: Account, count: number): Promise<string[] | undefined> {
  interface Page {
    readonly items: readonly { readonly id: string; readonly edgeId: string }[];
    readonly continuationToken?: string;
  }
  let page = await api.good<Page>("GET", "/api/devices");
  const devices = [...page.items];
  while (page.continuationToken) {
    page = await api.good<Page>("GET", `/api/devices?continuationToken=${encodeURIComponent(page.continuationToken)}`);
    devices.push(...page.items);
  }
  if (devices.length < count) return undefined;
  const path = `/api/environments/${environmentId}/services/LightColor.hue`;
  const { items } = await api.good<{ items: unknown[] }>("GET", path);
  if (items.length < count) return undefined;
  return devices.sort((a, b) => (a.edgeId < b.edgeId ? -1 : 1)).map(({ id }) => id);
}

async function end(programs: readonly Program[], folder: string): Promise<void> {
  for (const program of programs) await program[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}
