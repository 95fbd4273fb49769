/** A property as it is shown and set, wherever it stands: what the device said, and what was asked for meanwhile. */
import type { Device, PropertyDescriptor } from "@porchlight/shared/api";
import { useSyncExternalStore } from "react";
import { useWrites } from "../live/context.tsx";
import type { Target } from "../live/target.ts";
import { type Shown, shownOf, type WriteState } from "../live/write-state.ts";
import type { How } from "../live/writes.ts";

export interface Written extends Shown {
  readonly target: Target;
  readonly state: WriteState;
  readonly ask: (value: unknown, how?: How) => void;
}

/** @param ttlSeconds so long a change waits for a hub that is away; at once or not at all when undefined */
export function useWritten(
  device: Pick<Device, "type">,
  target: Target,
  descriptor: PropertyDescriptor,
  ttlSeconds?: number | undefined,
): Written {
  const writes = useWrites();
  const state = useSyncExternalStore(writes.subscribe, () => writes.stateOf(target));
  const isReport = device.type === "virtual" && !descriptor.access.includes("write");
  return {
    ...shownOf(state, descriptor),
    target,
    state,
    ask: (value, how = { ttlSeconds }) => writes.ask(target, value, { ...how, ...(isReport && { report: true }) }),
  };
}
