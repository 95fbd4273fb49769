/** Level Control: how bright a lamp is, and how loud a speaker. */
import { type Family, own, rawNumber, scaled, standard } from "../matter-property.ts";

const FULL = 254;
const SPEAKER = 0x0022;
/** Half a step of 254. */
const TOLERANCE = 0.3;

export const levels: Family = (endpoint, index) => {
  if (!endpoint.clusters.has("levelControl")) return [];
  const parts = {
    of: ["levelControl.currentLevel"],
    read: (raw: (cluster: string, attribute: string) => unknown) =>
      scaled(raw("levelControl", "currentLevel"), (level) => (level * 100) / FULL, 1),
    set: (value: unknown) => setting(Number(value)),
  };
  if (endpoint.deviceTypes.includes(SPEAKER)) {
    const volume = { property: "volume", type: "number" as const, unit: "%", min: 0, max: 100 };
    return [own({ endpoint, index }, "Speaker", volume, { ...parts, set: undefined })];
  }
  // A lamp has no level that is off: it is switched off. What it cannot be set to is not offered.
  const lowest = rawNumber(endpoint.attribute("levelControl", "minLevel")) ?? 1;
  const min = lowest > 0 ? Math.ceil((lowest * 100) / FULL) : 0;
  return standard({ endpoint, index }, "LightLevel", "level", parts, min > 0 ? { min } : {});
};

/** Setting a level also switches the lamp on, as with lamps of other protocols. */
function setting(percent: number) {
  const level = Math.max(percent > 0 ? 1 : 0, Math.round((percent * FULL) / 100));
  const fields = { level, transitionTime: null, optionsMask: {}, optionsOverride: {} };
  return {
    send: { command: { cluster: "levelControl", command: "moveToLevelWithOnOff", fields } },
    now: Number(((level * 100) / FULL).toFixed(1)),
    tolerance: TOLERANCE,
  };
}
