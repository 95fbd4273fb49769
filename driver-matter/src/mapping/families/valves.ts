/** Valve Configuration and Control. */
import { type Family, rawNumber, standard } from "../matter-property.ts";

const CLUSTER = "valveConfigurationAndControl";
const STATES: ReadonlyMap<number, boolean> = new Map([
  [0, false],
  [1, true],
]);

export const valves: Family = (endpoint, index) => {
  if (!endpoint.clusters.has(CLUSTER)) return [];
  return standard({ endpoint, index }, "Valve", "open", {
    of: [`${CLUSTER}.currentState`],
    // While it moves it is neither.
    read: (raw) => {
      const state = rawNumber(raw(CLUSTER, "currentState"));
      return typeof state === "number" ? (STATES.get(state) ?? null) : state;
    },
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
