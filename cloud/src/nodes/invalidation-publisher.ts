/**
 * Tells the other nodes of each commit of this one. What holds something in memory notes, in the effects of a commit, what the
 * others are to do with theirs; the notes leave with that commit, in its one message.
 */
import type { Bus } from "../bus/index.ts";
import type { Commit, Store } from "../store/index.ts";
import type { ClusterMessage, Note } from "./cluster-messages.ts";

/** As the parts that have something in memory see it; a lone node tells nothing. */
export interface InvalidationSink {
  /** Leaves with the commit whose effects are running. */
  note(note: Note): void;
  /** Leaves now: nothing of it is stored. */
  tell(ecosystemId: string, note: Note): void;
}

export const NOBODY: InvalidationSink = { note: () => undefined, tell: () => undefined };

/** Under which every commit is told: the last word is the ecosystem, or this. */
export const SUBJECT = "porchlight.news";
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
