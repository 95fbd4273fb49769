/** Reads a member of foreign JSON at a path, without assumptions about its structure. */

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
