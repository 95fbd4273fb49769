/** Reports the hub's devices to the cloud: the list when its digest has changed, and descriptions on the cloud's request. */
import type { Log } from "@porchlight/shared/kernel";
import { type Describe, frames, MAX_MESSAGE_BYTES, type Peer, PeerRefused } from "@porchlight/shared/tunnel";
import type { State, StoredDevice } from "../state/index.ts";

export interface InventoryDeps {
  readonly log: Log;
  readonly peer: Peer;
  readonly state: Pick<State, "devices" | "device" | "inventoryDigest">;
  /** Digest of the cloud's list; undefined when the cloud asks for the list. */
  readonly listed: string | undefined;
  /** Whether the cloud's list is current: records may be sent, or must wait. */
  readonly inStep: (inStep: boolean) => void;
  /** Called with devices that live on another hub of the home. */
  readonly claimed: (edgeIds: readonly string[]) => void;
  /** The tunnel cannot be used any more. */
  readonly failed: (why: unknown) => void;
}

const ANSWER_MS = 30_000;
/** Maximum descriptions in flight. */
const SIDE_BY_SIDE = 8;

export class Inventory {
  readonly #deps: InventoryDeps;
  #listed: string | undefined;
  #running = false;

  constructor(deps: InventoryDeps) {
    this.#deps = deps;
    this.#listed = deps.listed;
  }

  /** Compares the devices with the last reported list, and reports them if they differ. */
  check(): void {
    if (this.#running) return;
    if (this.#listed === this.#deps.state.inventoryDigest) {
      this.#deps.inStep(true);
      return;
    }
    this.#deps.inStep(false);
    this.#running = true;
    void this.#tell();
  }

  async #tell(): Promise<void> {
    const { state, inStep, failed } = this.#deps;
    try {
      // Devices may arrive while others are described.
      while (this.#listed !== state.inventoryDigest) {
        const digest = state.inventoryDigest;
        await this.#tellList(digest);
        this.#listed = digest;
      }
      inStep(true);
    } catch (failure) {
      failed(failure);
    } finally {
      this.#running = false;
    }
  }

  async #tellList(digest: string): Promise<void> {
    const { peer, state } = this.#deps;
    const devices = state.devices().map(({ edgeId, digest, arrival, online }) => ({ edgeId, digest, arrival, online }));
    const answer = await peer.ask("inventory", { digest, devices }, { timeoutMs: ANSWER_MS });
    const { wanted, claimed } = frames.inventoryAnswer.parse(answer);
    if (claimed.length > 0) this.#deps.claimed(claimed);
    const next = wanted.flatMap((edgeId) => state.device(edgeId) ?? []).values();
    const worker = async () => {
      for (const device of next) await this.#describe(device);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  }

  async #describe(device: StoredDevice): Promise<void> {
    const { peer, log } = this.#deps;
    const { parts, left } = describeParts(device);
    for (const { service, index } of left) {
      log.warn({ device: device.edgeId, service, index }, "the description of a service is too large to be sent");
    }
    try {
      for (const part of parts) await peer.ask("describe", part, { timeoutMs: ANSWER_MS });
    } catch (failure) {
      // The cloud rejects this device; the others are reported all the same.
      if (!(failure instanceof PeerRefused)) throw failure;
      log.warn({ device: device.edgeId, reason: failure.message }, "the cloud refused the description of a device");
    }
  }
}

/** Room for the envelope and for the fields that each part repeats. */
const PART_BYTES = MAX_MESSAGE_BYTES - 32 * 1024;
/** Maximum services in a part (frames.ts). */
const PART_SERVICES = 64;

type Service = StoredDevice["description"][number];

/** A description's parts as frames; `left`: services too large for any message. */
interface Parts {
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
