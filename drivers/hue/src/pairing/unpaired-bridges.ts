/** Bridges that are not paired: the hub asks what answers at each place that the settings or the network name, and asks again now and then. */
import { type Clock, LinkedAbort, sleep } from "@porchlight/shared/kernel";
import { type BridgeAddress, placeOf } from "../bridge/bridge-failures.ts";
import type { BridgeFacts, PairingApi } from "./pair-bridge.ts";

/** Where a bridge may be that is not paired. */
export interface BridgePlace extends BridgeAddress {
  /** The settings name it. */
  readonly isListed: boolean;
}

export interface UnpairedBridge {
  readonly place: BridgePlace;
  /** What it says to everybody; undefined when it has not. */
  readonly facts?: BridgeFacts | undefined;
  /** Why it has not. */
  readonly failure?: Error | undefined;
}

export interface UnpairedBridgesDeps {
  readonly clock: Clock;
  readonly api: Pick<PairingApi, "facts">;
  /** All such places, now. */
  readonly places: () => readonly BridgePlace[];
  /** What a place has answered. */
  readonly answered: (place: BridgePlace, facts: BridgeFacts) => void;
}

interface Look {
  readonly bridge: UnpairedBridge;
  /** When the place may be asked again, monotonic ms. */
  readonly nextAt: number;
}

/** As many places are asked. */
const MOST_PLACES = 16;
/** How often a place is asked that has answered, and one that has not, ms. */
const AGAIN_MS = 600_000;
const SILENT_AGAIN_MS = 60_000;
/** From the end of one round to the next at least, ms: anybody can announce places. */
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

  /** The places may be others than before. */
  look(): void {
    this.#isChanged = true;
    this.#wait?.abort();
  }

  /** What is known of each place that has been asked. */
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

  /** Ends early when the places have changed, but not at once. */
  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#deps;
    await sleep(clock, "next round of asking bridges that are not paired", SPACING_MS, signal).catch(() => undefined);
    if (this.#isChanged) return;
    // Without a place nothing is to be asked until one is named.
    const left = Number.isFinite(ms) ? Math.max(0, ms - SPACING_MS) : AGAIN_MS;
    const wait = new LinkedAbort(signal);
    this.#wait = wait;
    const what = "bridges that are not paired to be asked again";
    await sleep(clock, what, left, wait.signal).catch(() => undefined);
    this.#wait = undefined;
    wait.end();
  }
}
