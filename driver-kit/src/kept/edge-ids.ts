/**
 * edgeIds of devices whose protocol gives them none: derived from the device's own ID, and stored under the identity of the first
 * announcement.
 */
import { createHash } from "node:crypto";
import { isEdgeId } from "@porchlight/shared/model";
import type { DriverStore } from "./driver-store.ts";

/**
 * An EUI-64 with the local bit set and the group bit clear, from 62 bits of the SHA-256 of its arguments, so that two of 10,000 devices
 * collide with a probability of 1 in 10^11.
 * @param kind of driver: `mqtt`
 * @param scope within which the id is unique, and which outlives restarts: a broker's base topic, a bridge's address
 * @param id of the device in its scope
 */
export function derivedEdgeId(kind: string, scope: string, id: string): string {
  const bytes = createHash("sha256").update(`${kind}\0${scope}\0${id}`).digest().subarray(0, 8);
  bytes.writeUInt8((bytes.readUInt8(0) & 0xfc) | 0x02);
  return edgeIdOf(bytes.toString("hex"));
}

/** An EUI-48 or EUI-64 in any of its usual spellings as an edgeId; undefined when the text is neither. */
export function edgeIdOfEui(text: string): string | undefined {
  const hex = text.replace(/^0x/i, "").replace(/[:.-]/g, "");
  return /^(?:[0-9a-f]{12}|[0-9a-f]{16})$/i.test(hex) ? edgeIdOf(hex) : undefined;
}

function edgeIdOf(hex: string): string {
  return (hex.toUpperCase().match(/../g) ?? []).join("-");
}

const PREFIX = "identity ";
/** Room for as many devices as a hub may have, and as many again that have left. */
const MOST = 2000;

/**
 * The edgeId under which a device was first announced: a device whose protocol gives it no EUI keeps its edgeId when its maker's next
 * version has an EUI.
 */
export class KeptIdentities {
  readonly #store: DriverStore | undefined;
  /** edgeIds by the devices' identities in their protocol. */
  readonly #edgeIds = new Map<string, string>();

  /** @param store undefined: nothing outlives the driver */
  constructor(store: DriverStore | undefined) {
    this.#store = store;
  }

  /** Must be awaited before any device is announced. @throws the store's errors */
  async load(): Promise<void> {
    for (const [key, value] of (await this.#store?.all(PREFIX)) ?? []) {
      const edgeId = Buffer.from(value).toString();
      if (isEdgeId(edgeId)) this.#edgeIds.set(key.slice(PREFIX.length), edgeId);
    }
  }

  /** The edgeId of the first announcement; `now` if there was none. @param identity of the device in its protocol */
  edgeIdOf(identity: string, now: string): string {
    return this.#edgeIds.get(identity) ?? now;
  }

  /** The edgeId of the first announcement; undefined if there was none. */
  find(identity: string): string | undefined {
    return this.#edgeIds.get(identity);
  }

  /** Whether an identity with that prefix is stored. */
  hasAny(prefix: string): boolean {
    return [...this.#edgeIds.keys()].some((identity) => identity.startsWith(prefix));
  }

  /** All identities that devices of that edgeId have had. */
  identitiesOf(edgeId: string): readonly string[] {
    return [...this.#edgeIds].flatMap(([identity, each]) => (each === edgeId ? [identity] : []));
  }

  /** The device has been announced to the hub. Settles when its identity is stored. @throws the store's errors */
  async keep(identity: string, edgeId: string): Promise<void> {
    if (this.#edgeIds.has(identity) || this.#edgeIds.size >= MOST) return;
    this.#edgeIds.set(identity, edgeId);
    await this.#store?.set(`${PREFIX}${identity}`, Buffer.from(edgeId));
  }
}
