/**
 * Which devices of the network belong to another hub. The hub asks the cloud before it touches a node, because a node serves one hub and
 * the newest connection takes it over.
 *
 * The cloud's last answer holds until the next one. A hub that cannot ask at all, as when the house has no internet, uses every device
 * that it sees: devices work at home without a cloud.
 */
import { type Clock, type Log, sleep } from "@porchlight/shared/kernel";

export interface ClaimsDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns those that belong to another hub; undefined when the cloud cannot be asked now. Absent: there is no cloud. */
  readonly ask?: AskClaims | undefined;
  /** Aborted when the answer is no longer wanted. */
  readonly signal: AbortSignal;
}

export type AskClaims = (edgeIds: readonly string[]) => Promise<readonly string[] | undefined>;

/** How long after its start a hub waits for its tunnel before it uses every device that it sees, ms. */
const PATIENCE_MS = 5000;
const AGAIN_MS = 500;
/** Devices that are asked about within this time share one question, ms. */
const GATHER_MS = 20;
/** Maximum number of devices in one question (tunnel, `claims`). */
const MOST_AT_ONCE = 1000;
/** Maximum number of remembered claims. */
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

  /** Whether the cloud answered the last question; true when there is no cloud to ask. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Whether the device belongs to another hub, by the cloud's last answer. */
  isClaimed(edgeId: string): boolean {
    return this.#claimed.has(edgeId);
  }

  /** The cloud reports, unasked, that these devices belong to another hub. */
  note(edgeIds: readonly string[]): void {
    for (const edgeId of edgeIds) {
      if (this.#claimed.has(edgeId)) continue;
      if (this.#claimed.size >= MOST_REMEMBERED) return;
      this.#claimed.add(edgeId);
      this.#deps.log.warn({ device: edgeId }, "a device belongs to another hub of this home: this hub does not use it");
    }
  }

  /**
   * Asks again; afterwards `isClaimed` returns the current state.
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

  /** A hub that has just started has no tunnel yet: wait a moment for it. */
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
