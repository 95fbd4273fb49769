/** Adds up what a driver's status counts under given names, at any depth: each line and each dialect has its own. */

/** @param names of counters; what else the status says is not looked at */
export function countNamed(status: unknown, names: readonly string[]): number {
  if (Array.isArray(status)) return sum(status.map((each) => countNamed(each, names)));
  if (typeof status !== "object" || status === null) return 0;
  return sum(
    Object.entries(status).map(([name, value]) =>
      typeof value === "number" ? (names.includes(name) ? value : 0) : countNamed(value, names),
    ),
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
