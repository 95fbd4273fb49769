/**
 * The bridges that this hub is paired with, each with a link that finds the bridge wherever it is on the network.
 *
 * The link tries in turn the last address, the announced ones, and addresses from the settings that have answered with the bridge's ID.
 * Only a certificate proves that it is the bridge: an address is stored only after a connection to it has succeeded.
 */
import type { Log } from "@porchlight/shared/kernel";
import {
  type BridgeAddress,
  CertificateRefused,
  KeyRefused,
  type OpenBridge,
  placeOf,
} from "./bridge/bridge-failures.ts";
import type { BridgeLink } from "./bridge/bridge-link.ts";
import type { KeptBridge, KeptBridges } from "./bridge/kept-bridges.ts";

export interface PairedBridgesDeps {
  readonly log: Log;
  readonly kept: KeptBridges;
  /** Announced addresses of a bridge; undefined where the hub does not listen for announcements. */
  readonly announced: (bridgeId: string) => readonly BridgeAddress[] | undefined;
  /** Opens a paired bridge at its address. */
  readonly open: (bridgeId: string, bridge: KeptBridge) => OpenBridge;
  readonly link: (bridgeId: string, open: OpenBridge) => BridgeLink;
}

export class PairedBridges implements AsyncDisposable {
  readonly #deps: PairedBridgesDeps;
  readonly #links = new Map<string, BridgeLink>();
  /** Addresses from the settings that have answered with a bridge's ID, by bridge. */
  readonly #answered = new Map<string, BridgeAddress>();
  #isEnding = false;

  constructor(deps: PairedBridgesDeps) {
    this.#deps = deps;
    for (const bridgeId of deps.kept.all.keys()) this.#start(bridgeId);
  }

  get links(): readonly BridgeLink[] {
    return [...this.#links.values()];
  }

  has(bridgeId: string): boolean {
    return this.#links.has(bridgeId);
  }

  /** Whether the paired bridge must be paired again, which a person does by pressing its button. */
  mustBePaired(bridgeId: string): boolean {
    const failure = this.#links.get(bridgeId)?.failure;
    return failure instanceof KeyRefused || failure instanceof CertificateRefused;
  }

  /** Each paired bridge with its last address and the reason why it cannot be used. */
  all() {
    return [...this.#links].map(([bridgeId, link]) => {
      const { host = "", port = 443, pairedAt } = this.#deps.kept.all.get(bridgeId) ?? {};
      const announced = this.#deps.announced(bridgeId);
      const isAnnounced = announced && announced.length > 0;
      const address = { host, port };
      return {
        bridgeId,
        address,
        place: placeOf(address),
        pairedAt,
        isUp: link.isUp,
        failure: link.failure,
        isAnnounced,
      };
    });
  }

  /** The announced addresses may have changed. */
  look(): void {
    for (const [bridgeId, link] of this.#links) {
      const now = this.#deps.kept.all.get(bridgeId);
      if (link.isUp || !now) continue;
      // While the link works, announcements are ignored, because anyone can send them.
      if (this.#places(bridgeId, now).some((place) => placeOf(place) !== placeOf(now))) link.poke();
    }
  }

  /** An address from the settings has answered with the bridge's ID. */
  answered(bridgeId: string, address: BridgeAddress): void {
    if (!this.#links.has(bridgeId)) return;
    this.#answered.set(bridgeId, address);
    this.look();
  }

  /** Stores a new or renewed pairing, and restarts the link. @throws DriverStoreFull */
  async keep(bridgeId: string, bridge: KeptBridge): Promise<void> {
    await this.#deps.kept.keep(bridgeId, bridge);
    await this.#end(bridgeId);
    if (!this.#isEnding) this.#start(bridgeId);
  }

  async forget(bridgeId: string): Promise<void> {
    await this.#deps.kept.forget(bridgeId);
    await this.#end(bridgeId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnding = true;
    await Promise.all([...this.#links.keys()].map((bridgeId) => this.#end(bridgeId)));
  }

  /** If the address cannot be stored, the bridge is found there again after a restart. */
  async #keepPlace(bridgeId: string, bridge: KeptBridge): Promise<void> {
    const { kept, log } = this.#deps;
    await kept.keep(bridgeId, bridge).catch((failure: unknown) => {
      log.error({ bridge: bridgeId, failure: String(failure) }, "the new address of a bridge could not be kept");
    });
    log.info({ bridge: bridgeId, address: placeOf(bridge) }, "a bridge has another address");
  }

  async #end(bridgeId: string): Promise<void> {
    const link = this.#links.get(bridgeId);
    this.#links.delete(bridgeId);
    await link?.[Symbol.asyncDispose]();
  }

  #start(bridgeId: string): void {
    let tries = 0;
    const open: OpenBridge = async (take, signal) => {
      const { kept } = this.#deps;
      const bridge = kept.all.get(bridgeId);
      if (!bridge) throw new Error("the bridge is not paired any more");
      const places = this.#places(bridgeId, bridge);
      const place = places[tries % places.length] ?? bridge;
      tries += 1;
      const connection = await this.#deps.open(bridgeId, { ...bridge, ...place })(take, signal);
      // The bridge's certificate was verified, so the address is right.
      tries = 0;
      if (placeOf(place) !== placeOf(bridge)) await this.#keepPlace(bridgeId, { ...bridge, ...place });
      return connection;
    };
    this.#links.set(bridgeId, this.#deps.link(bridgeId, open));
  }

  /** Possible addresses without duplicates, the last known first. */
  #places(bridgeId: string, { host, port }: KeptBridge): readonly BridgeAddress[] {
    const answered = this.#answered.get(bridgeId);
    const all = [{ host, port }, ...(this.#deps.announced(bridgeId) ?? []), ...(answered ? [answered] : [])];
    return [...new Map(all.map((place) => [placeOf(place), place])).values()];
  }
}
