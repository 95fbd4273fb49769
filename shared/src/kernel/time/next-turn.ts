/** Lets the event loop turn: for long work in slices, and for loops over a store that answers at once. */

/** Resolves in the next turn of the event loop, after the input and timers that are due. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
