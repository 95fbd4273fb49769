/** Setting a property: what the caller, the store and the event log get, for every end of it (A4, T5 and T6). */
import { NamedError } from "@porchlight/shared/kernel";
import type { HubRecord } from "@porchlight/shared/tunnel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreAway } from "../../store/sql/refusal.ts";
import { BUTTON, Home, HUE, obey, silence, value } from "../devices.fixture.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

/** The refusal of a set that is under way, while time passes. */
async function refusal(setting: Promise<unknown>, afterMs = 0): Promise<NamedError> {
  const caught = setting.then(
    () => undefined,
    (error: unknown) => error,
  );
  await home.settle();
  if (afterMs > 0) await home.testNode.advance(afterMs);
  const error = await caught;
  if (error instanceof NamedError) return error;
  throw new Error(`it was not refused: ${String(error)}`);
}

const commandOf = async (error: NamedError) => home.command(error.headers?.["x-command-id"] ?? "");

/** The record in which the hub reports, later, how a command ended. */
function result(id: string, n: number, more: Partial<Extract<HubRecord, { kind: "result" }>> = {}): HubRecord {
  return {
    kind: "result",
    n,
    command: id,
    ...HUE,
    requested: 120,
    outcome: "confirmed",
    value: 120,
    observedAt: 0,
    ...more,
  };
}

describe("a write that the device confirms", () => {
  it("is answered with the value that the device confirms, after command, value and event are stored", async () => {
    const hub = await home.lampHub();
    hub.answers.command = obey(1, { value: 119.5 });
    const { item, commandId } = await home.set(120);
    expect(item).toMatchObject({
      id: home.client.environmentId,
      service: "LightColor",
      index: "0",
      property: "hue",
      value: 119.5,
    });
    expect(await home.command(commandId)).toMatchObject({
      state: "confirmed",
      outcome: "confirmed",
      value: "120",
      token_id: "tok_1",
    });
    expect(await home.cached("LightColor.hue")).toEqual([119.5]);
    const [changed] = await home.events("property.changed");
    expect(changed).toEqual({ item, cause: { kind: "command", commandId, tokenId: "tok_1", durationMs: 0 } });
  });

  it("makes no event, and moves observedAt, when the value was that already", async () => {
    const hub = await home.lampHub();
    await home.records(hub, value(1, 120));
    await home.testNode.advance(2_000);
    hub.answers.command = obey(2, { observedAt: home.testNode.clock.now() });
    const { item } = await home.set(120);
    const { observedAt = "", modifiedAt = "" } = item;
    expect(observedAt > modifiedAt).toBe(true);
    expect(await home.changes()).toEqual(["hue=120 device"]);
  });

  it("is not doubled by the record of it that follows", async () => {
    const hub = await home.lampHub();
    hub.answers.command = obey(1);
    const { commandId } = await home.set(120);
    expect(await home.records(hub, result(commandId, 1))).toBe(1);
    expect(await home.changes()).toEqual(["hue=120 command"]);
    expect(await home.events("command.completed")).toEqual([]);
  });

  it("reaches the hub in the order in which writes were accepted, without waiting for one another", async () => {
    const hub = await home.lampHub();
    let n = 0;
    hub.answers.command = (params) => obey(++n)(params);
    await Promise.all([10, 20, 30, 40].map((to) => home.set(to)));
    expect(hub.asked.map(({ params }) => params.value)).toEqual([10, 20, 30, 40]);
    expect(await home.cached("LightColor.hue")).toEqual([40]);
  });

  it("cancels the command at the hub before its caller is answered", async () => {
    const hub = await home.lampHub();
    hub.answers.command = obey(1);
    await home.set(1, { waitMs: 10_000 });
    await home.set(2, { waitMs: 1_000 });
    const times = hub.asked.map(({ params }) => Number(params.deadline) - Number(params.at));
    expect(times).toEqual([9_500, 750]);
  });
});

