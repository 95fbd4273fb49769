/** The other nodes, as a part with something in memory sees them: it tells them what it does, and says what it keeps. */
import { type InvalidationSink, NOBODY } from "./invalidation-publisher.ts";

export interface Others {
  readonly invalidations: InvalidationSink;
  /** Something of the ecosystem is kept in memory: from now on it must be told what others change of it. */
  follow(ecosystemId: string): void;
}

/** Of a lone node. */
export const NO_OTHERS: Others = { invalidations: NOBODY, follow: () => undefined };
