/** Whether a device moves to where it was told to: apart, because covers of every protocol are slow. Pure. */

/**
 * Whether the values that are told after a write show that a device moves to its target, or is there.
 * @param from where it was when the target was set; undefined when that is not known, and the first value says it
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
