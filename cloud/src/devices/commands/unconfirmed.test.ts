/** What the event log reports of a command that was not confirmed while its sender waited (A4.3): once, in spite of all that the store and the hub do. */
import { NamedError, settle } from "@porchlight/shared/kernel";
import type { HubRecord } from "@porchlight/shared/tunnel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ScriptedHub } from "../../tunnels/tunnels.fixture.ts";
import { Home, HUE, obey, silence } from "../devices.fixture.ts";
import { doubtNext } from "../doubting-store.fixture.ts";

let home: Home;
beforeEach(async () => {
  home = await Home.open();
});
afterEach(() => home[Symbol.asyncDispose]());

const REFUSAL = { name: "Device Rejected", detail: "too hot", code: 6 } as const;

/** ID of the command of a set that is refused. */
async function refusalOf(setting: Promise<unknown>): Promise<string> {
  const error = await setting.catch((caught: unknown) => caught);
  if (!(error instanceof NamedError)) throw new Error(`it was not refused: ${String(error)}`);
  return error.headers?.["x-command-id"] ?? "";
}

/** A set that the hub was asked for, and does not answer. @returns the ID of its command too */
async function unanswered(hub: ScriptedHub) {
  hub.answers.command = silence;
  const refusing = refusalOf(home.set(120));
  while (hub.asked.length === 0) await settle(1);
  return { refusing, id: String(hub.asked[0]?.params.id) };
}

function record(id: string, n: number, outcome: "rejected" | "not_applied"): HubRecord {
  return { kind: "result", n, command: id, ...HUE, requested: 120, outcome, failure: REFUSAL, observedAt: 0 };
}

/** Events of commands: type, command and outcome. */
async function commandEvents(): Promise<unknown[]> {
  const events = await home.testNode.events(home.client.ecosystemId);
  return events
    .filter(({ type }) => type.startsWith("command."))
    .map(({ type, data }) => [type, data.id, data.outcome]);
}

describe("a command that was not confirmed", () => {
  it("and never sent is reported with what was asked, and by whom", async () => {
    (await home.lampHub()).cut();
    await home.settle();
    const id = await refusalOf(home.set(120));
    expect(await home.events("command.unconfirmed")).toEqual([
      {
        ...{ id, deviceId: await home.deviceId(), service: "LightColor", index: "0", property: "hue", value: 120 },
        ...{ state: "failed", outcome: "not_sent", tokenId: "tok_1" },
        error: { name: "Hub Offline", detail: "The hub of this device is not connected: nothing was sent." },
        ...{ createdAt: "2026-01-01 00:00:00Z", expiresAt: "2026-01-01 00:00:10Z" },
        completedAt: "2026-01-01 00:00:00Z",
      },
    ]);
    expect(await commandEvents()).toHaveLength(1);
  });

  it("and rejected is reported once, although the hub reports the result once more", async () => {
    const hub = await home.lampHub();
    hub.answers.command = obey(1, { outcome: "rejected", value: undefined, failure: REFUSAL });
    const id = await refusalOf(home.set(120));
    await home.records(hub, record(id, 1, "rejected"));
    expect(await commandEvents()).toEqual([["command.unconfirmed", id, "rejected"]]);
  });

  it("and may have happened is reported as that, and by its end once that is known", async () => {
    const hub = await home.lampHub();
    const { refusing, id } = await unanswered(hub);
    await home.testNode.advance(10_000);
    expect(await refusing).toBe(id);
    expect(await commandEvents()).toEqual([["command.unconfirmed", id, "unknown"]]);
    await home.records(hub, record(id, 1, "not_applied"));
    expect(await commandEvents()).toEqual([
      ["command.unconfirmed", id, "unknown"],
      ["command.completed", id, "not_applied"],
    ]);
  });

  it("and whose end has come by its record is reported by that alone", async () => {
    const hub = await home.lampHub();
    const { refusing, id } = await unanswered(hub);
    await home.records(hub, record(id, 1, "rejected"));
    await home.testNode.advance(10_000);
    expect(await refusing).toBe(id);
    expect(await commandEvents()).toEqual([["command.completed", id, "rejected"]]);
  });
});

it("a command that was confirmed is reported by its value alone", async () => {
  const hub = await home.lampHub();
  hub.answers.command = obey(1);
  await home.set(120);
  expect(await commandEvents()).toEqual([]);
});

describe("what the store may have taken", () => {
  /** The commit of its event is in doubt, and is made again. */
  const again = async (refusing: Promise<string>, hadTaken: boolean) => {
    doubtNext(home.testNode.store, hadTaken);
    const id = await refusing;
    expect(await commandEvents()).toHaveLength(hadTaken ? 1 : 0);
    for (let turn = 0; turn < 5; turn++) await home.testNode.advance(500);
    return id;
  };

  it.for([true, false])("of a command that was not sent is reported once (it had taken it: %s)", async (hadTaken) => {
    (await home.lampHub()).cut();
    await home.settle();
    const id = await again(refusalOf(home.set(120)), hadTaken);
    await expect.poll(commandEvents).toEqual([["command.unconfirmed", id, "not_sent"]]);
  });

  it.for([true, false])("of one that may have happened is reported once (it had taken it: %s)", async (hadTaken) => {
    const hub = await home.lampHub();
    const { refusing } = await unanswered(hub);
    hub.cut();
    const id = await again(refusing, hadTaken);
    await expect.poll(commandEvents).toEqual([["command.unconfirmed", id, "unknown"]]);
  });
});
