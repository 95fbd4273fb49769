/** Why a value is what it is, in the sentences that the portal and the console show. */
import { describe, expect, it } from "vitest";
import { hopRows, type WhyCommandFacts, type WhyFacts, whySentences } from "./why-sentences.ts";

const time = (at: string) => at.slice(11, 16);
const ANNA = { kind: "user", name: "Anna's phone", address: "192.0.2.7" };
const OFF: WhyCommandFacts = {
  ...{ id: "cmd_1", value: false, state: "confirmed", outcome: "confirmed", createdAt: "2026-11-26 14:03:00Z" },
  ...{ by: ANNA, durationMs: 84 },
};
const LAMP: WhyFacts = {
  ...{ deviceId: "dev_1", deviceName: "Lamp", service: "Switch", index: "0", property: "on", value: false },
  ...{ modifiedAt: "2026-11-26 14:03:00Z", answeredAt: "2026-11-26 14:15:00Z", obstacles: [], unknown: [] },
  cause: { kind: "command", previousValue: true, command: OFF },
};
const ASKED: WhyCommandFacts = { ...OFF, id: "cmd_2", value: true, createdAt: "2026-11-26 14:10:00Z" };
const textsOf = (why: Partial<WhyFacts>) => whySentences({ ...LAMP, ...why }, { time }).map(({ text }) => text);

describe("the value and what made it so", () => {
  it("begins with the value, and since when", () => {
    expect(textsOf({})[0]).toBe("Lamp: Switch.on is off since 14:03. It was on before.");
    expect(textsOf({ index: "1", unit: "deg", property: "hue", value: 120, cause: { kind: "device" } })[0]).toBe(
      "Lamp: Switch:1.hue is 120° since 14:03.",
    );
    expect(textsOf({ modifiedAt: undefined })[0]).toBe("Lamp: Switch.on is off. Since when is unknown.");
    expect(whySentences(LAMP, { time, property: "On" })[0]?.text).toMatch(/^Lamp: On is off/);
  });

  it.each<[string, WhyFacts["cause"], string | undefined]>([
    [
      "a user's token",
      { kind: "command", command: OFF },
      "The user Anna's phone (from 192.0.2.7) set it, and it was confirmed in 84 ms.",
    ],
    [
      "the account",
      { kind: "command", command: { ...OFF, by: { kind: "account", id: "acc_1" }, durationMs: undefined } },
      "The account set it, and it was confirmed.",
    ],
    [
      "a log-in of the account",
      {
        kind: "command",
        command: {
          ...OFF,
          by: { kind: "account", name: "Ada", userAgent: "X11; Linux Firefox/145.0", address: "::1" },
        },
      },
      "The account Ada with Firefox 145 on Linux (from ::1) set it, and it was confirmed in 84 ms.",
    ],
    [
      "a server that was deleted",
      { kind: "command", command: { ...OFF, by: { kind: "server", id: "srv_1", isDeleted: true } } },
      "The server srv_1 (deleted) set it, and it was confirmed in 84 ms.",
    ],
    [
      "a token that is gone",
      { kind: "command", command: { ...OFF, by: { kind: "unknown", tokenId: "tok_1" } } },
      "A token that is not kept any more (tok_1) set it, and it was confirmed in 84 ms.",
    ],
    [
      "a sender that was never stored",
      { kind: "command", command: { ...OFF, by: undefined } },
      "A command whose sender is not stored set it, and it was confirmed in 84 ms.",
    ],
    [
      "a command that is gone",
      { kind: "command", commandId: "cmd_9" },
      "The command cmd_9 set it, which is not kept any more.",
    ],
    [
      "a scene",
      { kind: "scene", sceneId: "scn_1", command: OFF },
      "The scene scn_1 set it, called by the user Anna's phone, and it was confirmed in 84 ms.",
    ],
    ["a scene whose command is gone", { kind: "scene", sceneId: "scn_1" }, "The scene scn_1 set it."],
    [
      "the device",
      { kind: "device" },
      "The device itself reported the change: somebody operated it there, or it changed by itself.",
    ],
    [
      "a report of a virtual device",
      { kind: "device", command: { ...OFF, isReport: true } },
      "The user Anna's phone (from 192.0.2.7) reported it, as a sensor of the device would.",
    ],
    [
      "a token of the hub's own API",
      { kind: "local", by: { kind: "local", name: "wall panel" } },
      "Somebody at home set it, through the hub's own API, with the token wall panel.",
    ],
    ["a caller at home", { kind: "local" }, "Somebody at home set it, through the hub's own API."],
    ["a reading", { kind: "refresh" }, "The hub read it from the device. What had changed it is unknown."],
    ["nothing that is known", { kind: "unknown" }, "What changed it is unknown."],
    ["a kind of a newer service", { kind: "rule" }, "Its cause is “rule”, which this program does not know."],
  ])("%s", (_name, cause, text) => {
    expect(textsOf({ cause })[1]).toBe(text);
  });

  it("without a value says so, and that nothing has brought one", () => {
    const none = { value: undefined, modifiedAt: undefined, cause: { kind: "none" } };
    const known = "Lamp: Switch.on has no known value.";
    expect(textsOf(none)).toEqual([known, "The device has reported none, and no command to set it is known."]);
    const failed = textsOf({ ...none, asked: ASKED, obstacles: [{ kind: "not_sent" }] });
    expect(failed).toEqual([known, expect.stringMatching(/asked for on at 14:10: not sent\./)]);
  });
});

