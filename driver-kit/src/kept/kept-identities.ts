/**
 * What a device was called when it was first told: a device whose protocol gives it no EUI keeps its edgeId when its maker's next
 * version does.
 */
import { isEdgeId } from "@porchlight/shared/model";
import type { DriverStore } from "./driver-store.ts";

const PREFIX = "identity ";
/** As many as a hub may have devices, and as many again that have gone. */
const MOST = 2000;

export class KeptIdentities {
  readonly #store: DriverStore | undefined;
  /** edgeIds by what the devices are known by in their protocol. */
  readonly #edgeIds = new Map<string, string>();

  /** @param store undefined: nothing outlives the driver */
  constructor(store: DriverStore | undefined) {
    this.#store = store;
  }

  /** To be awaited before any device is told. @throws what the store throws */
  async load(): Promise<void> {
    for (const [key, value] of (await this.#store?.all(PREFIX)) ?? []) {
      const edgeId = Buffer.from(value).toString();
      if (isEdgeId(edgeId)) this.#edgeIds.set(key.slice(PREFIX.length), edgeId);
    }
  }

  /** As it was first told; as it is now, when it never was. @param identity what the device is known by in its protocol */
  edgeIdOf(identity: string, now: string): string {
    return this.#edgeIds.get(identity) ?? now;
  }

  /** As it was first announced; undefined when it never was. */
  find(identity: string): string | undefined {
    return this.#edgeIds.get(identity);
  }

  /** Whether anything is kept under an identity that begins so. */
  hasAny(prefix: string): boolean {
    return [...this.#edgeIds.keys()].some((identity) => identity.startsWith(prefix));
  }

  /** All that devices of that edgeId were known by. */
  identitiesOf(edgeId: string): readonly string[] {
    return [...this.#edgeIds].flatMap(([identity, each]) => (each === edgeId ? [identity] : []));
  }

  /** The hub has been told of the device. Settles when that is kept. @throws what the store throws */
  async keep(identity: string, edgeId: string): Promise<void> {
    if (this.#edgeIds.has(identity) || this.#edgeIds.size >= MOST) return;
    this.#edgeIds.set(identity, edgeId);
    await this.#store?.set(`${PREFIX}${identity}`, Buffer.from(edgeId));
  }
}