describe("a write that would be refused anyway", () => {
  it.each([
    ["a malformed selector", "Light Color", 1, "Service Not Found"],
    ["a service that the device has not", "Fan.speed", 1, "Service Not Found"],
    ["an index that the device has not", "LightColor:3.hue", 1, "Service Not Found"],
    ["no property", "LightColor", 1, "Service Property Invalid"],
    ["a property that the service has not", "LightColor.kelvin", 1, "Service Property Invalid"],
    ["a property that is only read", "Temperature.celsius", 1, "Property Not Writable"],
    ["a value of another type", "LightColor.hue", "red", "Property Value Invalid"],
    ["a value out of range", "LightColor.hue", 361, "Property Value Invalid"],
    ["null", "LightColor.hue", null, "Property Value Invalid"],
  ])("with %s is refused before anything is sent, with the command's ID", async (_what, selector, to, name) => {
    const hub = await home.lampHub();
    const error = await refusal(home.set(to, { selector }));
    expect(error).toMatchObject({ name, headers: { "x-command-id": expect.stringMatching(/^cmd_/) } });
    expect(hub.asked).toEqual([]);
  });
});

describe("a write that fails", () => {
  it("is reported as not sent and without an ID when the device could not be read: it is not stored", async () => {
    const hub = await home.lampHub();
    const gone = () => Promise.reject(new StoreAway(new Error("gone")));
    Object.assign(home.memory.cache, { peek: () => undefined, get: gone });
    const place = { ...(await home.scope()), selector: "LightColor.hue", value: 120, tokenId: "tok_1" };
    const asks = [
      () => home.devices.set({ ...place, waitMs: 10_000 }),
      () => home.devices.defer({ ...place, waitMs: 0, ttlMs: 60_000 }),
    ];
    for (const ask of asks) {
      const refused = await refusal(ask());
      expect(refused).toMatchObject({ name: "Service Unavailable", outcome: "not_sent", retryAfter: 1 });
      expect(refused.headers?.["x-command-id"]).toBeUndefined();
    }
    expect(hub.asked).toEqual([]);
  });

  it("is 503 Hub Offline, not sent, with when the hub was last seen and when to come back", async () => {
    (await home.lampHub()).cut();
    await home.settle();
    const error = await refusal(home.set(120));
    expect(error).toMatchObject({
      name: "Hub Offline",
      status: 503,
      outcome: "not_sent",
      retryAfter: 5,
      members: { lastSeenAt: "2026-01-01 00:00:00Z" },
    });
    expect(await commandOf(error)).toMatchObject({
      state: "failed",
      outcome: "not_sent",
      completed_at: home.testNode.clock.now(),
    });
  });

  it("is 504 Hub Timeout, unknown, when the hub does not answer in time, and stays open", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const error = await refusal(home.set(120), 10_000);
    expect(error).toMatchObject({ name: "Hub Timeout", status: 504, outcome: "unknown" });
    expect(await commandOf(error)).toMatchObject({ state: "sent", outcome: "unknown", completed_at: null });
  });

  it("is 504, unknown, at once when the tunnel drops", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const setting = home.set(120);
    await home.settle();
    hub.cut();
    const error = await refusal(setting);
    expect(error).toMatchObject({ name: "Hub Timeout", outcome: "unknown" });
    expect(await commandOf(error)).toMatchObject({ state: "sent", completed_at: null });
  });

  it.each([
    [
      "422 Device Rejected with the device's code and text",
      { outcome: "rejected", failure: { name: "Device Rejected", detail: "too hot", code: 8 } },
      { name: "Device Rejected", status: 422, outcome: "rejected", message: "too hot", members: { code: 8 } },
      { state: "rejected" },
    ],
    [
      "502 Device Unreachable, not applied",
      { outcome: "not_applied", failure: { name: "Device Unreachable", detail: "asleep" } },
      { name: "Device Unreachable", status: 502, outcome: "not_applied" },
      { state: "failed", outcome: "not_applied" },
    ],
    [
      "502 Device Unreachable, unknown",
      { outcome: "unknown", failure: { name: "Device Unreachable", detail: "silent" } },
      { name: "Device Unreachable", status: 502, outcome: "unknown" },
      { state: "failed", outcome: "unknown" },
    ],
    [
      "504, not applied, when the hub found it too late",
      { outcome: "not_applied", n: 0, failure: { name: "Hub Timeout", detail: "late" } },
      { name: "Hub Timeout", status: 504, outcome: "not_applied" },
      { state: "failed", outcome: "not_applied" },
    ],
  ])("is %s, as the hub knows", async (_what, answer, expected, stored) => {
    const hub = await home.lampHub();
    hub.answers.command = obey(1, { value: undefined, ...answer });
    const error = await refusal(home.set(120));
    expect(error).toMatchObject(expected);
    expect(await commandOf(error)).toMatchObject(stored);
    expect(await home.cached("LightColor.hue")).toEqual([]);
  });

  it("stays open when the hub answers unknown without a number: it still executes it", async () => {
    const hub = await home.lampHub();
    hub.answers.command = obey(0, {
      value: undefined,
      outcome: "unknown",
      failure: { name: "Hub Timeout", detail: "begun before" },
    });
    expect(await commandOf(await refusal(home.set(120)))).toMatchObject({ state: "sent", completed_at: null });
  });
});

