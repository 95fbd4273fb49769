/**
 * Pairs a hub: requests a code, shows it, and polls until a user has approved or denied it, however long that takes.
 *
 * Invariants: the hub signs nothing that could have a meaning elsewhere; a pending code survives the process; the pairing is over only
 * when the token is stored, because until then it can be requested again.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Backoff, type BackoffPolicy, type Clock, type Log, type Random, sleep } from "@porchlight/shared/kernel";
import { renderUnicodeCompact } from "uqr";
import { z } from "zod";
import { type Identity, writePrivateFile } from "../config/index.ts";
import {
  type BegunPairing,
  begunPairing,
  type Grant,
  type PairingCloud,
  type PollAnswer,
} from "./http-pairing-cloud.ts";

/** The code as shown to the user. */
export interface ShownCode {
  readonly userCode: string;
  readonly verificationUri: string;
  /** The address with the code in it. */
  readonly verificationUriComplete: string;
}

/** The state of a pairing. `problem`: why there is no answer from the cloud at the moment. */
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
  /** Stores the token. @throws SystemError: the token is requested again */
  readonly granted: (grant: Grant) => void;
  /** How long a denied hub waits before it shows another code, ms; when left out, the pairing ends. */
  readonly deniedMs?: number | undefined;
  /** Called on every change. */
  readonly changed?: ((status: PairingStatus) => void) | undefined;
}

/** How long a denied hub waits before it shows another code, ms. */
export const DENIED_MS = 300_000;
const BACKOFF: BackoffPolicy = { firstMs: 2_000, capMs: 60_000, stableMs: 60_000 };

export class Pairing implements AsyncDisposable {
  readonly #deps: PairingDeps;
  readonly #stop = new AbortController();
  readonly #backoff: Backoff;
  #status: PairingStatus = { state: "asking" };
  /** Resolves when it is over: paired, denied, or stopped. */
  readonly ended: Promise<void>;

  private constructor(deps: PairingDeps) {
    this.#deps = deps;
    this.#backoff = new Backoff(BACKOFF, deps.random);
    this.ended = this.#run(this.#stop.signal).catch((failure: unknown) => {
      if (!this.#stop.signal.aborted) deps.log.error({ failure: String(failure) }, "the pairing has failed");
    });
  }

  /** Starts a pairing, or continues the one of an earlier life of the agent. */
  static start(deps: PairingDeps): Pairing {
    return new Pairing(deps);
  }

  get status(): PairingStatus {
    return this.#status;
  }

  /** Stops polling. The code stays valid, and the next pairing continues with it. Safe to repeat. */
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

  /** Requests a code until there is one. */
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

  /** Polls until the code is approved, denied or invalid. */
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

  /** False when the token could not be stored: the cloud issues another one on the next poll. */
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

  /**
   * Writes the state of the pairing, and only logs a failure: a full disk must not prevent pairing, and without the file a restart
   * requests another code.
   */
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

/** The state of polling. */
interface Asking {
  /** Minimum time between two polls, ms. */
  readonly intervalMs: number;
  /** Consecutive polls without an answer. */
  readonly misses: number;
}

export type NextStep =
  | { readonly kind: "ask"; readonly asking: Asking; readonly waitMs: number }
  /** The code is no longer valid: another one must be requested. */
  | { readonly kind: "anew" }
  | { readonly kind: "denied" }
  | { readonly kind: "approved"; readonly grant: Grant };

/** The increase of each "slow down" (RFC 8628, section 3.5), and the longest wait after misses, ms. */
const SLOWER_BY = 5_000;
const LONGEST_WAIT = 60_000;
/** Minimum interval, ms, so that a cloud with a smaller one is not polled in a tight loop. */
const LEAST_INTERVAL = 100;

/** @param seconds between two polls, as the cloud requires */
export function firstAsking(seconds: number): Asking {
  return { intervalMs: Math.max(LEAST_INTERVAL, seconds * 1000), misses: 0 };
}

/** The next step after an answer to a poll: pure, so that one table of tests covers every case. */
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
      // Twice as long after each miss (RFC 8628, section 3.5); an approval in the meantime is not lost.
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
 * The stored form of a pending pairing. A restart continues with the code that a user may be typing, and can request an answer again that
 * was lost with the process.
 */
const kept = z.object({ cloud: z.string(), pairing: begunPairing });

/** The path of the file in a data folder. */
export function pairingPath(dataDir: string): string {
  return join(dataDir, "pairing.json");
}

/** Stores a pending pairing in the data folder. */
export class PairingFile {
  readonly #path: string;
  readonly #cloudUrl: string;

  /** @param cloudUrl the cloud of the pairing: a pairing with another cloud is not continued */
  constructor(dataDir: string, cloudUrl: string) {
    this.#path = pairingPath(dataDir);
    this.#cloudUrl = cloudUrl;
  }

  /** Undefined when there is no file, or it holds no pairing. */
  read(): BegunPairing | undefined {
    try {
      const { data } = kept.safeParse(JSON.parse(readFileSync(this.#path, "utf8")));
      return data?.cloud === this.#cloudUrl ? data.pairing : undefined;
    } catch {
      // Without the file the hub only requests another code.
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

/** The details of the hub that the approving user compares. */
export interface ShownHub {
  readonly edgeId: string;
  readonly fingerprint: string;
}

/** @param isTerminal whether the output can show a QR code */
export function codeText(
  { userCode, verificationUri, verificationUriComplete }: ShownCode,
  hub: ShownHub,
  isTerminal: boolean,
): string {
  const lines = [
    `code: ${userCode}`,
    `link: ${verificationUriComplete}`,
    "",
    `Open the link, or enter the code at ${verificationUri}. The page must show this hub as`,
    `  edgeId ${hub.edgeId}`,
    `  key    ${hub.fingerprint}`,
  ];
  return `${[...(isTerminal ? [qrCode(verificationUriComplete)] : []), ...lines].join("\n")}\n`;
}

/**
 * A QR code for a terminal. The blocks are its light parts; explicit colours make it dark on light on every terminal, with the border that
 * readers need.
 */
export function qrCode(text: string): string {
  const drawn = renderUnicodeCompact(text, { ecc: "L", border: 2 });
  return drawn
    .split("\n")
    .map((line) => `\u001b[97;40m${line}\u001b[0m`)
    .join("\n");
}
