/**
 * The hub's membership of an owner: with a token the hub is connected; without one, or with a token rejected for a day, it shows
 * a code and waits.
 *
 * Invariants: there is at most one uplink and one pairing; the token in use follows the file after a short time; no refusal of the cloud
 * ends the attempts.
 */
import { type Clock, every, type Log, type Random, type Timer } from "@porchlight/shared/kernel";
import { AGENT_VERSION, type Identity, type TokenStore } from "./config/index.ts";
import {
  DENIED_MS,
  Pairing,
  type PairingCloud,
  PairingFile,
  type PairingStatus,
  RefusedFile,
} from "./pairing/index.ts";
import { tunnelStatus, Uplink, type UplinkDeps } from "./uplink/index.ts";

export interface MembershipSettings {
  /** How long a token may be rejected before the hub shows a code, ms (24 h). */
  readonly patienceMs: number;
  /** How often a hub that is not online checks for another token, ms (10 s). */
  readonly lookMs: number;
  /** How long a denied hub waits before it shows another code, ms (5 min). */
  readonly deniedMs: number;
}

export const MEMBERSHIP_SETTINGS: MembershipSettings = {
  patienceMs: 86_400_000,
  lookMs: 10_000,
  deniedMs: DENIED_MS,
};

export interface MembershipDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly dataDir: string;
  readonly cloudUrl: string;
  readonly tokens: TokenStore;
  readonly identity: Identity;
  /** The cloud's pairing routes; when left out, a hub without a token works at home only. */
  readonly pairing?: PairingCloud | undefined;
  readonly uplink: Omit<UplinkDeps, "clock" | "random" | "log" | "cloudUrl" | "identity" | "token" | "standing">;
  readonly settings: MembershipSettings;
}

/** The reason why the hub shows a code. */
type Reason = "no token" | "the cloud refuses the token" | "asked for";

export class Membership implements AsyncDisposable {
  readonly #deps: MembershipDeps;
  readonly #startedAt: number;
  readonly #file: PairingFile;
  readonly #refusals: RefusedFile;
  #token: string | undefined;
  #uplink: Uplink | undefined;
  #pairing: { readonly reason: Reason; readonly process: Pairing } | undefined;
  /** Runs while the token is rejected. */
  #patience: Timer | undefined;
  /** The start of the rejection, as if the agent had run without a break since, monotonic ms. */
  #refusedSince = 0;
  #rejected = false;
  #looking: Timer | undefined;
  #unreadable = "";

