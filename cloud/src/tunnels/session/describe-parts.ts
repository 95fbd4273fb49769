/** Puts descriptions together that came in parts, within bounds that a hub cannot make the cloud exceed. */
import type { ServiceDescription } from "@porchlight/shared/model";
import type { Describe } from "@porchlight/shared/tunnel";
import type { DescribedDevice } from "./hub-listener.ts";

/** Devices whose description may be incomplete at one time. */
const MOST_OPEN = 8;
/** Services of one device. */
const MOST_SERVICES = 64;

export type Assembled =
  | { readonly kind: "complete"; readonly device: DescribedDevice }
  | { readonly kind: "partial" }
  /** Parts out of order, of another digest, or too many. */
  | { readonly kind: "malformed" };

export class DescribeParts {
  readonly #open = new Map<string, { readonly digest: string; next: number; services: ServiceDescription[] }>();

  add(part: Describe): Assembled {
    const { edgeId, digest, arrival, online, about } = part;
    if (part.part === 0) this.#open.set(edgeId, { digest, next: 0, services: [] });
    const open = this.#open.get(edgeId);
    if (open?.digest !== digest || open.next !== part.part || part.part >= part.parts) return this.#drop(edgeId);
    open.next += 1;
    open.services.push(...part.services);
    if (this.#open.size > MOST_OPEN || open.services.length > MOST_SERVICES) return this.#drop(edgeId);
    if (open.next < part.parts) return { kind: "partial" };
    this.#open.delete(edgeId);
    return { kind: "complete", device: { edgeId, digest, arrival, online, about, services: open.services } };
  }

  #drop(edgeId: string): Assembled {
    this.#open.delete(edgeId);
    return { kind: "malformed" };
  }
}
