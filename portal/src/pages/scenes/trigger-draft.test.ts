/** Triggers while they are changed. */
import type { Environment, SceneTrigger } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { homeOf } from "./scene-home.fixture.ts";
import { buttonsOf, newTrigger, triggerFault } from "./triggers.ts";

const zone = { timeZone: "Europe/Berlin" };
const home = { ...zone, location: { latitude: 52.5, longitude: 13.4 } };

test.each<[SceneTrigger, Pick<Environment, "timeZone" | "location">, string | undefined]>([
  [newTrigger("time", []), zone, undefined],
  [newTrigger("time", []), {}, "Set the time zone of the home first."],
  [{ kind: "time", at: "" }, zone, "Enter a time."],
  [{ kind: "time", at: "22:00", days: [] }, zone, "Choose at least one day."],
  [newTrigger("sun", []), home, undefined],
  [newTrigger("sun", []), zone, "Set the location of the home first."],
  [{ kind: "sun", event: "sunrise", offsetMinutes: -721 }, home, "At most 720 minutes."],
  [newTrigger("event", []), {}, "Choose a button."],
])("%j at %j: %s", (trigger, facts, fault) => expect(triggerFault(trigger, facts)).toBe(fault));

test("buttons are those of the hub, each with what it reports", () => {
  const button = (index: string, values?: string[]) => ({
    ...{ service: "Button", index },
    properties: [
      { property: "event", type: "string" as const, access: ["notify" as const], ...(values && { values }) },
    ],
  });
  const found = buttonsOf(
    homeOf(
      {
        bell: [button("0", ["press", "long"])],
        remote: [button("0", ["press"]), button("1", ["press"])],
        other: [button("0", ["press"])],
        odd: [button("0")],
      },
      {},
      { bell: "cli_1", remote: "cli_1", other: "cli_2", odd: "cli_1" },
    ),
    "cli_1",
  );
  expect(found.map(({ name, service }) => `${name} ${service}`)).toEqual([
    "bell Button:0.event",
    "remote, button 0 Button:0.event",
    "remote, button 1 Button:1.event",
  ]);
  expect(newTrigger("event", found)).toEqual({
    kind: "event",
    deviceId: "bell",
    service: "Button:0.event",
    value: "press",
  });
});
