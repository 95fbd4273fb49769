/** The three answers to a reference that names nothing the caller may have, each with the part at fault. */
import {
  type ErrorName,
  ID_KINDS,
  type IdPrefix,
  idPrefix,
  NamedError,
  TOKEN_REFERENCE_STATUS,
} from "../../kernel/index.ts";
import { normalAlias } from "./aliases.ts";

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

/** Malformed, of another kind, never issued, or somebody else's: all one answer. @param part of a scoped reference */
export function referenceInvalid(kind: ReferenceKind, part?: string): NamedError {
  const detail = `This is not the ID or a reference of any ${ID_KINDS[kind]} of yours${at(part)}.`;
  return new NamedError(INVALID[kind], detail, kind === "tok" ? { status: TOKEN_REFERENCE_STATUS } : {});
}

/** It was there once, or its container has no such object. @param part of a scoped reference */
export function referenceNotFound(kind: ReferenceKind, part?: string): NamedError {
  return new NamedError(
    NOT_FOUND[kind],
    `The ${ID_KINDS[kind]} was deleted, or is not in what the reference names${at(part)}.`,
  );
}

/** What a parameter names, and what it answers when that is not there. */
export interface Wanted {
  readonly kinds: readonly ReferenceKind[];
  invalid(part?: string): NamedError;
  notFound(part?: string): NamedError;
}

/** An object of one kind. */
export function wantedKind(kind: ReferenceKind): Wanted {
  return {
    kinds: [kind],
    invalid: (part) => referenceInvalid(kind, part),
    notFound: (part) => referenceNotFound(kind, part),
  };
}

/** What can stand in a zone. */
export const ZONE_ITEM: Wanted = {
  kinds: ["zon", "dev"],
  invalid: (part) => zoneItemInvalid(`An item is not the ID or a reference of any zone or device of yours${at(part)}.`),
  notFound: (part) =>
    new NamedError(
      "Zone Item Not Found",
      `A zone or device among the items was deleted, or is not in what the reference names${at(part)}.`,
    ),
};

/** What an item of a scene can set. */
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

// A reference taken apart, before anything is looked up: IDs and aliases, and what can contain what (A1.1).

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
