/** A write with an idempotency key, which is stored before it is sent: what is reported of it when the store refuses, or when its hub comes and goes meanwhile. */
import { NamedError } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../store/index.ts";
import { CommitInDoubt, StoreAway } from "../../store/sql/refusal.ts";
import { ScriptedHub } from "../../tunnels/tunnels.fixture.ts";
import { Home, LAMP, obey, value } from "../devices.fixture.ts";
import { doubtNext } from "../doubting-store.fixture.ts";
import type { HubView } from "../hub-view.ts";
import { setProperty } from "../properties/set-property.ts";
import { type CommandKeeper, whatBecameOf } from "./command-result.ts";

let home: Home;
/** What is left to be stored later. */
let kept: (() => Promise<unknown>)[];
beforeEach(async () => {
  kept = [];
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

const KEEPER: CommandKeeper = { earlierCommand: () => undefined, keepCommand: async () => undefined };

/** @param meanwhile what happens after the command is stored, before its caller's attempt looks for the hub */
async function set(meanwhile: () => Promise<void>, store: Store = home.testNode.store): Promise<NamedError> {
  const { testNode, memory } = home;
  const { clock, ids, log } = testNode;
  let happens: (() => Promise<void>) | undefined = meanwhile;
  const gate = () => {
    const first = happens;
    happens = undefined;
    return first?.();
  };
  const hubs: HubView = { live: () => undefined, connection: (hub) => testNode.tunnels.presence.connection(hub) };
  const deps = {
    ...{ store, clock, ids, log, recover: () => undefined },
    unstored: { keep: (_id: string, work: () => Promise<unknown>) => kept.push(work) > 0 },
    ...{ cache: memory.cache, deadlines: memory.deadlines, storedResults: memory.storedResults },
    queue: Object.assign(Object.create(memory.queue), { gate }),
    hubs,
  };
  const place = { ...(await home.scope()), selector: "LightColor.hue", tokenId: "tok_1" };
  const setting = setProperty(deps, { ...place, value: 120, waitMs: 10_000, keeper: KEEPER });
  return setting.then(
    () => {
      throw new Error("it was not refused");
    },
    (error: unknown) => {
      if (error instanceof NamedError) return error;
      throw error;
    },
  );
}

/** The hub comes back, is asked for the command, and is gone again. */
async function backAndGone(): Promise<void> {
  const back = ScriptedHub.dial(home.testNode, home.client, { key: home.key });
  back.answers.command = () => {
    back.cut();
    return new Promise(() => undefined);
  };
  await back.greet();
  await home.settle();
  expect(back.asked.map(({ method }) => method)).toContain("command");
}

const commandOf = (error: NamedError) => home.command(error.headers?.["x-command-id"] ?? "");

describe("a write whose hub is away", () => {
  beforeEach(async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
  });

  it("was not sent, when no hub came", async () => {
    const refused = await set(() => home.settle());
    expect(refused).toMatchObject({ name: "Hub Offline", outcome: "not_sent" });
    expect(await commandOf(refused)).toMatchObject({ state: "failed", outcome: "not_sent" });
    const { id = "" } = (await commandOf(refused)) ?? {};
    expect(await home.events("command.unconfirmed")).toMatchObject([{ id, outcome: "not_sent", tokenId: "tok_1" }]);
  });

  it("is not reported as unsent when the hub came back, was asked for it, and was gone again; its record settles it", async () => {
    const refused = await set(backAndGone);
    expect(refused).toMatchObject({ name: "Hub Timeout", outcome: "unknown" });
    const { id = "" } = (await commandOf(refused)) ?? {};
    const again = await home.lampHub();
    const params = { id, value: 120, device: "00-00-00-00-00-01", service: "LightColor", index: "0", property: "hue" };
    await home.records(again, obey(1)({ ...params, value: 120 as never }) as never);
    expect(await home.command(id)).toMatchObject({ state: "confirmed", outcome: "confirmed" });
  });

  it("that is repeated is answered with what was confirmed, although the property has another value by then", async () => {
    const refused = await set(backAndGone);
    const { id = "" } = (await commandOf(refused)) ?? {};
    const again = await home.lampHub();
    const params = { id, value: 120, device: LAMP, service: "LightColor", index: "0", property: "hue" };
    // The lamp knows whole steps only, and is set by hand afterwards.
    await home.records(again, obey(1, { value: 119 })({ ...params, value: 120 as never }) as never, value(2, 30));
    const scope = await home.scope();
    const device = (await home.memory.cache.get(scope.ecosystemId, scope.environmentId)).device(scope.deviceId);
    const property = device?.described.byKey.get("LightColor:0.hue");
    if (!property) throw new Error("the lamp has no hue");
    const became = await whatBecameOf(home.testNode.store, scope, property, id);
    expect(became).toMatchObject({ kind: "done", result: { commandId: id, item: { value: 119 } } });
    expect(await home.cached("LightColor.hue")).toEqual([30]);
  });
});

describe("a write that the store does not take", () => {
  const refusing = (error: Error): Store =>
    Object.create(home.testNode.store, { write: { value: () => Promise.reject(error) }, outage: { value: undefined } });
  beforeEach(async () => {
    await home.lampHub();
  });

  it("is rejected without an ID: no command has it", async () => {
    const refused = await set(() => home.settle(), refusing(new StoreAway(new Error("gone"))));
    expect(refused).toMatchObject({ name: "Service Unavailable", outcome: "not_sent" });
    expect(refused.headers?.["x-command-id"]).toBeUndefined();
  });

  it("is rejected with its ID when the store may have taken it, and is never sent", async () => {
    const refused = await set(() => home.settle(), refusing(new CommitInDoubt(new Error("gone"))));
    expect(refused).toMatchObject({ name: "Service Unavailable", outcome: "not_sent" });
    expect(refused.headers?.["x-command-id"]).toMatch(/^cmd_/);
    expect(home.memory.deadlines.get(refused.headers?.["x-command-id"] ?? "", 0)).toBeUndefined();
  });

  it.for([
    [false, { state: "failed", outcome: "not_sent" }],
    [true, { state: "sent", outcome: null }],
  ] as const)("is found by its ID once the store answers (it had taken it: %s)", async ([hadTaken, found]) => {
    const refused = await set(() => home.settle(), doubtNext(home.testNode.store, hadTaken));
    expect(kept).toHaveLength(1);
    await kept[0]?.();
    expect(await commandOf(refused)).toMatchObject(found);
    const outcomes = (await home.events("command.unconfirmed")).map((command) => command.outcome);
    expect(outcomes).toEqual(hadTaken ? [] : ["not_sent"]);
  });
});
