import type { PorchlightEvent } from "@porchlight/sdk";
import { expect, it } from "vitest";
import { aboutOf, deviceOfEvent } from "./about.ts";

const of = (type: string, data: unknown) => ({ type, data, sequence: 1 }) as PorchlightEvent;
const ITEM = { deviceId: "dev_1", service: "LightColor", index: "0", property: "hue", value: 120 };

it("a change names the property, both values, and the cause", () => {
  const changed = of("property.changed", { item: ITEM, previousValue: 0, cause: { kind: "command" } });
  expect(aboutOf(changed)).toEqual({ id: "dev_1", name: undefined, what: "LightColor.hue: 0 → 120 (command)" });
  const second = { item: { ...ITEM, index: "1" }, cause: { kind: "device" } };
  expect(aboutOf(of("property.changed", second)).what).toBe("LightColor:1.hue: 120 (device)");
});

it("a command names its outcome", () => {
  const data = { ...ITEM, state: "failed", outcome: "unknown" };
  expect(aboutOf(of("command.completed", data)).what).toBe("LightColor.hue: 120, failed, unknown");
  expect(aboutOf(of("command.completed", { ...data, state: "rejected", outcome: "rejected" })).what).toBe(
    "LightColor.hue: 120, rejected",
  );
});

it("every other event names its object", () => {
  expect(
    aboutOf(of("hub.offline", { id: "cli_1", alias: "hall", meta: {}, connection: { reason: "lease_expired" } })),
  ).toEqual({
    id: "cli_1",
    name: "hall",
    what: "lease expired",
  });
  expect(aboutOf(of("user.created", { id: "usr_1", key: "a-key", meta: {} })).name).toBe("a-key");
  expect(aboutOf(of("webhook.test", { id: "whk_1", url: "https://receiver.example/" })).name).toBe(
    "https://receiver.example/",
  );
  expect(aboutOf(of("lamp.exploded", null))).toEqual({ id: undefined, name: undefined, what: "" });
});

it("a long value is cut", () => {
  const long = of("property.changed", { item: { ...ITEM, value: "x".repeat(16_000) }, cause: { kind: "device" } });
  expect(aboutOf(long).what.length).toBeLessThan(120);
});

it("only what happens to a device is of one", () => {
  expect(deviceOfEvent(of("property.changed", { item: ITEM, cause: { kind: "device" } }))).toBe("dev_1");
  expect(deviceOfEvent(of("device.online", { id: "dev_2", meta: {} }))).toBe("dev_2");
  expect(deviceOfEvent(of("hub.online", { id: "cli_1", meta: {} }))).toBeUndefined();
});
