/** What all controls of a device's page share: the device, how a value must be set, and what was read from the device itself. */
import type { Device, PropertyDescriptor } from "@porchlight/shared/api";
import { createContext, type ReactNode, use } from "react";
import { useWritten, type Written } from "../../../devices/main-control-view.tsx";
import { keyOf, type Target } from "../../../live/target.ts";
import type { LaterAnswer } from "../../../live/writes.ts";

export interface DevicePageContext {
  readonly device: Device;
  /** What the service answered of it last. */
  readonly answer: LaterAnswer;
  /** When a value of it was observed last; undefined while none was. */
  readonly heardAt: string | undefined;
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

export interface Property extends Written {
  /** What the device said last was read from it by this page; else it is what the service keeps. */
  readonly isRefreshed: boolean;
}

/** A property as it is shown, and how it is set. */
export function useProperty(target: Target, descriptor: PropertyDescriptor): Property {
  const { device, ttlSeconds, refreshed } = useDevicePage();
  const written = useWritten(device, target, descriptor, ttlSeconds);
  const { observedAt } = written.known;
  return { ...written, isRefreshed: observedAt !== undefined && refreshed.get(keyOf(target)) === observedAt };
}
