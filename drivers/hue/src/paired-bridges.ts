/**
 * The bridges that this hub is paired with: of each a link, wherever the bridge is on the network.
 *
 * A bridge is looked for where it was last, where it announces itself, and where the settings' addresses have answered in its name, in turn.
 * Only its certificate says that it is there: an address is kept once a connection to it has stood.
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
  /** Where a bridge announces itself; undefined where nobody listens. */
  readonly announced: (bridgeId: string) => readonly BridgeAddress[] | undefined;
  /** Opens a paired bridge at its address. */
  readonly open: (bridgeId: string, bridge: KeptBridge) => OpenBridge;
  readonly link: (bridgeId: string, open: OpenBridge) => BridgeLink;
}

export class PairedBridges implements AsyncDisposable {
  readonly #deps: PairedBridgesDeps;
  readonly #links = new Map<string, BridgeLink>();
  /** By bridge, where one of the settings' addresses has answered in its name. */
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

  /** It is paired, and only a person can let the hub have it: by pressing its button again. */
  mustBePaired(bridgeId: string): boolean {
    const failure = this.#links.get(bridgeId)?.failure;
    return failure instanceof KeyRefused || failure instanceof CertificateRefused;
  }

  /** Each with where it was last, and why it cannot be used. */
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

  /** Bridges may announce themselves elsewhere. */
  look(): void {
    for (const [bridgeId, link] of this.#links) {
      const now = this.#deps.kept.all.get(bridgeId);
      if (link.isUp || !now) continue;
      // Beside a link that works an announcement says nothing: it may be anybody's.
      if (this.#places(bridgeId, now).some((place) => placeOf(place) !== placeOf(now))) link.poke();
    }
  }

  /** One of the settings' addresses has answered in its name. */
  answered(bridgeId: string, address: BridgeAddress): void {
    if (!this.#links.has(bridgeId)) return;
    this.#answered.set(bridgeId, address);
    this.look();
  }

  /** It has been paired, or paired again. @throws DriverStoreFull */
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

  /** Without room to keep it, the bridge is found there again after a restart. */
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
      // Its certificate has been seen: it is there.
      tries = 0;
      if (placeOf(place) !== placeOf(bridge)) await this.#keepPlace(bridgeId, { ...bridge, ...place });
      return connection;
    };
    this.#links.set(bridgeId, this.#deps.link(bridgeId, open));
  }

  /** Where it may be, each once: where it was last comes first. */
  #places(bridgeId: string, { host, port }: KeptBridge): readonly BridgeAddress[] {
    const answered = this.#answered.get(bridgeId);
    const all = [{ host, port }, ...(this.#deps.announced(bridgeId) ?? []), ...(answered ? [answered] : [])];
    return [...new Map(all.map((place) => [placeOf(place), place])).values()];
  }
}
