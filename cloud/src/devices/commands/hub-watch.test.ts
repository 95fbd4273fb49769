/** A command that another node has stored without an end, after its hub came to this one, is asked about here. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { Home, obey } from "../devices.fixture.ts";
import { addCommand } from "./command-store.ts";
import { HubWatch } from "./hub-watch.ts";

let home: Home;
let watch: HubWatch;
beforeEach(async () => {
  home = await Home.open();
  const { store, clock, log, tunnels } = home.testNode;
  const recover = (clientId: string) => {
    const tunnel = tunnels.registry.live(clientId);
    if (tunnel) home.memory.hubEvents.recover(tunnel);
  };
  watch = HubWatch.ofOverdue({ store, clock, log, nodeId: () => tunnels.nodeId }, recover);
});
afterEach(async () => {
  await watch[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

/** Stored as a node does that has sent it, and whose connection to the hub has broken. */
async function sentElsewhere() {
  const hub = await home.lampHub();
  hub.answers.command = obey(1) as never;
  const { commandId } = await home.set(120);
  const known = await home.command(commandId);
  if (!known) throw new Error("it is not stored");
  const id = home.testNode.ids.next("cmd");
  const row = { ...known, id, state: "sent", outcome: "unknown", completed_at: null };
  await home.testNode.store.write(row.ecosystem_id, (tx) => addCommand(tx, row));
  return { hub, id };
}

it("and ends as the hub says, once its time is over", async () => {
  const { hub, id } = await sentElsewhere();
  const failure = { name: "Hub Timeout", detail: "the time was over" };
  hub.answers.command = obey(0, { outcome: "not_applied", value: undefined, failure }) as never;
  const before = hub.asked.length;
  await home.testNode.clock.advance(10_000);
  await home.settle();
  expect(hub.asked.slice(before)).toEqual([]);
  await home.testNode.clock.advance(10_000);
  await home.settle();
  expect(hub.asked.slice(before).map(({ method }) => method)).toEqual(["command"]);
  expect(await home.command(id)).toMatchObject({ state: "failed", outcome: "not_applied" });
  expect((await home.events("command.completed")).map((command) => command.id)).toEqual([id]);
});
