/** Valve Configuration and Control. */
import { readEither } from "@porchlight/driver-kit";
import { type Family, standard } from "../matter-property.ts";

const CLUSTER = "valveConfigurationAndControl";
const [OPEN, CLOSED] = [[1], [0]];

export const valves: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  return standard({ endpoint, index }, "Valve", "open", {
    of: [`${CLUSTER}.currentState`],
    // A moving valve is neither open nor closed.
    read: (raw) => readEither(raw(CLUSTER, "currentState"), OPEN, CLOSED),
    set: (value) => ({
      send: {
        command: {
          cluster: CLUSTER,
          command: value === true ? "open" : "close",
          ...(value === true && { fields: {} }),
        },
      },
      now: value,
    }),
  });
};
