/** Level Control: brightness of a lamp, volume of a speaker, setpoint of a pump. */
import { type Family, NULL_8, own, percent, rawNumber, scaled, standard } from "../matter-property.ts";

const FULL = 254;
const SPEAKER = 0x0022;
const PUMP = 0x0303;
/** On/off light, plug and mounted control. Their level serves group commands only: it switches them on or off. */
const ON_OFF: ReadonlySet<number> = new Set([0x0100, 0x010a, 0x010f]);
/** A pump counts half per cents; higher values mean its maximum. */
const FULL_PUMP = 200;
/** Half a step of 254. */
const TOLERANCE = 0.3;

export const levels: Family = (endpoint, index) => {
  if (!endpoint.clusters.has("levelControl")) return [];
  const parts = {
    of: ["levelControl.currentLevel"],
    read: (raw: (cluster: string, attribute: string) => unknown) => percent(raw("levelControl", "currentLevel"), FULL),
    set: (value: unknown) => setting(Number(value)),
  };
  if (endpoint.deviceTypes.includes(SPEAKER)) {
    const volume = { property: "volume", type: "number" as const, unit: "%", min: 0, max: 100 };
    return [own({ endpoint, index }, "Speaker", volume, { ...parts, set: undefined })];
  }
  if (endpoint.deviceTypes.some((each) => ON_OFF.has(each))) return [];
  if (endpoint.deviceTypes.includes(PUMP)) {
    const setpoint = { property: "setpoint", type: "number" as const, unit: "%", min: 0, max: 100 };
    return [
      own({ endpoint, index }, "Pump", setpoint, {
        of: ["levelControl.currentLevel"],
        read: (raw) =>
          scaled(raw("levelControl", "currentLevel"), (level) => Math.min(level, FULL_PUMP) / 2, 1, NULL_8),
        set: (value) => moveTo(Math.round(Number(value) * 2), (level) => level / 2, 0.5),
      }),
    ];
  }
  // A level of 0 is not offered, because a lamp is switched off instead; neither are levels below the device's minimum.
  const lowest = rawNumber(endpoint.attribute("levelControl", "minLevel")) ?? 1;
  const min = lowest > 0 ? Math.ceil((lowest * 100) / FULL) : 0;
  return standard({ endpoint, index }, "LightLevel", "level", parts, min > 0 ? { min } : {});
};

/** Setting a level also switches the lamp on, as in other protocols. */
function setting(percent: number) {
  const level = Math.max(percent > 0 ? 1 : 0, Math.round((percent * FULL) / 100));
  return moveTo(level, () => Number(((level * 100) / FULL).toFixed(1)), TOLERANCE);
}

function moveTo(level: number, now: (level: number) => number, tolerance: number) {
  const fields = { level, transitionTime: null, optionsMask: {}, optionsOverride: {} };
  const command = { cluster: "levelControl", command: "moveToLevelWithOnOff", fields };
  return { send: { command }, now: now(level), tolerance };
}
