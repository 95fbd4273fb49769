/** What things are called on a page: by alias where there is one. */

export interface Named {
  readonly id: string;
  readonly alias?: string | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Alias, else the name that its metadata tells, else the ID. */
export function nameOf({ id, alias, meta }: Named): string {
  if (alias !== undefined) return alias;
  const name = meta?.["$.name"];
  return typeof name === "string" && name !== "" ? name : id;
}

/** An ID short enough for a narrow place, and still told from its neighbours. */
export function shortId(id: string): string {
  return id.length > 14 ? `${id.slice(0, 4)}…${id.slice(-6)}` : id;
}
