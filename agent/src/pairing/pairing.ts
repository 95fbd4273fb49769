/**
 * Pairs a hub: asks for a code, shows it, and polls until somebody has answered, however long that takes.
 *
 * Invariants: nothing is signed that could mean anything elsewhere; a code under way survives the process; the pairing is
 * over only when the token is stored, because until then it can be asked for again.
 */

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Backoff, type BackoffPolicy, type Clock, type Log, type Random, sleep } from "@porchlight/shared/kernel";
import { z } from "zod";
import { type Identity, writePrivateFile } from "../config/index.ts";
import {
  type BegunPairing,
  begunPairing,
  type Grant,
  type PairingCloud,
  type PollAnswer,
} from "./http-pairing-cloud.ts";

/** What a person is shown. */
export interface ShownCode {
  readonly userCode: string;
  readonly verificationUri: string;
  /** With the code in it. */
  readonly verificationUriComplete: string;
}

/** How a pairing stands. `problem`: why there is no answer from the cloud at the moment. */
export type PairingStatus =
  | { readonly state: "asking"; readonly problem?: string | undefined }
  | ({ readonly state: "waiting"; readonly problem?: string | undefined } & ShownCode)
  | { readonly state: "denied" }
  | { readonly state: "paired"; readonly clientId: string; readonly environmentId: string };

export interface PairingDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly cloud: PairingCloud;
  readonly file: Pick<PairingFile, "read" | "write" | "remove">;
  readonly identity: Identity;
  readonly agentVersion: string;
  /** Stores the token. @throws SystemError: it is asked for again */
  readonly granted: (grant: Grant) => void;
  /** How long a hub that was sent away waits before it shows another code, ms; without, it is over. */
  readonly deniedMs?: number | undefined;
  /** Told of every change. */
  readonly changed?: ((status: PairingStatus) => void) | undefined;
}

/** How long a hub that was sent away lets its owner think, ms. */
export const DENIED_MS = 300_000;
const BACKOFF: BackoffPolicy = { firstMs: 2_000, capMs: 60_000, stableMs: 60_000 };

export class Pairing implements AsyncDisposable {
  readonly #deps: PairingDeps;
  readonly #stop = new AbortController();
  readonly #backoff: Backoff;
  #status: PairingStatus = { state: "asking" };
  /** Settles when it is over: paired, denied, or stopped. */
  readonly ended: Promise<void>;

  private constructor(deps: PairingDeps) {
    this.#deps = deps;
    this.#backoff = new Backoff(BACKOFF, deps.random);
    this.ended = this.#run(this.#stop.signal).catch((failure: unknown) => {
      if (!this.#stop.signal.aborted) deps.log.error({ failure: String(failure) }, "the pairing has failed");
    });
  }

  /** Begins to ask, or goes on where an earlier life of the agent was. */
  static start(deps: PairingDeps): Pairing {
    return new Pairing(deps);
  }

  get status(): PairingStatus {
    return this.#status;
  }

  /** Asks no more. The code stays good, and is gone on with by the next. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error("the pairing is stopped"));
    await this.ended;
  }

  /** Stops at once, as when the process is killed. */
  kill(): void {
    this.#stop.abort(new Error("the agent was killed"));
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, log, file, deniedMs } = this.#deps;
    let known = file.read();
    for (;;) {
      const pairing = known ?? (await this.#begin(signal));
      known = undefined;
      const since = clock.monotonic();
      const end = await this.#ask(pairing, signal);
      if (end === "approved") return;
      this.#keep(() => file.remove());
      if (end === "anew") {
        await sleep(clock, "another code", this.#backoff.next(clock.monotonic() - since), signal);
        continue;
      }
      log.warn({}, "pairing was denied");
      this.#change({ state: "denied" });
      if (deniedMs === undefined) return;
      await sleep(clock, "a denied pairing", deniedMs, signal);
    }
  }

  /** Asks for a code until there is one. */
  async #begin(signal: AbortSignal): Promise<BegunPairing> {
    const { clock, cloud, file, identity, agentVersion } = this.#deps;
    const { edgeId, publicKey } = identity;
    for (;;) {
      const answer = await cloud.begin({ edgeId, agentVersion, publicKey }, signal);
      signal.throwIfAborted();
      if (answer.kind === "begun") {
        this.#keep(() => file.write(answer.pairing));
        return answer.pairing;
      }
      this.#trouble(answer.detail);
      await sleep(clock, "another try to pair", this.#backoff.next(0, answer.retryAfterMs), signal);
    }
  }

  /** Polls until the code is spent. */
  async #ask(pairing: BegunPairing, signal: AbortSignal): Promise<"approved" | "denied" | "anew"> {
    const { clock, cloud, identity, log } = this.#deps;
    const { deviceCode, userCode, verificationUri, verificationUriComplete } = pairing;
    const shown = { userCode, verificationUri, verificationUriComplete };
    this.#change({ state: "waiting", ...shown });
    const { edgeId, fingerprint } = identity;
    log.warn(
      { link: verificationUriComplete, edgeId, fingerprint },
      `this hub is waiting to be paired: enter ${userCode} at ${verificationUri}`,
    );
    const proof = { deviceCode, signature: identity.sign(Buffer.from(deviceCode)) };
    let asking = firstAsking(pairing.interval);
    let waitMs = asking.intervalMs;
    for (;;) {
      await sleep(clock, "the next poll", waitMs, signal);
      const answer = await cloud.poll(proof, signal);
      signal.throwIfAborted();
      const step = afterPoll(asking, answer);
      if (step.kind === "approved") {
        if (this.#take(step.grant)) return "approved";
        continue;
      }
      if (step.kind !== "ask") return step.kind;
      ({ asking, waitMs } = step);
      if (answer.kind === "setback") this.#trouble(answer.detail);
      else this.#change({ state: "waiting", ...shown });
    }
  }

  /** False when the token could not be stored: the cloud makes another one when it is asked again. */
  #take(grant: Grant): boolean {
    const { log, file, granted } = this.#deps;
    try {
      granted(grant);
    } catch (failure) {
      log.error({ failure: String(failure) }, "the hub's token could not be stored; the hub requests it again");
      this.#trouble(String(failure));
      return false;
    }
    this.#keep(() => file.remove());
    const { clientId, environmentId } = grant;
    log.info({ clientId, environmentId }, "the hub is paired");
    this.#change({ state: "paired", clientId, environmentId });
    return true;
  }

  /** A disk that takes nothing must not keep a hub from being paired: without the file a restart asks for another code. */
  #keep(work: () => void): void {
    try {
      work();
    } catch (failure) {
      this.#deps.log.warn({ failure: String(failure) }, "the state of a pairing could not be stored");
    }
  }

  #trouble(problem: string): void {
    const known = this.#status;
    if ((known.state !== "asking" && known.state !== "waiting") || known.problem === problem) return;
    this.#deps.log.warn({ problem }, "the cloud does not answer; the hub keeps trying to be paired");
    this.#change({ ...known, problem });
  }

  #change(status: PairingStatus): void {
    const { problem: before, ...same } = { problem: undefined, ...this.#status };
    const { problem: now, ...next } = { problem: undefined, ...status };
    if (before === now && JSON.stringify(same) === JSON.stringify(next)) return;
    this.#status = status;
    this.#deps.changed?.(status);
  }
}

