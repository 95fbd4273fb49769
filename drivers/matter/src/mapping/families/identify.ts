/** Identify: the device shows itself, such as by blinking. */
import { type Family, rawNumber, standard } from "../matter-property.ts";

const CLUSTER = "identify";
/** Duration, s: long enough to walk to the device. */
const LONG = 30;

export const identify: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  return standard({ endpoint, index }, "Identify", "active", {
    of: [`${CLUSTER}.identifyTime`],
    read: (raw) => {
      const left = rawNumber(raw(CLUSTER, "identifyTime"));
      return typeof left === "number" ? left > 0 : left;
    },
    set: (value) => ({
      send: { command: { cluster: CLUSTER, command: "identify", fields: { identifyTime: value === true ? LONG : 0 } } },
      now: value,
    }),
  });
};
