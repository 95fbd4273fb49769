/** Fan Control: on, and speed. */
import { readEither } from "@porchlight/driver-kit";
import { type Family, percent, standard } from "../matter-property.ts";

const CLUSTER = "fanControl";
const OFF = 0;
const HIGH = 3;
/** Modes low, medium, high, on, auto and smart. */
const ON = [1, 2, HIGH, 4, 5, 6];

export const fans: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const place = { endpoint, index };
  const on = standard(place, "Fan", "on", {
    of: [`${CLUSTER}.fanMode`],
    read: (raw) => readEither(raw(CLUSTER, "fanMode"), ON, [OFF]),
    set: (value) => ({
      send: { write: { cluster: CLUSTER, attribute: "fanMode", value: value === true ? HIGH : OFF } },
      now: value,
    }),
  });
  const speed = standard(place, "Fan", "speed", {
    // The setting is `null` while the fan chooses its own speed; the current speed then counts.
    of: [`${CLUSTER}.percentSetting`, `${CLUSTER}.percentCurrent`],
    read: (raw) => percent(raw(CLUSTER, "percentSetting"), 100) ?? percent(raw(CLUSTER, "percentCurrent"), 100),
    set: (value) => ({
      send: { write: { cluster: CLUSTER, attribute: "percentSetting", value: Math.round(Number(value)) } },
      now: Math.round(Number(value)),
      // Fans with few speeds choose the next one.
      tolerance: 17,
    }),
  });
  return [...on, ...speed];
};