describe("a result that comes later", () => {
  it("settles after the caller's 504, once, with value, event and command.completed", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const error = await refusal(home.set(120), 10_000);
    const id = error.headers?.["x-command-id"] ?? "";
    await home.records(hub, result(id, 1));
    await home.records(hub, result(id, 1), result(id, 2));
    expect(await home.command(id)).toMatchObject({ state: "confirmed", outcome: "confirmed" });
    expect(await home.changes()).toEqual(["hue=120 command"]);
    expect(await home.events("command.completed")).toMatchObject([{ id, state: "confirmed", value: 120 }]);
  });

  it("settles as rejected or failed too", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const [first, second] = [home.set(1), home.set(2)].map((setting) => setting.catch((error: NamedError) => error));
    await home.settle();
    const [one = "", two = ""] = hub.asked.map(({ params }) => String(params.id));
    await home.testNode.advance(10_000);
    await Promise.all([first, second]);
    const { value: _v, ...failed } = result(one, 1, {
      outcome: "rejected",
      failure: { name: "Device Rejected", detail: "no", code: 6 },
    }) as Extract<HubRecord, { kind: "result" }>;
    await home.records(
      hub,
      failed,
      result(two, 2, { outcome: "unknown", failure: { name: "Device Unreachable", detail: "silent" } }),
    );
    expect(
      (await home.events("command.completed")).map(({ state, outcome, error }) => [state, outcome, error]),
    ).toEqual([
      ["rejected", "rejected", { name: "Device Rejected", detail: "no", code: 6 }],
      ["failed", "unknown", { name: "Device Unreachable", detail: "silent" }],
    ]);
  });

  it("brings a command back that the cloud lost in a crash", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    home.set(120).catch(() => undefined);
    await home.settle();
    const id = String(hub.asked[0]?.params.id);
    await home.restart();
    const again = await home.hub([], { lastNumber: 1, inventoryDigest: "inventory of 2" });
    await home.records(again, result(id, 1));
    expect(await home.command(id)).toMatchObject({ state: "confirmed", device_id: await home.deviceId() });
    expect(await home.events("command.completed")).toMatchObject([{ id, state: "confirmed" }]);
  });

  it("answers a caller who still waits, when it overtakes the answer that is lost", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const setting = home.set(120);
    await home.settle();
    await home.records(hub, result(String(hub.asked[0]?.params.id), 1));
    await home.testNode.advance(10_000);
    expect((await setting).item).toMatchObject({ value: 120 });
  });

  it("of a command that is another hub's is no result", async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const id = (await refusal(home.set(120), 10_000)).headers?.["x-command-id"] ?? "";
    await home.testNode.store.write(home.client.ecosystemId, (tx) =>
      tx.change(tx.build.updateTable("commands").set({ client_id: "cli_other" })),
    );
    await home.records(hub, result(id, 1));
    expect(await home.command(id)).toMatchObject({ state: "sent" });
  });
});

