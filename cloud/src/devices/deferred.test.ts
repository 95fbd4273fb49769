/** Commands whose callers do not wait: queued, sent, in order, in time, and reported when they end (A4.4). */
import { NamedError } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newKey, ScriptedHub } from "../tunnels/tunnels.fixture.ts";
import { Home, HUE, LAMP, LAMP_SERVICES, obey, silence } from "./devices.fixture.ts";
import { doubtNext } from "./doubting-store.fixture.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

async function defer(to: number, more: { ttlMs?: number; waitMs?: number; selector?: string } = {}) {
  const request = { selector: "LightColor.hue", value: to, tokenId: "tok_1", ttlMs: 60_000, waitMs: 0, ...more };
  return home.devices.defer({ ...(await home.scope()), ...request });
}

const stateOf = async (id: string) => (await home.command(id))?.state;
const valuesAsked = (hub: ScriptedHub) =>
  hub.asked.filter(({ method }) => method === "command").map(({ params }) => params.value);
const completed = async () =>
  (await home.events("command.completed")).map(({ id, state, outcome }) => ({ id, state, outcome }));

/** The hub confirms by its history, as hubs do. */
async function confirm(hub: ScriptedHub, id: string, n: number, value: number) {
  await home.records(hub, {
    kind: "result",
    n,
    command: id,
    ...HUE,
    requested: value,
    outcome: "confirmed",
    value,
    observedAt: 0,
  });
}

/** A second hub in the same home. */
async function neighbour() {
  const { ecosystemId, environmentId } = home.client;
  const clientId = home.testNode.ids.next("cli");
  const place = { ecosystem_id: ecosystemId, id: clientId, environment_id: environmentId };
  await home.testNode.store.write(ecosystemId, async ({ build, change }) => {
    const object = { ...place, kind: "cli", alias: null, meta: "{}", version: 1, created_at: 0, gone_at: null };
    await change(build.insertInto("objects").values(object));
    await change(build.insertInto("clients").values({ ...place, epoch: 0, position: 0, online: 0 }));
  });
  return { ...home.client, clientId };
}

describe("with its hub there", () => {
  it("is answered at once, sent at once, and its end is an event", async () => {
    const hub = await home.lampHub();
    hub.answers.command = obey(1);
    const given = await defer(120);
    expect(given).toMatchObject({ kind: "accepted", command: { state: "sent", value: 120, property: "hue" } });
    await home.settle();
    expect(valuesAsked(hub)).toEqual([120]);
    await confirm(hub, given.commandId, 1, 120);
    expect(await completed()).toEqual([{ id: given.commandId, state: "confirmed", outcome: "confirmed" }]);
    expect(await home.cached("LightColor.hue")).toEqual([120]);
  });

  it("reaches the hub in the order in which it was given, before what is given later", async () => {
    const hub = await home.lampHub();
    let n = 0;
    hub.answers.command = (params) => obey(++n)(params);
    await Promise.all([10, 20, 30].map((to) => defer(to)));
    await home.set(40);
    expect(valuesAsked(hub)).toEqual([10, 20, 30, 40]);
  });

  it("ends as rejected or not applied when the hub reports that it never began it", async () => {
    const hub = await home.lampHub();
    hub.answers.command = obey(0, { outcome: "not_applied", value: undefined });
    const { commandId } = await defer(1);
    await home.settle();
    expect(await completed()).toEqual([{ id: commandId, state: "failed", outcome: "not_applied" }]);
  });

  it("that was sent when the connection broke is sent again under its ID, with the time that it has left", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const { commandId } = await defer(1, { ttlMs: 60_000 });
    await home.settle();
    hub.cut();
    await home.testNode.advance(20_000);
    const back = await home.lampHub();
    await home.settle();
    const [again] = back.asked.filter(({ method }) => method === "command");
    expect(again?.params).toMatchObject({ id: commandId, value: 1 });
    expect(Number(again?.params.deadline) - Number(again?.params.at)).toBeLessThanOrEqual(40_000);
  });
});

describe("sent before, and not to be sent again", () => {
  it("stays open when the next connection has broken by then: the hub may have it, even after its expiry", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const { commandId } = await defer(1, { ttlMs: 10_000 });
    await home.settle();
    hub.cut();
    const gone = ScriptedHub.dial(home.testNode, home.client, { key: home.key });
    await gone.greet();
    gone.cut();
    await home.settle();
    expect(gone.asked.filter(({ method }) => method === "command")).toEqual([]);
    expect(await stateOf(commandId)).toBe("sent");
    await home.testNode.advance(20_000);
    expect(await completed()).toEqual([]);
    const back = await home.lampHub();
    await confirm(back, commandId, 1, 1);
    expect(await completed()).toEqual([{ id: commandId, state: "confirmed", outcome: "confirmed" }]);
  });
});

