/** Cuts the description of a device into messages: pure, because the limits of a message are easily broken by a strange device. */
import { type Describe, MAX_MESSAGE_BYTES } from "@porchlight/shared/tunnel";
import type { StoredDevice } from "../../state/index.ts";

/** Room for the envelope and for what each part repeats. */
const PART_BYTES = MAX_MESSAGE_BYTES - 32 * 1024;
/** Most services in a part (frames.ts). */
const PART_SERVICES = 64;

type Service = StoredDevice["description"][number];

/** A description's parts, in the words of the tunnel; `left`: services too large for any message. */
export interface Parts {
  readonly parts: readonly (Omit<Describe, "services"> & { readonly services: readonly Service[] })[];
  readonly left: readonly Service[];
}

export function describeParts(device: StoredDevice, partBytes = PART_BYTES): Parts {
  const { edgeId, digest, arrival, online, about } = device;
  const { cuts, left } = cut(device.description, partBytes);
  const head = { edgeId, digest, arrival, online, about, parts: cuts.length };
  return { parts: cuts.map((services, part) => ({ ...head, part, services })), left };
}

function cut(services: readonly Service[], partBytes: number): { cuts: Service[][]; left: Service[] } {
  const left: Service[] = [];
  let current: Service[] = [];
  const cuts = [current];
  let bytes = 0;
  for (const service of services) {
    const size = Buffer.byteLength(JSON.stringify(service));
    if (size > partBytes) {
      left.push(service);
      continue;
    }
    if (bytes + size > partBytes || current.length === PART_SERVICES) {
      current = [];
      cuts.push(current);
      bytes = 0;
    }
    current.push(service);
    bytes += size;
  }
  return { cuts, left };
}
