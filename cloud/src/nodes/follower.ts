/**
 * Keeps this node's caches up to date while other nodes write.
 *
 * Invariants: the caches of each followed ecosystem reflect one version; a message with the next version is applied,
 * and any other version means that a message was lost: the caches of the whole ecosystem are dropped. Every 0.8 s the
 * versions are compared with the database. Cached state that was not revalidated within 1 s is not served, so that a
 * lost message costs a second at most.
 */
import { BoundedMap, type Clock, every, type Log, NamedError, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Bus } from "../bus/index.ts";
import type { Commit, Store } from "../store/index.ts";
import { versionsOf } from "./service-queries.ts";
import {
  type ClusterMessage,
  clusterMessage,
  type Note,
  type RevocationMessage,
  RevocationReader,
} from "./stored-revocations.ts";

/** Handlers of the parts that have caches. */
export interface Followed {
  /** Handles all notes except revocations. */
  note(ecosystemId: string, note: Note): void;
  ended(revocation: RevocationMessage): void;
  /** Drops every cache of the ecosystem. */
  forget(ecosystemId: string): void;
  /** Open streams can no longer be checked: the database was unreachable for too long. */
  lost(): void;
}

export interface FollowerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly followed: Followed;
}

const LOOK_MS = 800;
/** Maximum age of the last comparison for caches to be served, ms. */
const CURRENT_MS = 1_000;
/**
 * Without a comparison for this long, open streams end, ms: a revocation on another node must take effect here within
 * five seconds, and the last of them is for notifying readers.
 */
const LOST_MS = 4_000;
/** Maximum followed ecosystems; beyond it the one whose version has not changed for longest is dropped. */
const MOST = 20_000;

export class Follower implements AsyncDisposable {
  readonly #deps: FollowerDeps;
  readonly #revocations: RevocationReader;
  /** Undefined until the version is known. */
  readonly #seen = new BoundedMap<string, number | undefined>(MOST, (oldest) => this.#deps.followed.forget(oldest));
  readonly #rounds = new Rounds(() => this.#lookNow());
  readonly #stops: (() => void)[];
  readonly #timer: Timer;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #lost: Timer | undefined;
  #failed = false;

  private constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#revocations = new RevocationReader(deps.store);
    this.#stops = [
      deps.bus.subscribe(`${SUBJECT}.*`, (message) => this.#heard(message)),
      deps.store.onCommits((commit) => this.#committed(commit)),
    ];
    this.#timer = every(deps.clock, "versions of the other nodes", LOOK_MS, () => void this.#rounds.ask());
  }

  /** @throws "Service Unavailable" */
  static async start(deps: FollowerDeps): Promise<Follower> {
    const follower = new Follower(deps);
    await follower.#rounds.ask();
    return follower;
  }

