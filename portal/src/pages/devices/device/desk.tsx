/** What all controls of a device's page share: the device, how a value is to be set, and what was read from the device itself. */
import type { Device, PropertyDescriptor } from "@porchlight/shared/api";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import { useWrites } from "../../../live/context.tsx";
import { keyOf, type Target } from "../../../live/target.ts";
import { type Shown, shownOf, type WriteState } from "../../../live/write-state.ts";
import type { How } from "../../../live/writes.ts";

export interface Desk {
  readonly device: Device;
  /** So long a change waits for a hub that is away, seconds; at once or not at all when undefined. */
  readonly ttlSeconds: number | undefined;
  /** `observedAt` of properties that this page has read from the device, by key. */
  readonly refreshed: ReadonlyMap<string, string>;
}

const DeskContext = createContext<Desk | undefined>(undefined);

export function DeskProvider({ desk, children }: { readonly desk: Desk; readonly children: ReactNode }) {
  return <DeskContext value={desk}>{children}</DeskContext>;
}

export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (!desk) throw new Error("There is no DeskProvider above this component.");
  return desk;
}

export interface Property extends Shown {
  readonly target: Target;
  readonly state: WriteState;
  /** What the device said last was read from it by this page; else it is what the service keeps. */
  readonly isRefreshed: boolean;
  readonly ask: (value: unknown, how?: How) => void;
}

/** A property as it is shown, and how it is set. */
export function useProperty(target: Target, descriptor: PropertyDescriptor): Property {
  const { device, ttlSeconds, refreshed } = useDesk();
  const writes = useWrites();
  const state = useSyncExternalStore(writes.subscribe, () => writes.stateOf(target));
  const shown = shownOf(state, descriptor);
  const { observedAt } = shown.known;
  const isReport = device.type === "virtual" && !descriptor.access.includes("write");
  return {
    ...shown,
    target,
    state,
    isRefreshed: observedAt !== undefined && refreshed.get(keyOf(target)) === observedAt,
    ask: (value, how = { ttlSeconds }) => writes.ask(target, value, { ...how, ...(isReport && { report: true }) }),
  };
}
