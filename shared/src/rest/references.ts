/**
 * References to objects: their parts, the rule for aliases (A1.1.2), and the three errors of an invalid reference, each with the part at
 * fault.
 */
import {
  type ErrorName,
  ID_KINDS,
  type IdPrefix,
  idPrefix,
  NamedError,
  TOKEN_REFERENCE_STATUS,
} from "../kernel/index.ts";
import { printable } from "../model/index.ts";

/** Longest alias, code points. */
const LONGEST_ALIAS = 128;
const REFUSED = /[;/?#%\p{Cc}]|^\s|\s$/u;

/** The alias in its normal form; undefined when it is not valid. */
export function normalAlias(text: string): string | undefined {
  if (!text.isWellFormed()) return undefined;
  const alias = text.normalize("NFC");
  if (alias === "" || REFUSED.test(alias) || idPrefix(alias) !== undefined) return undefined;
  // A code point has at most two code units, so only lengths in between need a count.
  if (alias.length > LONGEST_ALIAS && [...alias].length > LONGEST_ALIAS) return undefined;
  return alias;
}

/**
 * The `alias` of a body: undefined leaves it unchanged, null removes it.
 * @throws "Alias Invalid"
 */
export function readAlias(given: string | null | undefined): string | null | undefined {
  if (given === undefined || given === null) return given;
  const alias = normalAlias(given);
  // Checked here and not in `normalAlias`, so that references to aliases from before this rule still work.
  if (alias === undefined || printable(alias) !== alias)
    throw new NamedError(
      "Alias Invalid",
      "An alias has 1 to 128 characters. It must not contain ; / ? # % , control characters, invisible characters or marks that change the direction of text, begin or end with a space, or have the form of an ID.",
    );
  return alias;
}

const INVALID: Readonly<Record<ReferenceKind, ErrorName>> = {
  eco: "Ecosystem Invalid",
  env: "Environment Invalid",
  zon: "Zone Invalid",
  scn: "Scene Invalid",
  dev: "Device Invalid",
  usr: "User Invalid",
  srv: "Server Invalid",
  cli: "Client Invalid",
  tok: "Token Invalid",
  acs: "Access Entry Invalid",
  cmd: "Command Invalid",
  whk: "Webhook Invalid",
  dlv: "Delivery Invalid",
};

const NOT_FOUND: Readonly<Record<ReferenceKind, ErrorName>> = {
  eco: "Ecosystem Not Found",
  env: "Environment Not Found",
  zon: "Zone Not Found",
  scn: "Scene Not Found",
  dev: "Device Not Found",
  usr: "User Not Found",
  srv: "Server Not Found",
  cli: "Client Not Found",
  tok: "Token Not Found",
  acs: "Access Entry Not Found",
  cmd: "Command Not Found",
  whk: "Webhook Not Found",
  dlv: "Delivery Not Found",
};

/** Malformed, of another kind, never issued, or owned by another account: one answer for all. @param part of a scoped reference */
export function referenceInvalid(kind: ReferenceKind, part?: string): NamedError {
  const detail = `This is not the ID or a reference of any ${ID_KINDS[kind]} of yours${at(part)}.`;
  return new NamedError(INVALID[kind], detail, kind === "tok" ? { status: TOKEN_REFERENCE_STATUS } : {});
}

/** Deleted, or not in its container. @param part of a scoped reference */
export function referenceNotFound(kind: ReferenceKind, part?: string): NamedError {
  return new NamedError(
    NOT_FOUND[kind],
    `The ${ID_KINDS[kind]} was deleted, or is not in what the reference names${at(part)}.`,
  );
}

/** The object that a parameter names, and the errors when it does not exist. */
export interface Wanted {
  readonly kinds: readonly ReferenceKind[];
  invalid(part?: string): NamedError;
  notFound(part?: string): NamedError;
}

/** An object of a single kind. */
export function wantedKind(kind: ReferenceKind): Wanted {
  return {
    kinds: [kind],
    invalid: (part) => referenceInvalid(kind, part),
    notFound: (part) => referenceNotFound(kind, part),
  };
}

/** An object that a zone can contain. */
export const ZONE_ITEM: Wanted = {
  kinds: ["zon", "dev"],
  invalid: (part) => zoneItemInvalid(`An item is not the ID or a reference of any zone or device of yours${at(part)}.`),
  notFound: (part) =>
    new NamedError(
      "Zone Item Not Found",
      `A zone or device among the items was deleted, or is not in what the reference names${at(part)}.`,
    ),
};

/** An object that an item of a scene can set. */
export const SCENE_TARGET: Wanted = {
  kinds: ["zon", "dev"],
  invalid: (part) =>
    sceneItemInvalid(`A target is not the ID or a reference of any zone or device of yours${at(part)}.`),
  notFound: (part) =>
    new NamedError(
      "Scene Item Not Found",
      `A zone or device among the targets was deleted, or is not in what the reference names${at(part)}.`,
    ),
};

export function sceneItemInvalid(detail: string): NamedError {
  return new NamedError("Scene Item Invalid", detail);
}

export function zoneItemInvalid(detail: string): NamedError {
  return new NamedError("Zone Item Invalid", detail);
}

export function accessDenied(): NamedError {
  return new NamedError("Access Denied");
}

function at(part: string | undefined): string {
  return part === undefined ? "" : `: the part at fault is \`${part}\``;
}

/** Kinds that a parameter can name (A1.1). */
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
const LONGEST_REFERENCE = 1024;

/** The kinds that each kind directly contains. A kind without an entry contains nothing. */
const CONTAINS: Partial<Readonly<Record<IdPrefix, readonly IdPrefix[]>>> = {
  acc: ["eco"],
  eco: ["env", "usr", "srv", "cli"],
  env: ["zon", "dev", "cli", "scn"],
  zon: ["zon", "dev"],
};

/** Kinds that have a container, so that a reference can name them through it. All others are named by ID. */
const CONTAINED = new Set<IdPrefix>(Object.values(CONTAINS).flat());

/** Whether an object of kind `outer` can directly contain one of kind `inner`. */
export function canContain(outer: IdPrefix, inner: IdPrefix): boolean {
  return CONTAINS[outer]?.includes(inner) ?? false;
}

/** The parts from the outermost inwards; undefined when the text cannot be a reference to an object of these kinds. It needs no lookup. */
export function parseReference(kinds: readonly IdPrefix[], text: string): readonly ReferencePart[] | undefined {
  if (text.length > LONGEST_REFERENCE) return undefined;
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
