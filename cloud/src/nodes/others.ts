/** The other nodes, as whatever has something in memory sees them: it tells them what it does, and says what it keeps. */
import { NOBODY, type Tells } from "./news.ts";

export interface Others {
  readonly news: Tells;
  /** Something of the ecosystem is kept in memory: from now on it is to be told what others change of it. */
  follow(ecosystemId: string): void;
}

/** Of a lone node. */
export const NO_OTHERS: Others = { news: NOBODY, follow: () => undefined };
