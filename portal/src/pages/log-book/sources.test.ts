/** Whose events stand in which log book. */
import type { PorchlightEvent } from "@porchlight/sdk";
import { describe, expect, it } from "vitest";
import { isNews, type LogBookFilter, type LogBookScope, sourcesOf } from "./sources.ts";

const PLACE = { ecosystemId: "eco_1", environmentId: "env_1" };
const DEVICE: LogBookScope = { ...PLACE, device: { id: "dev_1", hubId: "cli_1" } };
const ZONE: LogBookScope = {
  ...PLACE,
  zone: { id: "zon_1", deviceIds: new Set(["dev_1"]), hubIds: new Set(["cli_1"]) },
};
// Only what is looked at.
const event = (type: string, data: object, environmentId = "env_1") =>
  ({ type, data, environmentId, ecosystemId: "eco_1" }) as unknown as PorchlightEvent;
const VALUE = event("property.changed", { item: { deviceId: "dev_1" } });
const OTHER_VALUE = event("property.changed", { item: { deviceId: "dev_2" } });
const FAILED = event("command.unconfirmed", { id: "cmd_2", deviceId: "dev_1" });
const OTHER_FAILED = event("command.unconfirmed", { id: "cmd_3", deviceId: "dev_2" });
const COMMAND = event("command.completed", { id: "cmd_1", deviceId: "dev_1" });
const OFFLINE = event("hub.offline", { id: "cli_1" });
const OTHER_OFFLINE = event("hub.offline", { id: "cli_2" });
const ALL = [VALUE, OTHER_VALUE, COMMAND, FAILED, OTHER_FAILED, OFFLINE, OTHER_OFFLINE];
const shown = (scope: LogBookScope, filter: LogBookFilter = {}) =>
  ALL.filter((each) => sourcesOf(scope, filter).some((source) => source && isNews(source, each)));

describe("a log book", () => {
  it("of a device has its values and commands, and the presence of its hub", () => {
    expect(shown(DEVICE)).toEqual([VALUE, COMMAND, FAILED, OFFLINE]);
    expect(shown({ ...PLACE, device: { id: "dev_1", hubId: undefined } })).toEqual([VALUE, COMMAND, FAILED]);
  });

  it("of a zone has those of its devices and their hubs, and its own changes", () => {
    expect(shown(ZONE)).toEqual([VALUE, COMMAND, FAILED, OFFLINE]);
    const [source] = sourcesOf(ZONE, {});
    expect(isNews(source, event("zone.updated", { id: "zon_1" }))).toBe(true);
    expect(isNews(source, event("zone.updated", { id: "zon_2" }))).toBe(false);
    expect(isNews(source, event("hub.updated", { id: "cli_1" }))).toBe(false);
  });

  it("of an environment has everything in it, and nothing of another", () => {
    expect(shown(PLACE)).toEqual(ALL);
    const [source] = sourcesOf(PLACE, {});
    expect(isNews(source, event("hub.online", { id: "cli_1" }, "env_2"))).toBe(false);
  });

  it("of one kind asks for its types only, and of a hub only where that is the kind", () => {
    expect(shown(DEVICE, { kind: "values" })).toEqual([VALUE]);
    expect(shown(DEVICE, { kind: "commands" })).toEqual([COMMAND, FAILED]);
    expect(shown(DEVICE, { kind: "connections" })).toEqual([OFFLINE]);
    expect(sourcesOf(DEVICE, { kind: "values" }).map((source) => source?.filter.types)).toEqual([["property.*"]]);
  });

  it("of a time that is over takes in nothing new", () => {
    expect(shown(DEVICE, { until: "2026-11-26 14:00:00Z" })).toEqual([]);
    expect(sourcesOf(DEVICE, { since: "2026-11-26 14:00:00Z" })[0].filter.since).toBe("2026-11-26 14:00:00Z");
  });
});
