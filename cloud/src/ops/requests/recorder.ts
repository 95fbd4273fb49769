/**
 * What is counted of every request: the request log, last uses and versions of tokens. It is kept in memory for ten
 * seconds, or less if the operator says so, so that no answer waits for it; a crash may lose that much (A7).
 */
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { RequestBuffer } from "./request-buffer.ts";
import { LogTrimmer } from "./retention.ts";
import type { SeenRequest } from "./seen-request.ts";
import { storeRequests, storeSightings } from "./store-sightings.ts";
import { TokenSightings } from "./token-sightings.ts";

export interface RecorderDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Between two batches, ms. */
  readonly everyMs: number;
}

export class Recorder implements AsyncDisposable {
  readonly #deps: RecorderDeps;
  readonly #requests = new RequestBuffer();
  readonly #sightings = new TokenSightings();
  readonly #trimmer: LogTrimmer;
  readonly #timer: Timer;
  #storing = Promise.resolve();

  private constructor(deps: RecorderDeps) {
    this.#deps = deps;
    this.#trimmer = new LogTrimmer(deps.store);
    this.#timer = every(deps.clock, "store what was counted of requests", deps.everyMs, () => void this.flush());
  }

  static start(deps: RecorderDeps): Recorder {
    return new Recorder(deps);
  }

  /** A request has been answered. */
  observe(seen: SeenRequest): void {
    const at = this.#deps.clock.now();
    this.#requests.add(seen, at);
    if (seen.caller) this.#sightings.add(seen.caller.tokenId, at, seen.pathVersion, seen.headerVersion);
  }

  /** A token has opened a tunnel. */
  used(tokenId: string): void {
    this.#sightings.used(tokenId, this.#deps.clock.now());
  }

  /** Stores what waits; settles when all of it has been tried. It never fails: what cannot be stored is lost and logged. */
  flush(): Promise<void> {
    this.#storing = this.#storing.then(() => this.#store());
    return this.#storing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.flush();
  }

  async #store(): Promise<void> {
    const { store, log } = this.#deps;
    const { requests, dropped } = this.#requests.take();
    const sightings = this.#sightings.take();
    if (dropped > 0) log.warn({ dropped }, "more requests than the request log takes in");
    try {
      // Whoever sees that a token was used finds the request that it was used for.
      await storeRequests(store, requests);
      await storeSightings(store, sightings);
      await this.#trimmer.trim(requests);
    } catch (error) {
      log.warn({ error, requests: requests.length, tokens: sightings.length }, "what was counted is lost");
    }
  }
}
