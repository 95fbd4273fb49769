/** Door Lock. PINs and other credentials are secrets of the people who use them, so they are never described. */
import { readEither } from "@porchlight/driver-kit";
import { type Family, own, standard } from "../matter-property.ts";

const CLUSTER = "doorLock";
/** Lock states: locked; unlocked and unlatched. A partly locked or unknown state is neither. */
const [LOCKED, UNLOCKED] = [[1], [2, 3]];
/** Door states: open; closed. A jammed, forced or ajar door is neither. */
const [OPEN, CLOSED] = [[0], [1]];

export const locks: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const place = { endpoint, index };
  // A lock with a separate bolt also pulls the latch on a plain unlock command, which would open the door.
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
