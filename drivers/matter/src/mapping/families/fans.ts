/** Fan Control. */
import { readEither } from "@porchlight/driver-kit";
import { type Family, percent, standard } from "../matter-property.ts";

const CLUSTER = "fanControl";
const OFF = 0;
const HIGH = 3;
/** Low, medium, high, on, auto and smart. */
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
    // What it is set to has no value while the fan chooses by itself: then it is how fast it turns.
    of: [`${CLUSTER}.percentSetting`, `${CLUSTER}.percentCurrent`],
    read: (raw) => percent(raw(CLUSTER, "percentSetting"), 100) ?? percent(raw(CLUSTER, "percentCurrent"), 100),
    set: (value) => ({
      send: { write: { cluster: CLUSTER, attribute: "percentSetting", value: Math.round(Number(value)) } },
      now: Math.round(Number(value)),
      // Fans with few speeds take the next of them.
      tolerance: 17,
    }),
  });
  return [...on, ...speed];
};
