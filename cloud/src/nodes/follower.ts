/**
 * Keeps what this node has in memory true while others write.
 *
 * Invariants: of each ecosystem that is followed, what is in memory stands at one version; a message with the next version is applied as
 * it says, and any other means that something was missed: all of the ecosystem is forgotten. Every 0.8 s the versions are
 * compared with the database. Cached state that was not revalidated within 1 s is not served, so that a lost
 * message costs a second at most.
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

/** What is done with what is heard, by parts with something in memory. */
export interface Followed {
  /** All notes but revocations and values' own kind come here too. */
  note(ecosystemId: string, note: Note): void;
  ended(revocation: RevocationMessage): void;
  /** Everything of the ecosystem must be read anew. */
  forget(ecosystemId: string): void;
  /** Nothing can be said for what this node has had open since then: the database could not be asked for too long. */
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
/** What was looked at before that may be told, ms. */
const CURRENT_MS = 1_000;
/**
 * After so long without a look what is open ends, ms: what has ended elsewhere must have ended here within five seconds, and the last
 * of these is for telling readers.
 */
const LOST_MS = 4_000;
/** Ecosystems followed; beyond it the one whose version has not changed for longest is forgotten. */
const MOST = 20_000;

export class Follower implements AsyncDisposable {
  readonly #deps: FollowerDeps;
  readonly #revocations: RevocationReader;
  /** Undefined until it is known. */
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

  /** Something of the ecosystem is about to be read into memory. */
  follow(ecosystemId: string): void {
    if (!this.#seen.has(ecosystemId)) this.#seen.set(ecosystemId, undefined);
  }

  /** The version at which what is in memory of an ecosystem stands; 0 when that is not known. */
  versionOf(ecosystemId: string): number {
    return this.#seen.get(ecosystemId) ?? 0;
  }

  /** Another node says that it has committed this version: what is in memory here is of that one or newer, or is forgotten. */
  atLeast(ecosystemId: string, version: number): void {
    if ((this.#seen.get(ecosystemId) ?? 0) < version) this.#forget(ecosystemId, version);
  }

  /** Whether what is in memory may be told. */
  get current(): boolean {
    return this.#deps.clock.monotonic() - this.#lookedAt < CURRENT_MS;
  }

  /** Settles when it may. @param outcome of what is asked for, if it does not @throws "Service Unavailable" */
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
        // A message that came while the database was asked is newer than its answer.
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
      // What is in memory has been read anew since, and may hold a newer value.
      else if (note.kind !== "value" || isNext) this.#deps.followed.note(ecosystemId, note);
    }
    if (sequence !== undefined) this.#deps.store.tellEvents(ecosystemId, sequence);
  }

  #committed({ versions }: Commit): void {
    for (const [ecosystemId, version] of versions) this.#stepTo(ecosystemId, version);
  }

  /** Whether it is the version after the one at which what is in memory stands. */
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

// Tells the other nodes of each commit of this one. What holds something in memory notes, in the effects of a commit, what the
// others are to do with theirs; the notes leave with that commit, in its one message.

/** As the parts that have something in memory see it; a lone node tells nothing. */
export interface InvalidationSink {
  /** Leaves with the commit whose effects are running. */
  note(note: Note): void;
  /** Leaves now: nothing of it is stored. */
  tell(ecosystemId: string, note: Note): void;
}

export const NOBODY: InvalidationSink = { note: () => undefined, tell: () => undefined };

/** Under which every commit is told: the last word is the ecosystem, or this. */
const SUBJECT = "porchlight.news";
const OF_NO_ECOSYSTEM = "service";
/** Values in one message; of more the environment is read anew. */
const MOST_VALUES = 400;

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

  /** On PostgreSQL a transaction is of one ecosystem, or of none. */
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
