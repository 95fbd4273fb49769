/** Two processes on one database that do not know of each other: somebody has to say so. */
import { Scope, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { expect, test } from "vitest";
import { warnOfOthers } from "./several-nodes.ts";

const node = (id: string) => ({ id, lease_until: 0, started_at: 0 });

test("a lone process says that another uses its database, and says nothing of one that has died", async () => {
  const clock = new VirtualClock();
  await using scope = new Scope();
  const said: unknown[] = [];
  const tunnels = { nodeId: "me", livingNodes: [node("me"), node("dead")] };
  warnOfOthers({ clock, log: { ...silentLog, error: (what: unknown) => said.push(what) } }, tunnels, scope);
  await clock.advance(30_000);
  tunnels.livingNodes = [node("me"), node("other")];
  await clock.advance(30_000);
  expect(said).toEqual([]);
  await clock.advance(30_000);
  expect(said).toEqual([{ others: ["other"] }]);
});