describe("a command without a known end", () => {
  const dropped = async () => {
    const hub = await home.lampHub();
    hub.answers.command = silence;
    const setting = home.set(120);
    await home.settle();
    hub.cut();
    return (await refusal(setting)).headers?.["x-command-id"] ?? "";
  };
  const again = (hello = {}) => home.hub([], { inventoryDigest: "inventory of 2", ...hello });

  it("is sent again under its ID after a reconnect, while there is time left", async () => {
    const id = await dropped();
    await home.testNode.advance(2_000);
    const hub = await again();
    await home.settle();
    expect(hub.asked).toMatchObject([{ method: "command", params: { id, value: 120 } }]);
    expect(Number(hub.asked[0]?.params.deadline) - Number(hub.asked[0]?.params.at)).toBe(7_500);
  });

  it("is asked for with no time left afterwards, so that no hardware is touched, and settled when it was never begun", async () => {
    const id = await dropped();
    await home.testNode.advance(12_000);
    const hub = await again();
    expect(hub.asked[0]?.params.deadline).toBe(hub.asked[0]?.params.at);
    hub.cut();
    const other = await ScriptedLate(id);
    expect(await home.command(id)).toMatchObject({ state: "failed", outcome: "not_applied" });
    expect(await home.events("command.completed")).toMatchObject([{ id, outcome: "not_applied" }]);
    other.cut();
  });

  it("is never given time again by a process that did not send it", async () => {
    await dropped();
    await home.restart();
    const hub = await again();
    await home.settle();
    expect(hub.asked[0]?.params.deadline).toBe(hub.asked[0]?.params.at);
  });

  it("ends as unknown when the hub begins a new history", async () => {
    const id = await dropped();
    await again({ logId: "log-0002" });
    expect(await home.command(id)).toMatchObject({ state: "failed", outcome: "unknown" });
    expect(await home.events("command.completed")).toMatchObject([{ id, outcome: "unknown" }]);
  });

  it("ends as unknown after a day", async () => {
    const id = await dropped();
    const { clock } = home.testNode;
    clock.jumpWall(24 * 3_600_000);
    await home.testNode.advance(61_000);
    expect(await home.command(id)).toMatchObject({ state: "failed", outcome: "unknown" });
    expect(await home.events("command.completed")).toHaveLength(1);
  });

  /** A hub that was never reached by that command. */
  async function ScriptedLate(id: string) {
    const { ScriptedHub } = await import("../../tunnels/tunnels.fixture.ts");
    const hub = ScriptedHub.dial(home.testNode, home.client, {
      key: home.key,
      hello: { inventoryDigest: "inventory of 2" },
    });
    hub.answers.command = (params) =>
      obey(0, {
        command: id,
        value: undefined,
        outcome: "not_applied",
        failure: { name: "Hub Timeout", detail: "late" },
      })(params);
    await hub.greet();
    await home.settle();
    return hub;
  }
});

describe("a tunnel that is superseded", () => {
  it("settles nothing by a late answer: its caller gets unknown", async () => {
    const hub = await home.lampHub();
    const answer = Promise.withResolvers<unknown>();
    hub.answers.command = (params) => answer.promise.then(() => obey(1)(params));
    const setting = home.set(120);
    await home.settle();
    // Another node has taken the client over; this one has not heard of it yet.
    await home.testNode.store.write(home.client.ecosystemId, (tx) =>
      tx.change(tx.build.updateTable("clients").set({ epoch: 99 })),
    );
    answer.resolve(undefined);
    const error = await refusal(setting);
    expect(error).toMatchObject({ name: "Hub Timeout", outcome: "unknown" });
    expect(await commandOf(error)).toMatchObject({ state: "sent", completed_at: null });
    expect(await home.changes()).toEqual([]);
  });
});

describe("a device that is gone", () => {
  it("is not found, though its hub is there", async () => {
    await home.lampHub();
    const scope = await home.scope(BUTTON);
    const request = {
      ...scope,
      deviceId: home.testNode.ids.next("dev"),
      selector: "Switch.on",
      value: true,
      waitMs: 1_000,
      tokenId: "tok_1",
    };
    expect(await refusal(home.devices.set(request))).toMatchObject({ name: "Device Not Found" });
  });
});
