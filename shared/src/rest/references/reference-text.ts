/** A reference taken apart, before anything is looked up: IDs and aliases, and what can contain what (A1.1). */
import { type IdPrefix, idPrefix } from "../../kernel/index.ts";
import { normalAlias } from "./aliases.ts";

/** Kinds that a parameter can name. */
export type ReferenceKind =
  | "eco"
  | "env"
  | "zon"
  | "scn"
  | "dev"
  | "usr"
  | "srv"
  | "cli"
  | "tok"
  | "acs"
  | "cmd"
  | "whk"
  | "dlv";

export type ReferencePart =
  | { readonly by: "id"; readonly text: string; readonly kind: IdPrefix }
  | { readonly by: "alias"; readonly text: string };

/** Longest reference, characters. */
const MAX_LENGTH = 1024;

/** What is directly contained in what. A kind that is not here contains nothing. */
const CONTAINS: Partial<Readonly<Record<IdPrefix, readonly IdPrefix[]>>> = {
  acc: ["eco"],
  eco: ["env", "usr", "srv", "cli"],
  env: ["zon", "dev", "cli", "scn"],
  zon: ["zon", "dev"],
};

/** Kinds that stand in a container, and so can be named through it. All others go by ID. */
const CONTAINED = new Set<IdPrefix>(Object.values(CONTAINS).flat());

/** Whether an object of kind `inner` can stand directly in one of kind `outer`. */
export function canContain(outer: IdPrefix, inner: IdPrefix): boolean {
  return CONTAINS[outer]?.includes(inner) ?? false;
}

/** The parts from the outside in; undefined when the text can be no reference to an object of one of those kinds. */
export function parseReference(kinds: readonly IdPrefix[], text: string): readonly ReferencePart[] | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const whole = idPrefix(text);
  if (whole !== undefined) return kinds.includes(whole) ? [{ by: "id", text, kind: whole }] : undefined;
  const texts = text.split(";");
  if (texts.length === 1 || !kinds.every((kind) => CONTAINED.has(kind))) return undefined;
  const parts: ReferencePart[] = [];
  for (const [at, part] of texts.entries()) {
    const prefix = idPrefix(part);
    const isLast = at === texts.length - 1;
    if (prefix !== undefined) {
      if (isLast ? !kinds.includes(prefix) : CONTAINS[prefix] === undefined) return undefined;
      parts.push({ by: "id", text: part, kind: prefix });
    } else {
      const alias = normalAlias(part);
      if (at === 0 || alias === undefined) return undefined;
      parts.push({ by: "alias", text: alias });
    }
  }
  return parts;
}
