/**
 * A rolling restart of three nodes behind a balancer that takes turns: each new node is there before an old one gets SIGTERM.
 * The nodes are whole clouds in this process, over one PostgreSQL; the hubs keep their connections as the agent does.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { App } from "@porchlight/cloud/app.ts";
import { cloudSettings } from "@porchlight/cloud/config/settings.ts";
import { seededRandom, silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { LightHub } from "../cluster/hubs/light-hub.ts";
import type { Truth } from "../cluster/hubs/truth.ts";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { LoadBalancer } from "../parts/load-balancer.ts";
import { administer, freshDatabase } from "../parts/postgres.ts";

const HUBS = 12;
const OWNER = { email: "owner@rollout.example", password: "a-long-and-quiet-password" };

/** A node that listens. */
interface Node {
  readonly app: App;
  readonly port: number;
}

test("a rolling restart of all nodes is one reconnect for each hub, and no error for any client", async () => {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await freshDatabase("tables"));
  const folder = mkdtempSync(join(tmpdir(), "porchlight-rollout-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const start = async (): Promise<Node> => {
    const settings = cloudSettings.parse({
      ...{ data: folder, database: database.url, port: 0, rateLimit: "off", portal: "off", logLevel: "silent" },
      ...{ drainNoticeMs: 300, drainSpreadMs: 500 },
    });
    const app = stack.use(await App.start({ settings, clock: systemClock, random: systemRandom, log: silentLog }));
    return { app, port: Number(new URL(await app.listen()).port) };
  };

  const nodes: Node[] = [];
  for (let count = 0; count < 3; count++) nodes.push(await start());
  // They have run for an hour.
  await administer(database.url, "update nodes set started_at = started_at - 3600000");
  const balancer = stack.use(await LoadBalancer.start(() => nodes.map(({ port }) => port)));

  const anonymous = new Api(balancer.url);
  const { environmentId } = await anonymous.good<{ environmentId: string }>("POST", "/api/accounts", OWNER);
  const { token } = await anonymous.good<{ token: string }>("POST", "/api/accounts/login", { ...OWNER, console: true });
  const api = anonymous.as(token);
  const truth: Truth = { acts: [], reports: [], connections: [] };
  for (let number = 0; number < HUBS; number++) {
    const { id: clientId } = await api.good<{ id: string }>("POST", "/api/clients", { environmentId });
    const made = await api.good<{ token: string }>("POST", `/api/clients/${clientId}/tokens`);
    const who = { clock: systemClock, random: seededRandom(number), clientId, token: made.token, number, devices: 0 };
    stack.use(LightHub.start({ ...who, url: balancer.url, truth }));
  }
  const standing = () => truth.connections.filter(({ to }) => to === undefined).length;
  await eventually("every hub is there", async () => standing() === HUBS || undefined);

  const answers = new Map<string, number>();
  const count = (word: string) => answers.set(word, (answers.get(word) ?? 0) + 1);
  const rolling = new AbortController();
  const load = (async () => {
    while (!rolling.signal.aborted) {
      await api.call("GET", "/api/clients").then(
        ({ status }) => count(String(status)),
        (error: unknown) => count(String(error instanceof Error ? (error.cause ?? error) : error)),
      );
      await pause(5);
    }
  })();

  for (const old of [...nodes]) {
    nodes.push(await start());
    await eventually(
      "the others have seen it",
      async () => nodes.every(({ app }) => app.otherNodes === nodes.length - 1) || undefined,
    );
    await old.app.drain();
    await old.app[Symbol.asyncDispose]();
    nodes.splice(nodes.indexOf(old), 1);
    await eventually("the hubs are back", async () => standing() === HUBS || undefined);
  }
  rolling.abort();
  await load;

  const perHub = Object.values(Object.groupBy(truth.connections, ({ hub }) => hub)).map((each) => each?.length);
  console.log(`rolling restart: connections a hub ${perHub.join(" ")}; answers ${JSON.stringify([...answers])}`);
  expect(perHub).toEqual(Array.from({ length: HUBS }, () => 2));
  expect([...answers.keys()]).toEqual(["200"]);
});