  private constructor(deps: MembershipDeps, token: string | undefined) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
    this.#file = new PairingFile(deps.dataDir, deps.cloudUrl);
    this.#refusals = new RefusedFile(deps.dataDir);
    this.#token = token;
  }

  /** Connects, or starts to pair. @throws TokenUnusable, TypeError when the address of the service is invalid */
  static start(deps: MembershipDeps): Membership {
    const { clock, log, settings, tokens, pairing } = deps;
    const membership = new Membership(deps, tokens.read());
    if (membership.#token !== undefined) {
      // Left over from a pairing whose token was stored just before the agent ended.
      membership.#file.remove();
      membership.#connect();
    } else if (pairing) membership.#pair("no token");
    else log.warn({}, "the hub is not paired: it works without the cloud");
    membership.#looking = every(clock, "a look for another token", settings.lookMs, () => {
      if (!membership.#uplink?.status().live) membership.look();
    });
    return membership;
  }

  status() {
    return {
      paired: this.#token !== undefined,
      tunnel: tunnelStatus(this.#uplink?.status(), this.#startedAt),
      pairing: this.#pairing?.process.status,
    };
  }

  /** Asks which of the devices live on another hub of the home; undefined while the cloud cannot be asked. */
  async askClaims(edgeIds: readonly string[]): Promise<readonly string[] | undefined> {
    // A hub without a cloud cannot ask, and has no other hub to consider.
    return this.#token === undefined ? [] : this.#uplink?.askClaims(edgeIds);
  }

  /** Uses the stored token, if it differs from the one in use. */
  look(): void {
    const { tokens, log } = this.#deps;
    let token: string | undefined;
    try {
      token = tokens.read();
    } catch (failure) {
      const why = String(failure);
      if (why !== this.#unreadable) log.warn({ failure: why }, "the token file cannot be read; the token in use stays");
      this.#unreadable = why;
      return;
    }
    this.#unreadable = "";
    if (token === undefined || token === this.#token) return;
    log.info({}, "there is a new token: it is used from now on");
    this.#stopPairing();
    this.#use(token);
  }

  /**
   * Shows a code, on a hub without a valid token.
   * @param again also if the token is not known to be rejected
   * @returns the state of the pairing; undefined when the hub is paired already
   */
  pair(again: boolean): PairingStatus | undefined {
    const wanted = this.#token === undefined || this.#rejected || again;
    const known = this.#pairing?.process.status;
    if (known?.state === "asking" || known?.state === "waiting") return known;
    if (!wanted) return undefined;
    this.#stopPairing();
    return this.#pair("asked for");
  }

  /** Gives the token back to the cloud; false when the cloud could not be asked, or there was no token. */
  async unpair(): Promise<boolean> {
    this.#looking?.cancel();
    this.#patience?.cancel();
    this.#stopPairing();
    return (await this.#uplink?.giveBack()) ?? false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#looking?.cancel();
    this.#patience?.cancel();
    await this.#pairing?.process[Symbol.asyncDispose]();
    await this.#uplink?.[Symbol.asyncDispose]();
  }

  /** Stops at once without a message, as when the process is killed. */
  kill(): void {
    this.#looking?.cancel();
    this.#patience?.cancel();
    this.#pairing?.process.kill();
    this.#uplink?.kill();
  }

  #connect(): void {
    const { clock, random, log, cloudUrl, identity, uplink } = this.#deps;
    this.#uplink = Uplink.start({
      ...{ clock, random, log, cloudUrl, identity, ...uplink },
      token: () => this.#token ?? "",
      standing: (standing) => (standing === "accepted" ? this.#accepted() : this.#refused()),
    });
  }

  #use(token: string): void {
    this.#token = token;
    this.#endPatience();
    if (!this.#uplink) {
      this.#connect();
      return;
    }
    this.#uplink.renew().catch((failure: unknown) => {
      this.#deps.log.warn({ failure: String(failure) }, "the tunnel with the previous token did not close cleanly");
    });
  }

  #accepted(): void {
    this.#rejected = false;
    this.#endPatience();
    this.#keepRefusal(() => this.#refusals.remove());
    if (this.#pairing?.reason === "the cloud refuses the token") this.#stopPairing();
  }

  #refused(): void {
    const { clock, settings, pairing } = this.#deps;
    const token = this.#token ?? "";
    this.#rejected = true;
    if (!this.#patience) {
      const spent = this.#refusals.read(token);
      this.#refusedSince = clock.monotonic() - spent;
      this.#patience = clock.timer("patience with a refused token", Math.max(0, settings.patienceMs - spent), () => {
        if (pairing && !isUnderWay(this.#pairing?.process.status)) this.#pair("the cloud refuses the token");
      });
    }
    // Runs at every rejection, which is every five minutes.
    this.#keepRefusal(() => this.#refusals.write(token, clock.monotonic() - this.#refusedSince));
  }

  /** Stops the timer of the rejection; a new token starts without one. */
  #endPatience(): void {
    this.#patience?.cancel();
    this.#patience = undefined;
  }

  /** Writes the time of the rejection, and only logs a failure: a full disk costs nothing but this time. */
  #keepRefusal(write: () => void): void {
    try {
      write();
    } catch (failure) {
      this.#deps.log.warn(
        { failure: String(failure) },
        "it could not be stored for how long the token has been refused",
      );
    }
  }

  #pair(reason: Reason): PairingStatus | undefined {
    const { clock, random, log, pairing: cloud, identity, tokens, settings } = this.#deps;
    if (!cloud) return undefined;
    const process = Pairing.start({
      ...{ clock, random, log, cloud, identity, agentVersion: AGENT_VERSION, file: this.#file },
      deniedMs: settings.deniedMs,
      granted: ({ token }) => {
        tokens.write(token);
        this.#use(token);
      },
    });
    this.#pairing = { reason, process };
    return process.status;
  }

  #stopPairing(): void {
    if (!isUnderWay(this.#pairing?.process.status)) return;
    this.#pairing?.process.kill();
    this.#pairing = undefined;
  }
}

function isUnderWay(status: PairingStatus | undefined): boolean {
  return status !== undefined && status.state !== "paired";
}