describe("with its hub away", () => {
  it("waits, and when the hub is back goes before any other write, in the order in which it was stored", async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
    const given = [];
    for (const to of [10, 20, 30]) given.push(await defer(to));
    expect(given.map((each) => each.kind === "accepted" && each.command.state)).toEqual(["queued", "queued", "queued"]);
    let n = 0;
    const back = ScriptedHub.dial(home.testNode, home.client, { key: home.key });
    back.answers.command = (params) => obey(++n)(params);
    await back.greet();
    await home.set(40);
    expect(valuesAsked(back)).toEqual([10, 20, 30, 40]);
    expect(await stateOf(given[0]?.commandId ?? "")).toBe("sent");
  });

  it("is never sent after it has expired, and its end comes in that moment", async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
    const { commandId } = await defer(10, { ttlMs: 5_000 });
    await home.testNode.advance(4_999);
    expect(await stateOf(commandId)).toBe("queued");
    await home.testNode.advance(1);
    await home.settle();
    expect(await completed()).toEqual([{ id: commandId, state: "expired", outcome: "not_sent" }]);
    const back = await home.lampHub();
    await home.settle();
    expect(valuesAsked(back)).toEqual([]);
  });

  it("outlives the process: another sends it, or ends it in time", async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
    const kept = await defer(10, { ttlMs: 60_000 });
    const lost = await defer(20, { ttlMs: 5_000 });
    await home.restart();
    await home.testNode.advance(5_000);
    await home.settle();
    expect(await completed()).toEqual([{ id: lost.commandId, state: "expired", outcome: "not_sent" }]);
    const back = await home.lampHub();
    await home.settle();
    expect(back.asked.filter(({ method }) => method === "command").map(({ params }) => params.id)).toEqual([
      kept.commandId,
    ]);
  });

  it("is not taken for one that was sent when the hub begins a new history", async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
    await defer(10);
    const back = await home.lampHub({ logId: "another history" });
    await home.settle();
    expect(valuesAsked(back)).toEqual([10]);
  });

  it("goes with its device to another hub", async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
    await defer(10, { ttlMs: 600_000 });
    await home.testNode.advance(61_000);
    const other = await home.hub(
      [{ edgeId: LAMP, services: LAMP_SERVICES }],
      { edgeId: "02-00-00-00-00-09" },
      await neighbour(),
      newKey(),
    );
    await home.settle();
    expect(valuesAsked(other)).toEqual([10]);
  });

  it("ends with its device", async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
    const { commandId } = await defer(10);
    const { deviceId } = await home.scope();
    const target = { ...home.client, kind: "dev" as const, id: deviceId };
    const caller = {
      kind: "server" as const,
      tokenId: "tok_1",
      serverId: "srv_1",
      ecosystemId: home.client.ecosystemId,
    };
    await home.devices.delete(caller as never, target as never);
    expect(await stateOf(commandId)).toBe("failed");
  });
});

describe("a command whose commit is in doubt", () => {
  const refused = async () => {
    const error: unknown = await defer(120).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ name: "Service Unavailable", outcome: "unknown" });
    return error instanceof NamedError ? (error.headers?.["x-command-id"] ?? "") : "";
  };

  it("is found by its ID as one that was never sent, and its end is an event, when the store had not taken it", async () => {
    await (await home.lampHub()).cut();
    await home.settle();
    doubtNext(home.testNode.store, false);
    const id = await refused();
    expect(await home.command(id)).toBeUndefined();
    await home.testNode.advance(1_000);
    expect(await home.command(id)).toMatchObject({ state: "failed", outcome: "not_sent" });
    expect(await completed()).toEqual([{ id, state: "failed", outcome: "not_sent" }]);
  });

  it.each(["its hub is away", "its hub is there"])(
    "is carried out when the store had taken it, and %s",
    async (hubIs) => {
      let hub = await home.lampHub();
      if (hubIs === "its hub is away") {
        hub.cut();
        await home.settle();
      }
      doubtNext(home.testNode.store, true);
      hub.answers.command = obey(1);
      const id = await refused();
      await home.testNode.advance(1_000);
      if (hubIs === "its hub is away") {
        hub = await home.lampHub();
        hub.answers.command = obey(1);
      }
      await home.settle();
      expect(hub.asked.filter(({ method }) => method === "command").map(({ params }) => params.id)).toEqual([id]);
    },
  );
});

describe("a caller that waits for a while all the same", () => {
  it("is answered with the value when the device confirms within that time", async () => {
    const hub = await home.lampHub();
    hub.answers.command = obey(1);
    const asked = defer(120, { waitMs: 5_000 });
    await home.settle();
    const [command] = hub.asked;
    await confirm(hub, String(command?.params.id), 1, 120);
    expect(await asked).toMatchObject({ kind: "done", item: { value: 120 } });
  });

  it("is answered with the command when the time is over", async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
    const asked = defer(120, { waitMs: 5_000 });
    await home.settle();
    await home.testNode.advance(5_000);
    expect(await asked).toMatchObject({ kind: "accepted", command: { state: "queued" } });
  });

  it("is refused as any other when the command ends otherwise", async () => {
    const hub = await home.lampHub();
    hub.cut();
    await home.settle();
    const asked = defer(120, { waitMs: 5_000, ttlMs: 2_000 }).catch((error: unknown) => error);
    await home.settle();
    await home.testNode.advance(2_000);
    const error = await asked;
    expect(error).toBeInstanceOf(NamedError);
    expect(error).toMatchObject({ name: "Hub Offline", outcome: "not_sent" });
  });
});
