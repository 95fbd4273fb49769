/** Door Lock. PINs and other credentials are never described: they are secrets of the people who have them. */
import { type Family, own, rawNumber, standard } from "../matter-property.ts";

const CLUSTER = "doorLock";
const LOCKED = 1;
const DOOR_STATES: ReadonlyMap<number, boolean> = new Map([
  [0, true],
  [1, false],
]);

export const locks: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const place = { endpoint, index };
  // A lock that can draw its bolt alone also pulls the latch when it is told to unlock: the door would stand open.
  const canUnbolt = endpoint.features(CLUSTER).has("unbolting");
  const unlock = canUnbolt ? "unboltDoor" : "unlockDoor";
  const locked = standard(place, "Lock", "locked", {
    of: [`${CLUSTER}.lockState`],
    // What is not fully locked, or unlatched, is not locked.
    read: (raw) => {
      const state = rawNumber(raw(CLUSTER, "lockState"));
      return typeof state === "number" ? state === LOCKED : state;
    },
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
    of: [`${CLUSTER}.doorState`],
    read: (raw) => {
      const state = rawNumber(raw(CLUSTER, "doorState"));
      return typeof state === "number" ? (DOOR_STATES.get(state) ?? null) : state;
    },
  });
  return [
    ...locked,
    ...(canUnbolt ? [latch] : []),
    ...(endpoint.features(CLUSTER).has("doorPositionSensor") ? door : []),
  ];
};

function command(name: string) {
  return { command: { cluster: CLUSTER, command: name, fields: {}, timed: true } };
}
