/** Somebody's home in a cloud that nobody uses yet, for benchmarks: an account, hubs of the product in processes of their own, and their devices in memory. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";
import { INSPECTED } from "./profile/session.ts";

export interface FurnishOptions {
  /** Of the cloud; the hubs connect to it too. */
  readonly url: string;
  readonly folder: string;
  readonly hubs: number;
  readonly devicesPerHub: number;
}

/** Its hubs end with it. */
export interface Furnished extends AsyncDisposable {
  readonly api: Api;
  readonly hubs: readonly Program[];
  readonly environmentId: string;
  readonly ecosystemId: string;
  /** IDs of all devices, in the order of their edgeIds. */
  readonly devices: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

const ready = (line: string) => (line === "ready" ? true : undefined);
const PATIENCE_MS = 180_000;

/** Settles when each device, with `LightColor`, is known with a value. */
export async function furnish({ url, folder, ...counts }: FurnishOptions): Promise<Furnished> {
  const login = { email: "bench@home.example", password: "a-long-and-quiet-password" };
  const nobody = new Api(url);
  const account = await nobody.good<{ environmentId: string; ecosystemId: string }>("POST", "/api/accounts", login);
  const { token } = await nobody.good<{ token: string }>("POST", "/api/accounts/login", login);
  const api = nobody.as(token);
  await using stack = new AsyncDisposableStack();
  const hubs: Program[] = [];
  for (let hub = 1; hub <= counts.hubs; hub++) {
    const client = await api.good<{ id: string }>("POST", "/api/clients", { environmentId: account.environmentId });
    const made = await api.good<{ token: string }>("POST", `/api/clients/${client.id}/tokens`);
    const file = join(folder, `token-${hub}`);
    writeFileSync(file, made.token, { mode: 0o600 });
    const args = [url, file, join(folder, `hub-${hub}`), String(hub), String(counts.devicesPerHub)];
    const program = stack.use(new Program("hub", "test/bench/product/hub.ts", args, INSPECTED));
    await program.line(ready);
    hubs.push(program);
  }
  const count = counts.hubs * counts.devicesPerHub;
  const devices = await eventually(
    "all devices are there",
    () => found(api, account.environmentId, count),
    PATIENCE_MS,
  );
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const all = stack.move();
  return { ...account, api, hubs, devices, headers, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Undefined until there are so many, each with a value. */
async function found(api: Api, environmentId: string, count: number): Promise<string[] | undefined> {
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
