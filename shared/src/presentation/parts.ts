/** Parts of data whose form nobody has checked: what is not of the form that is looked for is as if it were not there. */

export type Parts = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown): Parts {
  // Whatever it has is unknown again.
  return typeof value === "object" && value !== null ? (value as Parts) : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
