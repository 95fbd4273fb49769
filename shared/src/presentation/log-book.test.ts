/** Events in the sentences of the log book. */
import { describe, expect, it } from "vitest";
import { eventTypes } from "../events/index.ts";
import { LOG_KINDS, type LoggedEvent, logLines } from "./log-book.ts";
import type { LogNames } from "./value-sentences.ts";

const NAMES: LogNames = {
  device: (id) => (id === "dev_1" ? "Lamp" : undefined),
  property: (service, property) => (service === "LightLevel" ? "Brightness" : property === "on" ? "Power" : property),
  unit: (service) => (service === "LightLevel" ? "%" : undefined),
  sender: (id) => (id === "tok_1" ? { kind: "user", name: "Anna's phone" } : undefined),
};
let sequence = 0;
const event = (type: string, data: unknown, createdAt = "2026-11-26 14:00:00Z"): LoggedEvent => ({
  ...{ id: `evt_${++sequence}`, sequence, type, createdAt, data },
});
const texts = (...events: LoggedEvent[]) => logLines(events, NAMES).map(({ text }) => text);
const ON = { deviceId: "dev_1", service: "Switch", index: "0", property: "on", value: true };
const LEVEL = { deviceId: "dev_1", service: "LightLevel", index: "0", property: "level", value: 40 };
const change = (item: object, cause: object, previousValue?: unknown) =>
  event("property.changed", { item, cause, ...(previousValue !== undefined && { previousValue }) });

describe("a value", () => {
  it.each<[LoggedEvent, string]>([
    [
      change(ON, { kind: "command", tokenId: "tok_1", durationMs: 84 }, false),
      "Lamp turned on by the user Anna's phone, confirmed in 84 ms.",
    ],
    [change({ ...ON, value: false }, { kind: "device" }, true), "Lamp turned off, as the device reported."],
    [change({ ...ON, index: "1" }, { kind: "local" }), "Lamp: Power 1 is on at home, through the hub's own API."],
    [change({ ...ON, service: "Fan" }, { kind: "refresh" }), "Lamp: Power is on, as the hub read from the device."],
    [change(LEVEL, { kind: "command", tokenId: "tok_2" }, 10), "Lamp: Brightness changed to 40 % by a command."],
    [change(LEVEL, { kind: "device" }), "Lamp: Brightness is 40 %, as the device reported."],
    [
      change(LEVEL, { kind: "scene", sceneId: "scn_1", tokenId: "tok_1" }, 10),
      "Lamp: Brightness changed to 40 % by the scene scn_1, called by the user Anna's phone.",
    ],
    [change({ ...LEVEL, deviceId: "dev_2" }, { kind: "rule" }, 10), "dev_2: Brightness changed to 40 % (rule)."],
  ])("%#", (given, text) => {
    expect(texts(given)).toEqual([text]);
  });
});

describe("a command", () => {
  it.each([
    [{ outcome: "rejected", error: { detail: "too hot" } }, "rejected by the device. too hot"],
    [
      { outcome: "not_sent", state: "expired", error: { detail: "The hub did not come back." } },
      "not sent. The hub did not come back.",
    ],
    [{ outcome: "not_applied" }, "not applied."],
    [{ outcome: "unknown" }, "unknown: may have happened."],
    [{ outcome: "confirmed" }, "confirmed."],
  ])("%o", (end, text) => {
    const was = end.outcome === "unknown" || end.outcome === "confirmed" ? "was to be" : "was not";
    for (const type of ["command.completed", "command.unconfirmed"])
      expect(texts(event(type, { ...ON, ...end }))).toEqual([`Lamp ${was} turned on: ${text}`]);
  });

  const failed = (data: object) => texts(event("command.unconfirmed", { id: "cmd_1", ...data }))[0];

  it("that failed while its sender waited says who that was, and of a scene which", () => {
    const refused = { ...ON, tokenId: "tok_1", outcome: "rejected", error: { detail: "too hot" } };
    expect(failed(refused)).toBe(
      "Lamp was not turned on: rejected by the device, asked by the user Anna's phone. too hot",
    );
    expect(failed({ ...refused, ...LEVEL, error: undefined })).toBe(
      "Lamp: Brightness was not set to 40 %: rejected by the device, asked by the user Anna's phone.",
    );
    expect(failed({ ...LEVEL, index: "1", outcome: "unknown", sceneId: "scn_1", tokenId: "tok_1" })).toBe(
      "Lamp: Brightness 1 was to be 40 %: unknown: may have happened, asked by the scene scn_1, called by the user Anna's phone.",
    );
    expect(failed({ ...ON, service: "Fan", value: false, outcome: "not_sent", sceneId: "scn_1" })).toBe(
      "Lamp: Power was not turned off: not sent, asked by the scene scn_1.",
    );
  });

  it("whose end became known later has one line, that of its end", () => {
    const open = event("command.unconfirmed", { ...ON, id: "cmd_1", outcome: "unknown" });
    const other = event("command.unconfirmed", { ...ON, id: "cmd_2", outcome: "unknown" });
    const end = event("command.completed", { ...ON, id: "cmd_1", outcome: "not_applied" });
    expect(texts(open, other, end)).toEqual([
      "Lamp was not turned on: not applied.",
      "Lamp was to be turned on: unknown: may have happened.",
    ]);
  });
});