  /** Starts to follow the ecosystem, before it is read into a cache. */
  follow(ecosystemId: string): void {
    if (!this.#seen.has(ecosystemId)) this.#seen.set(ecosystemId, undefined);
  }

  /** The version that the caches of an ecosystem reflect; 0 when it is unknown. */
  versionOf(ecosystemId: string): number {
    return this.#seen.get(ecosystemId) ?? 0;
  }

  /** Another node has committed this version: older caches of the ecosystem are dropped. */
  atLeast(ecosystemId: string, version: number): void {
    if ((this.#seen.get(ecosystemId) ?? 0) < version) this.#forget(ecosystemId, version);
  }

  /** Whether the caches may be served. */
  get current(): boolean {
    return this.#deps.clock.monotonic() - this.#lookedAt < CURRENT_MS;
  }

  /** Resolves when they may. @param outcome of the request, for the error @throws "Service Unavailable" */
  async catchUp(outcome?: "not_sent"): Promise<void> {
    await this.#rounds.ask();
    if (!this.current)
      throw new NamedError("Service Unavailable", "This node cannot read the latest changes from the database.", {
        retryAfter: 1,
        ...(outcome && { outcome }),
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer.cancel();
    for (const stop of this.#stops) stop();
    await this.#rounds.end();
    this.#lost?.cancel();
  }

  async #lookNow(): Promise<void> {
    const { store, clock, log, followed } = this.#deps;
    const asked = clock.monotonic();
    try {
      for (const revocation of await this.#revocations.look()) followed.ended(revocation);
      const before = new Map(this.#seen);
      for (const row of await versionsOf(store, [...before.keys()])) {
        const { ecosystem_id: ecosystemId, version, sequence } = row;
        const seen = this.#seen.get(ecosystemId);
        // A message that arrived during the query is newer than its result.
        if (seen !== before.get(ecosystemId) || seen === version) continue;
        this.#forget(ecosystemId, version ?? 0);
        store.tellEvents(ecosystemId, sequence);
      }
      this.#lookedAt = asked;
      this.#lost?.cancel();
      this.#lost = clock.timer("database lost", asked + LOST_MS - clock.monotonic(), () => followed.lost());
      if (this.#failed) log.info({}, "the changes of other nodes can be read again");
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) log.warn({ error }, "the changes of other nodes cannot be read from the database");
      this.#failed = true;
    }
  }

  #heard(message: unknown): void {
    const parsed = clusterMessage.safeParse(message);
    if (!parsed.success) {
      this.#deps.log.warn({ error: parsed.error }, "a message of another node could not be parsed");
      return;
    }
    const { ecosystemId, version, sequence, notes } = parsed.data;
    const isNext = version !== undefined && this.#stepTo(ecosystemId, version);
    for (const note of notes) {
      if (note.kind === "ending") this.#deps.followed.ended(note.ending);
      // The caches were loaded again since, and may hold a newer value.
      else if (note.kind !== "value" || isNext) this.#deps.followed.note(ecosystemId, note);
    }
    if (sequence !== undefined) this.#deps.store.tellEvents(ecosystemId, sequence);
  }

  #committed({ versions }: Commit): void {
    for (const [ecosystemId, version] of versions) this.#stepTo(ecosystemId, version);
  }

  /** Advances to this version; returns whether it is the successor of the cached one. */
  #stepTo(ecosystemId: string, version: number): boolean {
    const seen = this.#seen.get(ecosystemId);
    if (seen === version - 1) {
      this.#seen.set(ecosystemId, version);
      return true;
    }
    if (this.#seen.has(ecosystemId) && (seen === undefined || version > seen)) this.#forget(ecosystemId, version);
    return false;
  }

  #forget(ecosystemId: string, version: number): void {
    this.#seen.set(ecosystemId, version);
    this.#deps.followed.forget(ecosystemId);
  }
}

/** Notifies the other nodes of changes to cached state; a single node sends nothing. */
export interface InvalidationSink {
  /** Sent with the commit whose effects are running. */
  note(note: Note): void;
  /** Sent at once: the note belongs to no commit. */
  tell(ecosystemId: string, note: Note): void;
}

export const NO_INVALIDATIONS: InvalidationSink = { note: () => undefined, tell: () => undefined };

/** Prefix of the subject of all messages: the last part is the ecosystem, or this. */
const SUBJECT = "porchlight.news";
const OF_NO_ECOSYSTEM = "service";
/** Maximum values in one message; with more, the environment is loaded again. */
const MOST_VALUES = 400;

/**
 * Publishes each commit of this node in one message. Parts with caches add notes in the effects of the commit, which
 * state what the other nodes must do with their caches.
 */
export class InvalidationPublisher implements InvalidationSink, Disposable {
  readonly #bus: Bus;
  readonly #stopListening: () => void;
  #notes: Note[] = [];

  private constructor(store: Pick<Store, "onCommits">, bus: Bus) {
    this.#bus = bus;
    this.#stopListening = store.onCommits((commit) => this.#committed(commit));
  }

  static start(store: Pick<Store, "onCommits">, bus: Bus): InvalidationPublisher {
    return new InvalidationPublisher(store, bus);
  }

  note(note: Note): void {
    this.#notes.push(note);
  }

  tell(ecosystemId: string, note: Note): void {
    this.#publish({ ecosystemId, notes: [note] });
  }

  [Symbol.dispose](): void {
    this.#stopListening();
  }

  /** On PostgreSQL a transaction concerns one ecosystem, or none. */
  #committed({ versions, sequences }: Commit): void {
    const notes = short(this.#notes);
    this.#notes = [];
    for (const [ecosystemId, version] of versions) {
      const sequence = sequences.get(ecosystemId);
      this.#publish({ ecosystemId, version, ...(sequence !== undefined && { sequence }), notes });
    }
    if (versions.size === 0 && notes.length > 0) this.#publish({ ecosystemId: "", notes });
  }

  #publish(message: ClusterMessage): void {
    this.#bus.publish(`${SUBJECT}.${message.ecosystemId || OF_NO_ECOSYSTEM}`, message);
  }
}

function short(notes: Note[]): Note[] {
  if (notes.length <= MOST_VALUES) return notes;
  const environments = new Set<string>();
  const others = notes.filter((note) => {
    if (note.kind !== "value") return true;
    environments.add(note.environmentId);
    return false;
  });
  return [...others, ...[...environments].map((environmentId) => ({ kind: "environment" as const, environmentId }))];
}
