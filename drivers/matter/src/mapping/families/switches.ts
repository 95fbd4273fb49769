/** On/Off: plugs, lamps, and other switched devices. */
import type { Value } from "@porchlight/shared/model";
import { type Family, flag, rawNumber, standard } from "../matter-property.ts";

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
