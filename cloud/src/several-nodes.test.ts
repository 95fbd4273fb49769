/** Two processes on one database that do not know of each other: one of them has to report it. */
import { Scope, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { TestCloud } from "./app.fixture.ts";
import { BusMedium, type MemoryBus } from "./bus/memory-bus.fixture.ts";
import { warnOfOthers } from "./several-nodes.ts";

const node = (id: string) => ({ id, lease_until: 0, started_at: 0 });

test("a lone process logs that another uses its database, and ignores one that has died", async () => {
  const clock = new VirtualClock();
  await using scope = new Scope();
  const logged: unknown[] = [];
  const tunnels = { nodeId: "me", livingNodes: [node("me"), node("dead")] };
  warnOfOthers({ clock, log: { ...silentLog, error: (what: unknown) => logged.push(what) } }, tunnels, scope);
  await clock.advance(30_000);
  tunnels.livingNodes = [node("me"), node("other")];
  await clock.advance(30_000);
  expect(logged).toEqual([]);
  await clock.advance(30_000);
  expect(logged).toEqual([{ others: ["other"] }]);
});

test("a node that does not reach the others stays ready, and reports the reason", async () => {
  let bus: MemoryBus | undefined;
  await using cloud = await TestCloud.start({}, undefined, undefined, (clock) => {
    bus = new BusMedium(clock).join();
    bus.line = false;
    return bus;
  });
  const ready = () => cloud.call("GET", "/readyz");
  expect((await ready()).body).toEqual({ status: "ready" });
  await cloud.clock.advance(1_000);
  expect(await ready()).toMatchObject({
    status: 200,
    body: { status: "ready", warning: "This node cannot reach the other nodes: NATS does not answer." },
  });
  if (bus) bus.line = true;
  expect((await ready()).body).toEqual({ status: "ready" });
});
