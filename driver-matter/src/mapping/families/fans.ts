/** Fan Control. */
import { type Family, rawNumber, standard } from "../matter-property.ts";

const CLUSTER = "fanControl";
const OFF = 0;
const HIGH = 3;
/** What is more means "not known" to some. */
const FULL = 100;

export const fans: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  const place = { endpoint, index };
  const on = standard(place, "Fan", "on", {
    of: [`${CLUSTER}.fanMode`],
    read: (raw) => {
      const mode = rawNumber(raw(CLUSTER, "fanMode"));
      return typeof mode === "number" ? mode !== OFF : mode;
    },
    set: (value) => ({
      send: { write: { cluster: CLUSTER, attribute: "fanMode", value: value === true ? HIGH : OFF } },
      now: value,
    }),
  });
  const speed = standard(place, "Fan", "speed", {
    // What it is set to has no value while the fan chooses by itself: then it is how fast it turns.
    of: [`${CLUSTER}.percentSetting`, `${CLUSTER}.percentCurrent`],
    read: (raw) => {
      const percent = rawNumber(raw(CLUSTER, "percentSetting")) ?? rawNumber(raw(CLUSTER, "percentCurrent"));
      return typeof percent === "number" && percent > FULL ? null : percent;
    },
    set: (value) => ({
      send: { write: { cluster: CLUSTER, attribute: "percentSetting", value: Math.round(Number(value)) } },
      now: Math.round(Number(value)),
      // Fans with few speeds take the next of them.
      tolerance: 17,
    }),
  });
  return [...on, ...speed];
};
