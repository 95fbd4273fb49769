/**
 * Collects data of every request: the request log, request counts, last uses and API versions of tokens. It is kept in
 * memory for ten seconds, or less if the operator configures so, so that no answer waits for it; a crash may lose that
 * much (A7).
 */
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";
import type { Store } from "../../store/index.ts";
import { RequestCounter } from "../activity/request-counter.ts";
import { OwnPeriod, storeCounts } from "../activity/store-counts.ts";
import { ecosystemOf, isCounted, loggedCaller, RequestBuffer, type SeenRequest } from "./request-buffer.ts";
import { LogTrimmer } from "./retention.ts";
import { storeRequests, storeSightings } from "./store-sightings.ts";
import { TokenSightings } from "./token-sightings.ts";

export interface RecorderDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Interval between two batches, ms. */
  readonly everyMs: number;
}

export class Recorder implements AsyncDisposable {
  readonly #deps: RecorderDeps;
  readonly #requests = new RequestBuffer();
  readonly #counter = new RequestCounter();
  readonly #period: OwnPeriod;
  readonly #sightings = new TokenSightings();
  readonly #trimmer: LogTrimmer;
  readonly #timer: Timer;
  #storing = Promise.resolve();

  private constructor(deps: RecorderDeps) {
    this.#deps = deps;
    this.#period = new OwnPeriod(deps.store, deps.clock.now());
    this.#trimmer = new LogTrimmer(deps.store);
    this.#timer = every(deps.clock, "store what was counted of requests", deps.everyMs, () => void this.flush());
  }

  static start(deps: RecorderDeps): Recorder {
    const recorder = new Recorder(deps);
    // Stores the start of the counting period before the process can die with unstored counts.
    void recorder.flush();
    return recorder;
  }

  /** Records an answered request. */
  observe(seen: SeenRequest): void {
    const at = this.#deps.clock.now();
    const caller = loggedCaller(seen);
    if (caller) {
      this.#requests.add(caller, seen, at);
      const ecosystemId = ecosystemOf(caller);
      if (ecosystemId !== undefined && isCounted(seen)) this.#counter.count(ecosystemId, seen.status, at);
    }
    if (seen.caller) this.#sightings.add(seen.caller.tokenId, at, seen.pathVersion, seen.headerVersion);
  }

  /** Records that a token has opened a tunnel. */
  used(tokenId: string): void {
    this.#sightings.used(tokenId, this.#deps.clock.now());
  }

  /** Stores everything that waits; resolves when all of it was tried. It never rejects: what cannot be stored is lost and logged. */
  flush(): Promise<void> {
    return this.#flush(false);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    await this.#flush(true);
  }

  #flush(isLast: boolean): Promise<void> {
    this.#storing = this.#storing.then(() => this.#store()).then(() => this.#storeCounts(isLast));
    return this.#storing;
  }

  async #storeCounts(isLast: boolean): Promise<void> {
    const { store, clock, log } = this.#deps;
    const now = clock.now();
    const { counts, isCut } = this.#counter.take();
    try {
      await storeCounts(store, counts);
      if (isCut) this.#period.lose(now);
      else if (isLast || counts.length > 0 || this.#period.isDue(now)) await this.#period.reach(now, isLast);
    } catch (error) {
      this.#period.lose(now);
      log.warn({ error, rows: counts.length }, "counts of requests were lost");
    }
  }

  async #store(): Promise<void> {
    const { store, log } = this.#deps;
    const { requests, dropped } = this.#requests.take();
    const sightings = this.#sightings.take();
    if (dropped > 0) log.warn({ dropped }, "the request log dropped requests because there were too many");
    try {
      // Stored first, so that a token's last use always has its request.
      await storeRequests(store, log, requests);
      await storeSightings(store, log, sightings);
      await this.#trimmer.trim(requests);
    } catch (error) {
      log.warn(
        { error, requests: requests.length, tokens: sightings.length },
        "request log entries and uses of tokens were lost",
      );
    }
  }
}