describe("what comes and goes", () => {
  const hub = (connection: object) => ({ id: "cli_1", meta: { "$.name": "Cellar" }, connection });
  const gone = event("hub.offline", hub({ since: "2026-11-26 14:00:00Z", reason: "lost" }));
  const back = (more: object = {}) =>
    event("hub.online", hub({ since: "2026-11-26 14:12:10Z", ...more }), "2026-11-26 14:12:10Z");

  it("says for how long it was away, once it is back, and that the hub restarted where the service knows it", () => {
    expect(texts(gone, back())).toEqual([
      "Hub Cellar came online.",
      "Hub Cellar was offline for 12 min. The connection was interrupted.",
    ]);
    const again = event("hub.restarted", hub({}), "2026-11-26 14:12:10Z");
    expect(texts(gone, again, back())).toEqual([
      "Hub Cellar came online.",
      "Hub Cellar was started again.",
      "Hub Cellar was offline for 12 min: hub restarted.",
    ]);
    // One that came later says nothing of this absence.
    expect(texts(gone, back(), event("hub.restarted", hub({})))[2]).toMatch(
      /12 min\. The connection was interrupted\.$/,
    );
  });

  it("that has not come back yet, went offline", () => {
    expect(texts(gone)).toEqual(["Hub Cellar went offline. The connection was interrupted."]);
    // Another hub's return, and a device of the same ID, say nothing of it.
    expect(texts(gone, event("hub.online", { id: "cli_2" }), event("device.online", { id: "cli_1" }))).toContain(
      "Hub Cellar went offline. The connection was interrupted.",
    );
  });

  it("and a device", () => {
    expect(texts(event("device.offline", { id: "dev_1", alias: "lamp" }))).toEqual(["Device lamp went offline."]);
  });
});

it("a scene has its name, where that is known, and how many of its writes were confirmed", () => {
  const names = { ...NAMES, scene: (id: string) => (id === "scn_1" ? "Evening" : undefined) };
  const called = (data: object) => logLines([event("scene.called", data)], names)[0]?.text;
  expect(called({ sceneId: "scn_1", tokenId: "tok_1", confirmed: 3, failures: [{}] })).toBe(
    "Scene Evening was called by the user Anna's phone: 3 confirmed, 1 failed.",
  );
  expect(called({ sceneId: "scn_2", confirmed: 2 })).toBe("Scene scn_2 was called: 2 confirmed.");
});

it("every type of the catalogue has a sentence for any data, and one kind that finds it again", () => {
  const patterns = Object.entries(LOG_KINDS);
  for (const { types } of eventTypes())
    for (const { type } of types)
      for (const data of [{ id: "x_1", alias: "hall", text: "It is so." }, {}, null, "text", [1]]) {
        const [line] = logLines([event(type, data)], NAMES);
        expect(line?.text, type).toMatch(/^\S.*\.$/s);
        const kinds = patterns.filter(([, all]) =>
          all.some((pattern) => pattern === type || (pattern.endsWith("*") && type.startsWith(pattern.slice(0, -1)))),
        );
        expect(
          kinds.map(([kind]) => kind),
          type,
        ).toEqual([line?.kind]);
      }
});

it("a type that this program does not know is named", () => {
  expect(texts(event("rule.fired", {}))).toEqual(["rule.fired."]);
  expect(texts(event("zone.painted", { alias: "hall" }))).toEqual(["Zone hall painted."]);
});

it("the newest is first, with events in any order", () => {
  const [one, two] = [change(ON, {}), change({ ...ON, value: false }, {})];
  expect(texts(one, two)).toEqual(texts(two, one));
  expect(texts(one, two)[0]).toBe("Lamp is off.");
});
