/** What foreign JSON has at a path of members, whatever it is; nothing of it is known to make sense before. */

/** @returns undefined when there is nothing at that path */
export function at(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) => (isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    json,
  );
}

export function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}
