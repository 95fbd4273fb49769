/** Access to unvalidated data: a part that does not have the expected form counts as absent. */

export type Parts = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Parts {
  // The members of the object are still unknown.
  return typeof value === "object" && value !== null ? (value as Parts) : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
