/**
 * Outputs: On/Off (plugs, lamps and other switched devices), Level Control (brightness, volume, setpoint), fans, locks and valves, and
 * Identify.
 */
import { readEither } from "@porchlight/driver-kit";
import type { Value } from "@porchlight/shared/model";
import { type Family, flag, NULL_8, own, percent, rawNumber, scaled, standard } from "../matter-property.ts";

/** Behaviour when power returns, by number; `null` restores the previous state. */
const START_UP: ReadonlyMap<number | null, string> = new Map([
  [0, "off"],
  [1, "on"],
  [2, "toggle"],
  [null, "previous"],
]);

export const switches: Family = (endpoint, index) => {
  if (!endpoint.clusters.has("onOff")) return [];
  const place = { endpoint, index };
  // Devices that can only be switched off remotely, such as a cooktop, for safety.
  const isOffOnly = endpoint.features("onOff").has("offOnly");
  const on = standard(place, "Switch", "on", {
    of: ["onOff.onOff"],
    read: (raw) => flag(raw("onOff", "onOff")),
    set: (value) => {
      if (value === true && isOffOnly) throw new Error("The device can only be switched off from afar.");
      return { send: { command: { cluster: "onOff", command: value === true ? "on" : "off" } }, now: value };
    },
  });
  if (endpoint.attribute("onOff", "startUpOnOff") === undefined) return on;
  const startUp = standard(place, "Switch", "startUp", {
    of: ["onOff.startUpOnOff"],
    read: (raw) => wordOf(raw("onOff", "startUpOnOff")),
    set: (value) => ({
      send: { write: { cluster: "onOff", attribute: "startUpOnOff", value: numberOf(value) } },
      now: value,
    }),
  });
  return [...on, ...startUp];
};

function wordOf(raw: unknown): Value | undefined {
  if (raw === undefined) return undefined;
  const number = rawNumber(raw);
  return raw === null || typeof number === "number" ? (START_UP.get(number ?? null) ?? null) : null;
}

function numberOf(value: Value): number | null {
  return [...START_UP].find(([, word]) => word === value)?.[0] ?? null;
}

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

const FAN_CONTROL = "fanControl";
const OFF = 0;
const HIGH = 3;
/** Modes low, medium, high, on, auto and smart. */
const ON = [1, 2, HIGH, 4, 5, 6];

export const fans: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(FAN_CONTROL)) return [];
  const place = { endpoint, index };
  const on = standard(place, "Fan", "on", {
    of: [`${FAN_CONTROL}.fanMode`],
    read: (raw) => readEither(raw(FAN_CONTROL, "fanMode"), ON, [OFF]),
    set: (value) => ({
      send: { write: { cluster: FAN_CONTROL, attribute: "fanMode", value: value === true ? HIGH : OFF } },
      now: value,
    }),
  });
  const speed = standard(place, "Fan", "speed", {
    // The setting is `null` while the fan chooses its own speed; the current speed then counts.
    of: [`${FAN_CONTROL}.percentSetting`, `${FAN_CONTROL}.percentCurrent`],
    read: (raw) => percent(raw(FAN_CONTROL, "percentSetting"), 100) ?? percent(raw(FAN_CONTROL, "percentCurrent"), 100),
    set: (value) => ({
      send: { write: { cluster: FAN_CONTROL, attribute: "percentSetting", value: Math.round(Number(value)) } },
      now: Math.round(Number(value)),
      // Fans with few speeds choose the next one.
      tolerance: 17,
    }),
  });
  return [...on, ...speed];
};

const DOOR_LOCK = "doorLock";
/** Lock states: locked; unlocked and unlatched. A partly locked or unknown state is neither. */
const [LOCKED, UNLOCKED] = [[1], [2, 3]];
/** Door states: open; closed. A jammed, forced or ajar door is neither. */
const [DOOR_OPEN, DOOR_CLOSED] = [[0], [1]];

/** PINs and other credentials are secrets of the people who use them, so they are never described. */
export const locks: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(DOOR_LOCK)) return [];
  const place = { endpoint, index };
  // A lock with a separate bolt also pulls the latch on a plain unlock command, which would open the door.
  const canUnbolt = endpoint.features(DOOR_LOCK).has("unbolting");
  const unlock = canUnbolt ? "unboltDoor" : "unlockDoor";
  const locked = standard(place, "Lock", "locked", {
    of: [`${DOOR_LOCK}.lockState`],
    read: (raw) => readEither(raw(DOOR_LOCK, "lockState"), LOCKED, UNLOCKED),
    set: (value) => ({ send: command(value === true ? "lockDoor" : unlock), now: value }),
  });
  const latch = own(
    place,
    "Settings",
    { property: "unlatch", type: "boolean", values: [true] },
    {
      of: [],
      read: () => undefined,
      set: () => ({ send: command("unlockDoor"), now: true, isAcceptedOnly: true }),
    },
  );
  const door = standard(place, "Contact", "open", {
    of: [`${DOOR_LOCK}.doorState`],
    read: (raw) => readEither(raw(DOOR_LOCK, "doorState"), DOOR_OPEN, DOOR_CLOSED),
  });
  return [
    ...locked,
    ...(canUnbolt ? [latch] : []),
    ...(endpoint.features(DOOR_LOCK).has("doorPositionSensor") ? door : []),
  ];
};

function command(name: string) {
  return { command: { cluster: DOOR_LOCK, command: name, fields: {}, timed: true } };
}

const VALVE = "valveConfigurationAndControl";
const [VALVE_OPEN, VALVE_CLOSED] = [[1], [0]];

export const valves: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(VALVE)) return [];
  return standard({ endpoint, index }, "Valve", "open", {
    of: [`${VALVE}.currentState`],
    // A moving valve is neither open nor closed.
    read: (raw) => readEither(raw(VALVE, "currentState"), VALVE_OPEN, VALVE_CLOSED),
    set: (value) => ({
      send: {
        command: {
          cluster: VALVE,
          command: value === true ? "open" : "close",
          ...(value === true && { fields: {} }),
        },
      },
      now: value,
    }),
  });
};

const IDENTIFY = "identify";
/** Duration, s: long enough to walk to the device. */
const LONG = 30;

export const identify: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(IDENTIFY)) return [];
  return standard({ endpoint, index }, "Identify", "active", {
    of: [`${IDENTIFY}.identifyTime`],
    read: (raw) => {
      const left = rawNumber(raw(IDENTIFY, "identifyTime"));
      return typeof left === "number" ? left > 0 : left;
    },
    set: (value) => ({
      send: {
        command: { cluster: IDENTIFY, command: "identify", fields: { identifyTime: value === true ? LONG : 0 } },
      },
      now: value,
    }),
  });
};