// What a hub does after each answer to a poll: pure, so that every case is in one table of tests.

/** How a hub is asking. */
interface Asking {
  /** Least time between two polls, ms. */
  readonly intervalMs: number;
  /** Polls in a row that brought no answer. */
  readonly misses: number;
}

export type NextStep =
  | { readonly kind: "ask"; readonly asking: Asking; readonly waitMs: number }
  /** The code is no good any more: another one must be asked for. */
  | { readonly kind: "anew" }
  | { readonly kind: "denied" }
  | { readonly kind: "approved"; readonly grant: Grant };

/** What each "slow down" adds (RFC 8628, section 3.5), and where waiting after misses ends, ms. */
const SLOWER_BY = 5_000;
const LONGEST_WAIT = 60_000;
/** A cloud that asks for less must not be asked in a tight loop, ms. */
const LEAST_INTERVAL = 100;

/** @param seconds between two polls, as the cloud has told */
export function firstAsking(seconds: number): Asking {
  return { intervalMs: Math.max(LEAST_INTERVAL, seconds * 1000), misses: 0 };
}

export function afterPoll({ intervalMs, misses }: Asking, answer: PollAnswer): NextStep {
  switch (answer.kind) {
    case "approved":
      return { kind: "approved", grant: answer.grant };
    case "denied":
      return { kind: "denied" };
    case "expired":
    case "unknown":
      return { kind: "anew" };
    case "pending":
      return { kind: "ask", asking: { intervalMs, misses: 0 }, waitMs: intervalMs };
    case "slow_down": {
      const slower = intervalMs + SLOWER_BY;
      return {
        kind: "ask",
        asking: { intervalMs: slower, misses: 0 },
        waitMs: Math.max(slower, answer.retryAfterMs),
      };
    }
    case "setback": {
      // Twice as long after each miss (RFC 8628, section 3.5); the code may be approved meanwhile, and is not lost.
      const doubled = Math.min(intervalMs * 2 ** Math.min(misses + 1, 20), Math.max(LONGEST_WAIT, intervalMs));
      return {
        kind: "ask",
        asking: { intervalMs, misses: misses + 1 },
        waitMs: Math.max(doubled, answer.retryAfterMs),
      };
    }
  }
}

/**
 * A pairing under way, kept so that a restart in its middle asks on under the code that somebody may be typing, and so that
 * an answer that was lost with the process can be asked for again.
 */
const kept = z.object({ cloud: z.string(), pairing: begunPairing });

/** Where it is kept in a data folder. */
export function pairingPath(dataDir: string): string {
  return join(dataDir, "pairing.json");
}

export class PairingFile {
  readonly #path: string;
  readonly #cloudUrl: string;

  /** @param cloudUrl whose pairing it is: that of another cloud is not gone on with */
  constructor(dataDir: string, cloudUrl: string) {
    this.#path = pairingPath(dataDir);
    this.#cloudUrl = cloudUrl;
  }

  /** Undefined when there is none, or what is there is none. */
  read(): BegunPairing | undefined {
    try {
      const { data } = kept.safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      return data?.cloud === this.#cloudUrl ? data.pairing : undefined;
    } catch {
      // Without it another code is asked for, and that is all.
      return undefined;
    }
  }

  /** @throws SystemError */
  write(pairing: BegunPairing): void {
    writePrivateFile(this.#path, `${JSON.stringify({ cloud: this.#cloudUrl, pairing })}\n`);
  }

  /** @throws SystemError */
  remove(): void {
    rmSync(this.#path, { force: true });
  }
}
