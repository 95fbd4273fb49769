/** Which alerts open and which end, as a table of what is known. */
import { describe, expect, it } from "vitest";
import { changedSettings, DEFAULT_SETTINGS } from "./alert-settings.ts";
import { decideIncidents, type EcosystemState, type OpenAlert } from "./incidents.ts";

const MINUTE = 60_000;
const NOW = 10_000 * MINUTE;
const ago = (minutes: number) => NOW - minutes * MINUTE;
const NOTHING: EcosystemState = { hubs: [], batteries: [], webhooks: [], quotas: undefined };
const about = { name: "it", environmentId: null };

const hub = (online: boolean, since: number | null) => ({
  ...NOTHING,
  hubs: [{ id: "x", ...about, online, since }],
});
const battery = (percent: number | undefined, isLow = false) => ({
  ...NOTHING,
  batteries: [{ id: "x", ...about, percent, isLow, observedAt: ago(1) }],
});
const webhook = (failingSince: number | null, disabled = false) => ({
  ...NOTHING,
  webhooks: [{ id: "x", ...about, failingSince, disabled }],
});
const quota = (used: number, limit: number) => ({ ...NOTHING, quotas: [{ id: "x", used, limit }] });

const already = (kind: OpenAlert["kind"], minutes = 5): OpenAlert => ({
  ...{ id: "alt_1", kind, subjectId: "x", subjectName: "it", openedAt: ago(minutes) },
});

/** The decision in a word. */
function decide(state: EcosystemState, open: readonly OpenAlert[], upMinutes = 10_000, settings = DEFAULT_SETTINGS) {
  const { opened, ended } = decideIncidents(state, open, settings, { now: NOW, upSince: ago(upMinutes) });
  return opened.length > 0 ? "opens" : ended.length > 0 ? "ends" : "stays";
}

describe("an alert", () => {
  it.each([
    ["of a hub that has been offline for ten minutes", hub(false, ago(10)), [], "opens"],
    ["of a hub that has been offline for less", hub(false, ago(9.9)), [], "stays"],
    ["of a hub that is connected", hub(true, ago(100)), [], "stays"],
    ["of a hub that has never connected", hub(false, null), [], "stays"],
    ["of a hub that is still offline", hub(false, ago(15)), [already("hub_offline")], "stays"],
    ["of a hub that is connected again", hub(true, ago(1)), [already("hub_offline")], "ends"],
    ["of a hub that was connected meanwhile", hub(false, ago(1)), [already("hub_offline")], "ends"],
    ["of a hub that is gone", NOTHING, [already("hub_offline")], "ends"],
    ["of a battery above the limit", battery(16), [], "stays"],
    ["of a battery at the limit", battery(15), [], "opens"],
    ["of a battery that says it is low", battery(80, true), [], "opens"],
    ["of a battery that reports nothing", battery(undefined), [], "stays"],
    ["of a battery a little above the limit", battery(19), [already("battery_low")], "stays"],
    ["of a battery well above the limit", battery(20), [already("battery_low")], "ends"],
    ["of a battery that is full and still says low", battery(100, true), [already("battery_low")], "stays"],
    ["of a device that has no battery any more", NOTHING, [already("battery_low")], "ends"],
    ["of a webhook that fails for fifteen minutes", webhook(ago(15)), [], "opens"],
    ["of a webhook that fails for less", webhook(ago(14.9)), [], "stays"],
    ["of a webhook that does not fail", webhook(null), [], "stays"],
    ["of a webhook that is disabled", webhook(ago(100), true), [], "stays"],
    ["of a webhook that fails still", webhook(ago(20)), [already("webhook_failing")], "stays"],
    ["of a webhook that works again", webhook(null), [already("webhook_failing")], "ends"],
    ["of a webhook that was disabled", webhook(ago(100), true), [already("webhook_failing")], "ends"],
    ["of a quota at ninety percent", quota(90, 100), [], "opens"],
    ["of a quota below", quota(89, 100), [], "stays"],
    ["of a small quota that is full", quota(1, 1), [], "opens"],
    ["of a quota at eighty-five percent", quota(85, 100), [already("quota_near")], "stays"],
    ["of a quota at less", quota(84, 100), [already("quota_near")], "ends"],
    ["of a quota that was not counted", NOTHING, [already("quota_near")], "stays"],
  ] as const)("%s %s", (_title, state, open, expected) => {
    expect(decide(state, open)).toBe(expected);
  });

  it("of a hub waits from the start of the service on", () => {
    expect(decide(hub(false, ago(1_000)), [], 9)).toBe("stays");
    expect(decide(hub(false, ago(1_000)), [], 10)).toBe("opens");
    // What is open was so before, and has not ended by a restart.
    expect(decide(hub(false, ago(1_000)), [already("hub_offline", 500)], 1)).toBe("stays");
  });

  it("opens by the account's own limits, and not at all when it wants none", () => {
    const patient = changedSettings(DEFAULT_SETTINGS, { hubOffline: { minutes: 60 }, quotaNear: { percent: 50 } });
    expect(decide(hub(false, ago(59)), [], 10_000, patient)).toBe("stays");
    expect(decide(hub(false, ago(60)), [], 10_000, patient)).toBe("opens");
    expect(decide(quota(50, 100), [], 10_000, patient)).toBe("opens");
    const none = changedSettings(patient, { hubOffline: { enabled: false } });
    expect(none.hubOffline).toEqual({ enabled: false, minutes: 60 });
    expect(decide(hub(false, ago(100)), [], 10_000, none)).toBe("stays");
    expect(decide(hub(false, ago(100)), [already("hub_offline")], 10_000, none)).toBe("ends");
  });
});
