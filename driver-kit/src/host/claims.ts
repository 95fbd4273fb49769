/**
 * Which devices of the network are another hub's: asked of the cloud before a node is touched, because a node serves one hub
 * and the newest to connect takes it over.
 *
 * What the cloud last said holds until it says otherwise. A hub that cannot ask at all, as when the house has no internet,
 * takes what it sees: devices work at home without a cloud.
 */
import { type Clock, type Log, sleep } from "@porchlight/shared/kernel";

export interface ClaimsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Gives those that are another hub's; undefined when the cloud cannot be asked now. Absent: there is no cloud to ask. */
  readonly ask?: AskClaims | undefined;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

export type AskClaims = (edgeIds: readonly string[]) => Promise<readonly string[] | undefined>;

/** How long after its start a hub waits for its tunnel before it takes what it sees, ms. */
const PATIENCE_MS = 5000;
const AGAIN_MS = 500;
/** What is asked within this time is asked at once, ms. */
const GATHER_MS = 20;
/** The most that one question may hold (tunnel, `claims`). */
const MOST_AT_ONCE = 1000;
/** Claims that are remembered. */
const MOST_REMEMBERED = 10_000;

export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #startedAt: number;
  readonly #claimed = new Set<string>();
  #isAnswered = true;
  #gathering: { readonly edgeIds: Set<string>; readonly answered: Promise<void> } | undefined;

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.monotonic();
  }

  /** Whether the cloud could be asked the last time; true without anybody to ask. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** What the cloud last said. */
  isClaimed(edgeId: string): boolean {
    return this.#claimed.has(edgeId);
  }

  /** The cloud says by itself that these are another hub's. */
  note(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      if (this.#claimed.has(edgeId)) continue;
      if (this.#claimed.size >= MOST_REMEMBERED) return;
      this.#claimed.add(edgeId);
      this.#deps.log.warn({ device: edgeId }, "a device belongs to another hub of this home: this hub does not use it");
    }
  }

  /**
   * Asks again; afterwards `isClaimed` says how it stands.
   * @throws the signal's reason
   */
  async renew(edgeIds: readonly string[], signal: AbortSignal): Promise<void> {
    if (!this.#deps.ask) return;
    for (const edgeId of edgeIds) {
      if ((this.#gathering?.edgeIds.size ?? 0) >= MOST_AT_ONCE) await this.#gathering?.answered;
      this.#gathering ??= this.#gather(this.#deps.ask);
      this.#gathering.edgeIds.add(edgeId);
    }
    await this.#gathering?.answered;
    signal.throwIfAborted();
  }

  #gather(ask: AskClaims) {
    const edgeIds = new Set<string>();
    return { edgeIds, answered: this.#askTogether(ask, edgeIds).catch(() => undefined) };
  }

  async #askTogether(ask: AskClaims, edgeIds: ReadonlySet<string>): Promise<void> {
    const { clock, signal } = this.#deps;
    try {
      await sleep(clock, "claims to be asked for together", GATHER_MS, signal);
    } finally {
      this.#gathering = undefined;
    }
    const asked = [...edgeIds];
    const answer = await this.#answer(ask, asked);
    this.#isAnswered = answer !== undefined;
    if (!answer) return;
    const claimed = new Set(answer);
    for (const edgeId of asked) if (!claimed.has(edgeId)) this.#claimed.delete(edgeId);
    this.note(asked.filter((edgeId) => claimed.has(edgeId)));
  }

  /** A hub that has just started has no tunnel yet: that is worth a moment. */
  async #answer(ask: AskClaims, edgeIds: readonly string[]): Promise<readonly string[] | undefined> {
    const { clock, log, signal } = this.#deps;
    for (;;) {
      try {
        const answer = await ask(edgeIds);
        if (answer || signal.aborted) return answer;
      } catch (failure) {
        log.debug({ failure: String(failure) }, "the hub could not ask the cloud which hub these devices belong to");
      }
      if (clock.monotonic() - this.#startedAt >= PATIENCE_MS) return undefined;
      await sleep(clock, "tunnel to ask whose a device is", AGAIN_MS, signal);
    }
  }
}
