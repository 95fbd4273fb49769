/** Where a device with a connection of its own is looked for, and what is known of it. Apart from the lines, so that their parts share it. */
import type { DeviceAbout } from "@porchlight/shared/model";
import type { Candidate } from "../host/admission.ts";
import type { OfferableDevice } from "./offered-device.ts";

/** Where a device is looked for. */
export interface DevicePlace {
  /** For people, and for logs: the address that the settings name, or the name that is announced. */
  readonly name: string;
  /** Its address now; undefined when it is not announced any more: the line ends with its connection. */
  readonly endpoint: () => { readonly host: string; readonly port: number } | undefined;
  /** Somebody has named it in the settings: that admits it as `all` would. */
  readonly isListed: boolean;
}

/** What is known of the device of a line. */
export interface KnownDevice {
  readonly edgeId: string;
  readonly about: DeviceAbout;
  /** As far as it has been described. */
  readonly services: readonly string[];
}

export interface LineDevice extends OfferableDevice {
  /** It can hurt, or let somebody in, by a part that is of no standard class; left out: it cannot. */
  readonly isSensitive?: boolean;
}

export interface LineCandidate extends Candidate {
  readonly isListed: boolean;
}
