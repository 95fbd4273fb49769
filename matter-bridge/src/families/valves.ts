/** `Valve` as ValveConfigurationAndControl; it stays open until it is closed, because the hub has no timer for it. */
import type { DescribedProperty } from "@porchlight/shared/model";
import { DEVICE_TYPES, type Part, type ShownCluster, type Unclaimed } from "../parts/part.ts";

const STATE = { closed: 0, open: 1 };

export function valves(unclaimed: Unclaimed): Part[] {
  return unclaimed.indexes("Valve").flatMap((index) => {
    const open = unclaimed.settable("Valve", index, "open");
    if (!open) return [];
    unclaimed.claim(open);
    const clusters = [valveCluster(open)];
    return [{ key: `valve:${index}`, type: DEVICE_TYPES.waterValve, hasGroups: false, clusters }];
  });
}

function valveCluster(open: DescribedProperty): ShownCluster {
  return {
    cluster: "valveConfigurationAndControl",
    features: [],
    attributes: (values) => {
      const value = values.value(open.key);
      const state = typeof value !== "boolean" ? null : value ? STATE.open : STATE.closed;
      return {
        currentState: state,
        targetState: null,
        openDuration: null,
        defaultOpenDuration: null,
        remainingDuration: null,
      };
    },
    commands: {
      open: ({ openDuration }) =>
        typeof openDuration === "number" ? { refused: "constraint" } : [{ key: open.key, value: true }],
      close: () => [{ key: open.key, value: false }],
    },
    writes: { defaultOpenDuration: (value) => (value === null ? [] : { refused: "constraint" }) },
  };
}