describe("what was asked, and did not come to be", () => {
  const who = "The user Anna's phone (from 192.0.2.7) asked for on at 14:10";
  it.each<[string, WhyFacts["obstacles"][number], readonly string[]]>([
    [
      "refused by the device, in its words",
      { kind: "rejected", detail: "too hot", code: 6 },
      [`${who}: rejected by the device. too hot (code 6).`],
    ],
    [
      "refused in words that have the code",
      { kind: "rejected", detail: "The device says error 8: no..", code: 8 },
      [`${who}: rejected by the device. The device says error 8: no.`],
    ],
    ["refused without a word", { kind: "rejected" }, [`${who}: rejected by the device.`]],
    [
      "not sent",
      { kind: "not_sent", detail: "The hub is not connected: nothing was sent." },
      [`${who}: not sent. The hub is not connected: nothing was sent.`],
    ],
    ["not applied", { kind: "not_applied", detail: "Too late." }, [`${who}: not applied. Too late.`]],
    ["unknown", { kind: "unknown", detail: "No answer." }, [`${who}: unknown: may have happened. No answer.`]],
    [
      "waiting for its hub",
      { kind: "waiting", until: "2026-11-26 15:00:00Z" },
      [`${who}: it waits for the hub, until 15:00.`],
    ],
    ["under way", { kind: "under_way" }, [`${who}: it has been sent, and has not ended.`]],
    ["superseded", { kind: "superseded" }, [`${who}: it was confirmed, and the value was changed afterwards.`]],
  ])("%s", (_name, obstacle, texts) => {
    expect(textsOf({ asked: ASKED, obstacles: [obstacle] }).slice(2)).toEqual(texts);
  });

  it("of a command without an end, what the hub's journal says", () => {
    const lost = { ...ASKED, state: "sent", outcome: "unknown" };
    const last = (journal: WhyCommandFacts["journal"]) =>
      textsOf({ asked: { ...lost, journal }, obstacles: [{ kind: "unknown" }] }).at(-1);
    expect(last({ isFound: false })).toBe("The hub has no such command in its journal of the last 24 hours.");
    expect(last({ isFound: true })).toBe("The hub's journal has the command, and no end of it.");
    expect(last({ isFound: true, outcome: "not_applied", detail: "Too late." })).toBe(
      "The hub's journal says: not applied. Too late.",
    );
  });

  it("asked for what was so already, it is no obstacle", () => {
    expect(textsOf({ asked: { ...ASKED, value: false } })[2]).toBe(
      "The user Anna's phone (from 192.0.2.7) asked for off at 14:10, and it was confirmed: it was so already.",
    );
  });
});

it.each<[WhyFacts["obstacles"][number], string]>([
  [
    { kind: "hub_offline", since: "2026-11-26 14:03:00Z", reason: "lost" },
    "The hub Cellar is offline since 14:03 (12 min): the value is the last known one. The connection was interrupted.",
  ],
  [
    { kind: "hub_offline", isUnsure: true },
    "The service has started, and has not heard from the hub Cellar since: whether it is online is unknown.",
  ],
  [
    { kind: "device_offline", since: "2026-11-26 14:14:20Z" },
    "The device is offline since 14:14 (40 s): its hub cannot reach it.",
  ],
])("what cannot be reached: %o", (obstacle, text) => {
  expect(textsOf({ hub: { name: "Cellar" }, obstacles: [obstacle] })[2]).toBe(text);
});

it("what is not known comes last, and is called unknown", () => {
  expect(textsOf({ unknown: [{ about: "frames", detail: "The hub keeps none." }] }).at(-1)).toBe(
    "Unknown: The hub keeps none.",
  );
});

it("the hops of a command are named in order, with the whole after them", () => {
  const hops = [
    { hop: "api", ms: 0.4 },
    { hop: "tunnel", ms: 12 },
    { hop: "later", ms: 1 },
  ];
  expect(hopRows({ ...OFF, hops })).toEqual([
    { name: "service (API)", ms: 0.4 },
    { name: "tunnel, both ways", ms: 12 },
    { name: "later", ms: 1 },
    { name: "in all", ms: 84 },
  ]);
  expect(hopRows(OFF)).toEqual([]);
});
