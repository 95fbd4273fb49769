/** SIGKILL of one of three nodes under load: how soon its hubs are on the others, a PUT to one of them succeeds, and presence is the truth again. */
import { setTimeout as pause } from "node:timers/promises";
import { BusyHome, HUBS } from "./nodes/busy-home.ts";
import { print } from "./report.ts";

const NODES = 3;
const WATCHED_MS = 30_000;
const LOOK_MS = 100;

await using busy = await BusyHome.start({ nodes: NODES });
const { service, callers, home } = busy;
const victim = service.node(0);
const before = new Set(home.truth.connections);
const answered = callers.puts.length;
await service.kill(victim);
const killedAt = performance.now();

// What a kill breaks is broken at once: whose line is gone had its tunnel there.
await pause(200);
const orphans = new Set(home.hubs.filter(({ live }) => !live).map(({ clientId }) => clientId));
let untrueAt: number | undefined;
let shownOnline = 0;
while (performance.now() - killedAt < WATCHED_MS) {
  const isLive = () => new Map(home.hubs.map(({ clientId, live }) => [clientId, live]));
  const atFirst = isLive();
  const { items } = await home.api.good<{ items: { id: string; connection: { state: string } }[] }>(
    "GET",
    "/api/clients",
  );
  const asLast = isLive();
  // A hub that came or went while it was looked at is as either.
  const untrue = items.filter(({ id, connection }) => {
    const online = connection.state === "online";
    return atFirst.has(id) && atFirst.get(id) !== online && asLast.get(id) !== online;
  });
  if (untrue.length > 0) untrueAt = performance.now();
  if (untrue.some(({ connection }) => connection.state === "online")) shownOnline = performance.now() - killedAt;
  await pause(LOOK_MS);
}
const { lost, twice } = await busy.rest();

const seconds = (at: number | undefined) => (at === undefined ? 0 : (at - killedAt) / 1000);
const since = callers.puts.slice(answered);
const back = home.truth.connections.filter((connection) => !before.has(connection) && orphans.has(connection.hub));
const backAt = back.map(({ from }) => from).sort((one, other) => one - other);
const first = since
  .filter(({ device, sentAt, ms }) => orphans.has(device.hub.clientId) && sentAt + ms > killedAt)
  .map(({ sentAt, ms }) => sentAt + ms)
  .sort((one, other) => one - other);
const lastFirst = [...Map.groupBy(since, ({ device }) => device.hub.clientId)]
  .filter(([hub]) => orphans.has(hub))
  .map(([, puts]) => Math.min(...puts.map(({ sentAt, ms }) => sentAt + ms).filter((at) => at > killedAt)));
print(`one of ${NODES} nodes killed under load, s until all its hubs are back`, {
  measured: seconds(backAt.at(-1)),
  limit: Number.NaN,
  ratio: Number.NaN,
  goal: "",
  "its hubs": `${orphans.size} of ${HUBS}`,
  "half of them back, s": seconds(backAt[Math.floor(backAt.length / 2)]),
  "first PUT to one of them, s": seconds(first[0]),
  "a PUT to each called one, s": seconds(Math.max(...lastFirst)),
  "presence untrue at last, s": seconds(untrueAt),
  "gone hub shown online at last, s": shownOnline / 1000,
  errors: callers.failures,
  "longest PUT, ms": callers.longestPut,
  requests: callers.puts.length + callers.reads + callers.failed,
  lost,
  twice,
});
