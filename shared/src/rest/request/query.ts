/** Query strings: a route accepts only the parameters that it lists, each at most once (A1.0.5). */
import { NamedError } from "../../kernel/index.ts";
import { isStorable } from "../../model/index.ts";

/** @throws "No Query String Allowed", "Query Parameter Invalid" */
export function checkQuery(query: unknown, listed: readonly string[]): void {
  if (typeof query !== "object" || query === null) return;
  for (const name in query) {
    if (!listed.includes(name))
      throw new NamedError(
        "No Query String Allowed",
        listed.length === 0
          ? "This route takes no query string."
          : `This route takes no query parameter \`${name}\`; it takes ${listed.join(", ")}.`,
      );
  }
  for (const name of listed) {
    const value: unknown = Reflect.get(query, name);
    if (Array.isArray(value)) throw new NamedError("Query Parameter Invalid", `\`${name}\` is given more than once.`);
    if (typeof value === "string" && !isStorable(value))
      throw new NamedError("Query Parameter Invalid", `\`${name}\` has U+0000 or a lone surrogate.`);
  }
}

/** A parameter that is `true` or `false`; undefined when it is absent. @throws "Query Parameter Invalid" */
export function readBoolean(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text === "true" || text === "false") return text === "true";
  throw new NamedError("Query Parameter Invalid", `\`${name}\` must be \`true\` or \`false\`.`);
}
