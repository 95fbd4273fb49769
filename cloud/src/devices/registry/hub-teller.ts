/**
 * Tells each hub what the cloud knows of its home: at its connection when the digest in its hello says that something has changed meanwhile,
 * and soon after every change. What there is to tell is a subject's; when it is told is decided here, once for all.
 *
 * Invariant: a hub is told one thing at a time.
 */
import type { Clock, Log, Timer } from "@porchlight/shared/kernel";
import { PeerGone } from "@porchlight/shared/tunnel";
import type { Others } from "../../nodes/index.ts";
import type { HubTunnel } from "../../tunnels/index.ts";

export interface HubTellerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly others?: Others | undefined;
}

/** Something that hubs are told, such as what their devices are called. */
export interface HubSubject {
  /** As the log has it. */
  readonly name: string;
  /** Digest of what the hub said it has; undefined when it has no use for it. */
  digestOf(tunnel: HubTunnel): string | undefined;
  /**
   * Tells what has changed.
   * @param digest of what the hub has
   * @returns digest of what it has then: it stands for exactly what the hub was told with it
   * @throws PeerGone, PeerTimeout, PeerRefused, "Service Unavailable"
   */
  tell(tunnel: HubTunnel, digest: string): Promise<string>;
}

/** A hub that is told. */
interface Told {
  readonly tunnel: HubTunnel;
  /** Digests of what it has. */
  readonly digests: Map<HubSubject, string>;
  /** Runs while changes are collected. */
  timer: Timer | undefined;
  running: boolean;
  /** Something has changed since it was last looked at. */
  changed: boolean;
}

/** Changes that come within this time are told together, ms. */
const COLLECT_MS = 100;

export class HubTeller implements AsyncDisposable {
  readonly #deps: HubTellerDeps;
  readonly #subjects: HubSubject[];
  /** By environment and client: the newest tunnel of each hub that is told something. */
  readonly #environments = new Map<string, Map<string, Told>>();
  #ended = false;

  constructor(deps: HubTellerDeps, subjects: readonly HubSubject[]) {
    this.#deps = deps;
    this.#subjects = [...subjects];
  }

  /** From now on hubs that connect are told of this too. */
  add(subject: HubSubject): void {
    this.#subjects.push(subject);
  }

  /** A hub has connected. */
  opened(tunnel: HubTunnel): void {
    const digests = new Map<HubSubject, string>();
    for (const subject of this.#subjects) {
      const digest = subject.digestOf(tunnel);
      if (digest !== undefined) digests.set(subject, digest);
    }
    if (digests.size === 0) return;
    const { environmentId, clientId } = tunnel.hub;
    const hubs = this.#environments.get(environmentId) ?? new Map<string, Told>();
    this.#environments.set(environmentId, hubs);
    hubs.get(clientId)?.timer?.cancel();
    const told: Told = { tunnel, digests, timer: undefined, running: false, changed: false };
    hubs.set(clientId, told);
    this.#look(told);
  }

  /** Something in the environment is otherwise, or has come or gone. To be called in `tx.afterCommit`. */
  changed(environmentId: string): void {
    this.look(environmentId);
    this.#deps.others?.invalidations.note({ kind: "names", environmentId });
  }

  /** Its hubs that are connected here may have to be told something. */
  look(environmentId: string): void {
    for (const told of this.#environments.get(environmentId)?.values() ?? []) this.#look(told);
  }

  /** Begins to tell nothing more. A hub that is being told is not waited for: its tunnel ends after this, and with it what it is asked. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    for (const hubs of this.#environments.values()) for (const { timer } of hubs.values()) timer?.cancel();
  }

  #look(told: Told): void {
    told.changed = true;
    if (told.running || told.timer || this.#ended) return;
    told.timer = this.#deps.clock.timer("what hubs are told", COLLECT_MS, () => {
      told.timer = undefined;
      void this.#tell(told);
    });
  }

  async #tell(told: Told): Promise<void> {
    told.running = true;
    while (told.changed) {
      told.changed = false;
      for (const [subject, digest] of told.digests) await this.#tellOf(told, subject, digest);
    }
    told.running = false;
    if (told.digests.size === 0) this.#forget(told);
  }

  /** What could not be told is told by the next connection. */
  async #tellOf({ tunnel, digests }: Told, subject: HubSubject, digest: string): Promise<void> {
    try {
      digests.set(subject, await subject.tell(tunnel, digest));
    } catch (error) {
      digests.delete(subject);
      if (error instanceof PeerGone) return;
      const { clientId } = tunnel.hub;
      this.#deps.log.warn({ error, client: clientId, subject: subject.name }, "a hub could not be told of its home");
    }
  }

  #forget({ tunnel, timer }: Told): void {
    timer?.cancel();
    const { environmentId, clientId } = tunnel.hub;
    const hubs = this.#environments.get(environmentId);
    if (hubs?.get(clientId)?.tunnel === tunnel) hubs.delete(clientId);
    if (hubs?.size === 0) this.#environments.delete(environmentId);
  }
}
