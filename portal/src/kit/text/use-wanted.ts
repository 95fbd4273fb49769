/** A component that is loaded on first use. A failed load leaves the page as it is and is retried on the next use. */
import { useEffect, useState } from "react";

interface Wanted<C> {
  /** The component; it stays once it is loaded. */
  readonly Part: C | undefined;
  /** The error of the last load, cleared by the next attempt. */
  readonly error: Error | undefined;
}

/** @param load must be the same function on every call; it imports a module with the component as its default export */
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
