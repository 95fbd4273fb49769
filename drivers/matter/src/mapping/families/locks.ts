/** Door Lock. PINs and other credentials are never described: they are secrets of the people who have them. */
import { readEither } from "@porchlight/driver-kit";
import { type Family, own, standard } from "../matter-property.ts";

const CLUSTER = "doorLock";
/** Locked; unlocked and unlatched. One that is not fully locked, and a state that is not listed, is neither. */
const [LOCKED, UNLOCKED] = [[1], [2, 3]];
/** Open; closed. One that is jammed, forced or ajar without a word for it is neither. */
const [OPEN, CLOSED] = [[0], [1]];

export const locks: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const place = { endpoint, index };
  // A lock that can draw its bolt alone also pulls the latch when it is told to unlock: the door would stand open.
  const canUnbolt = endpoint.features(CLUSTER).has("unbolting");
  const unlock = canUnbolt ? "unboltDoor" : "unlockDoor";
  const locked = standard(place, "Lock", "locked", {
    of: [`${CLUSTER}.lockState`],
    read: (raw) => readEither(raw(CLUSTER, "lockState"), LOCKED, UNLOCKED),
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
    read: (raw) => readEither(raw(CLUSTER, "doorState"), OPEN, CLOSED),
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
