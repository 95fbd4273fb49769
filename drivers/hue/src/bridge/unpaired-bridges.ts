/** Unpaired bridges: identifies the peer at each address from the settings or the network, and repeats that regularly. */
import { type Clock, LinkedAbort, sleep } from "@porchlight/shared/kernel";
import { type BridgeAddress, placeOf } from "./bridge-failures.ts";
import type { BridgeFacts, PairingApi } from "./pair-bridge.ts";

/** Address where an unpaired bridge may be. */
export interface BridgePlace extends BridgeAddress {
  /** Whether the address comes from the settings. */
  readonly isListed: boolean;
}

export interface UnpairedBridge {
  readonly place: BridgePlace;
  /** Public information of the bridge; undefined when it has not answered. */
  readonly facts?: BridgeFacts | undefined;
  /** Reason why it has not answered. */
  readonly failure?: Error | undefined;
}

export interface UnpairedBridgesDeps {
  readonly clock: Clock;
  readonly api: Pick<PairingApi, "facts">;
  /** Returns all such addresses. */
  readonly places: () => readonly BridgePlace[];
  /** Called when a bridge has answered. */
  readonly answered: (place: BridgePlace, facts: BridgeFacts) => void;
}

interface Look {
  readonly bridge: UnpairedBridge;
  /** Earliest time of the next request, monotonic ms. */
  readonly nextAt: number;
}

/** Maximum addresses that are asked. */
const MOST_PLACES = 16;
/** Interval of requests to an address that has answered, and to one that has not, ms. */
const AGAIN_MS = 600_000;
const SILENT_AGAIN_MS = 60_000;
/** Minimum interval from the end of one round to the next, ms, because anyone can announce addresses. */
const SPACING_MS = 1000;

export class UnpairedBridges implements AsyncDisposable {
  readonly #deps: UnpairedBridgesDeps;
  readonly #ending = new AbortController();
  readonly #looks = new Map<string, Look>();
  #wait: LinkedAbort | undefined;
  #isChanged = false;
  readonly #ended: Promise<void>;

  constructor(deps: UnpairedBridgesDeps) {
    this.#deps = deps;
    this.#ended = this.#run();
  }

  /** The addresses may have changed. */
  look(): void {
    this.#isChanged = true;
    this.#wait?.abort();
  }

  /** Result of each address that has been asked. */
  all(): readonly UnpairedBridge[] {
    return this.places().flatMap((place) => this.#looks.get(placeOf(place))?.bridge ?? []);
  }

  places(): readonly BridgePlace[] {
    const byAddress = new Map(this.#deps.places().map((place) => [placeOf(place), place]));
    return [...byAddress.values()].slice(0, MOST_PLACES);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new Error("the driver stops"));
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      this.#isChanged = false;
      const places = this.places();
      const now = clock.monotonic();
      const due = places.filter((place) => (this.#looks.get(placeOf(place))?.nextAt ?? 0) <= now);
      await Promise.all(due.map((place) => this.#ask(place, signal)));
      const named = new Set(this.places().map(placeOf));
      for (const address of [...this.#looks.keys()]) if (!named.has(address)) this.#looks.delete(address);
      const next = Math.min(...[...this.#looks.values()].map(({ nextAt }) => nextAt));
      await this.#pause(next - clock.monotonic(), signal);
    }
  }

  async #ask(place: BridgePlace, signal: AbortSignal): Promise<void> {
    const { clock, api, answered } = this.#deps;
    const asked = await api.facts(place, signal).then(
      (facts) => ({ facts }),
      (failure: unknown) => ({ failure: failure instanceof Error ? failure : new Error(String(failure)) }),
    );
    if (signal.aborted) return;
    const nextAt = clock.monotonic() + ("facts" in asked ? AGAIN_MS : SILENT_AGAIN_MS);
    this.#looks.set(placeOf(place), { bridge: { place, ...asked }, nextAt });
    if ("facts" in asked) answered(place, asked.facts);
  }

  /** Ends early when the addresses have changed, but not at once. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    await sleep(clock, "next round of asking bridges that are not paired", SPACING_MS, signal).catch(() => undefined);
    if (this.#isChanged) return;
    // Without an address there is nothing to ask.
    const left = Number.isFinite(ms) ? Math.max(0, ms - SPACING_MS) : AGAIN_MS;
    const wait = new LinkedAbort(signal);
    this.#wait = wait;
    const what = "bridges that are not paired to be asked again";
    await sleep(clock, what, left, wait.signal).catch(() => undefined);
    this.#wait = undefined;
    wait.end();
  }
}
