/** Door Lock. PINs and other credentials are never described: they are secrets of the people who have them. */
import { type Family, rawNumber, standard } from "../matter-property.ts";

const CLUSTER = "doorLock";
const LOCKED = 1;
const DOOR_STATES: ReadonlyMap<number, boolean> = new Map([
  [0, true],
  [1, false],
]);

export const locks: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const place = { endpoint, index };
  const locked = standard(place, "Lock", "locked", {
    of: [`${CLUSTER}.lockState`],
    // What is not fully locked, or unlatched, is not locked.
    read: (raw) => {
      const state = rawNumber(raw(CLUSTER, "lockState"));
      return typeof state === "number" ? state === LOCKED : state;
    },
    set: (value) => ({
      send: {
        command: { cluster: CLUSTER, command: value === true ? "lockDoor" : "unlockDoor", fields: {}, timed: true },
      },
      now: value,
    }),
  });
  const door = standard(place, "Contact", "open", {
    of: [`${CLUSTER}.doorState`],
    read: (raw) => {
      const state = rawNumber(raw(CLUSTER, "doorState"));
      return typeof state === "number" ? (DOOR_STATES.get(state) ?? null) : state;
    },
  });
  return [...locked, ...(endpoint.features(CLUSTER).has("doorPositionSensor") ? door : [])];
};
