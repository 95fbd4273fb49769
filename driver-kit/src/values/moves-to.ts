/** Decides whether a device moves to the target that was set. Shared, because covers of every protocol are slow. Pure. */

/**
 * Whether the values that are reported after a write show that a device moves to its target, or has reached it.
 * @param from the position when the target was set; undefined when it is not known, and the first value states it
 */
export function movesTo(target: number, from: number | undefined, tolerance: number): (now: unknown) => boolean {
  const near = tolerance + 1e-9;
  let before = from;
  return (now) => {
    if (typeof now !== "number") return false;
    const away = Math.abs(target - now);
    const isCloser = before !== undefined && away < Math.abs(target - before) - near;
    before ??= now;
    return away <= near || isCloser;
  };
}
