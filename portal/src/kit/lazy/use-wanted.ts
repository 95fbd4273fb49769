/** A part that is loaded when somebody first wants it. Where that fails, it is tried again the next time, and the page stays as it is. */
import { useEffect, useState } from "react";

export interface Wanted<C> {
  /** Once it is there, it stays. */
  readonly Part: C | undefined;
  /** Why it is not there, until it is wanted anew. */
  readonly error: Error | undefined;
}

/** @param load the same function every time: it imports a module whose default is the part */
export function useWanted<C>(load: () => Promise<{ readonly default: C }>, isWanted: boolean): Wanted<C> {
  const [found, setFound] = useState<Wanted<C>>(NOTHING);
  const isMissing = found.Part === undefined;
  useEffect(() => {
    if (!isWanted || !isMissing) return;
    let isOver = false;
    const settle = (next: Wanted<C>) => {
      if (!isOver) setFound(next);
    };
    load().then(
      ({ default: Part }) => settle({ Part, error: undefined }),
      (cause: unknown) => settle({ Part: undefined, error: new Error(NOT_LOADED, { cause }) }),
    );
    return () => {
      isOver = true;
      setFound((before) => (before.error ? NOTHING : before));
    };
  }, [load, isWanted, isMissing]);
  return found;
}

const NOTHING = { Part: undefined, error: undefined };
const NOT_LOADED =
  "This could not be loaded: the service cannot be reached, or has been upgraded. Load the page again.";
