/** Where a device is looked for, how it is reached there, and what is announced of it. */
import type { DevicePlace } from "@porchlight/driver-kit";
import type { DeviceAbout } from "@porchlight/shared/model";
import type { Secret } from "@porchlight/shared/settings";
import type { ByteLink } from "@porchlight/shared/wire";

export interface EspHomeEndpoint {
  readonly host: string;
  readonly port: number;
}

/** Opens a connection. @throws Error that says why it cannot be opened, the signal's reason */
export type OpenEspHome = (endpoint: EspHomeEndpoint, signal: AbortSignal) => Promise<ByteLink>;

export interface EspHomePlace extends DevicePlace {
  /** What is announced of it, which nobody has proved. */
  readonly announced: () => AnnouncedEspHome;
  readonly key?: Secret | undefined;
}

export interface AnnouncedEspHome {
  readonly edgeId?: string | undefined;
  readonly about?: DeviceAbout | undefined;
  readonly encrypts?: boolean | undefined;
}

/** Of devices whose settings name no other. */
export const USUAL_PORT = 6053;

/** `esphome 192.0.2.4`; with the port where it is not the usual one. */
export function transportOf({ host, port }: EspHomeEndpoint): string {
  return port === USUAL_PORT ? `esphome ${host}` : `esphome ${host}:${port}`;
}
