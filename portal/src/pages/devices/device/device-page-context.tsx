/** What all controls of a device's page share: the device, how a value must be set, and what was read from the device itself. */
import type { Device, PropertyDescriptor } from "@porchlight/shared/api";
import { createContext, type ReactNode, use, useSyncExternalStore } from "react";
import { useWrites } from "../../../live/context.tsx";
import type { LaterAnswer } from "../../../live/contradicted.ts";
import { keyOf, type Target } from "../../../live/target.ts";
import { type Shown, shownOf, type WriteState } from "../../../live/write-state.ts";
import type { How } from "../../../live/writes.ts";

export interface DevicePageContext {
  readonly device: Device;
  /** What the service answered of it last. */
  readonly answer: LaterAnswer;
  /** So long a change waits for a hub that is away, seconds; at once or not at all when undefined. */
  readonly ttlSeconds: number | undefined;
  /** `observedAt` of properties that this page has read from the device, by key. */
  readonly refreshed: ReadonlyMap<string, string>;
}

const PageContext = createContext<DevicePageContext | undefined>(undefined);

export function DevicePageProvider({
  page,
  children,
}: {
  readonly page: DevicePageContext;
  readonly children: ReactNode;
}) {
  return <PageContext value={page}>{children}</PageContext>;
}

export function useDevicePage(): DevicePageContext {
  const page = use(PageContext);
  if (!page) throw new Error("There is no DevicePageProvider above this component.");
  return page;
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
  const { device, ttlSeconds, refreshed } = useDevicePage();
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
