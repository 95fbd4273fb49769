/** The entries of the search: pages, places, zones, devices, scenes and hubs, ranked by match. Pure. */
import type { IconName } from "../kit/display/icon.tsx";

export interface Entry {
  readonly icon: IconName;
  readonly name: string;
  /** Its kind and place. */
  readonly about: string;
  /** Further search words in lower case: "new". */
  readonly also?: string;
  /** An ID that the search also matches. */
  readonly id?: string;
  /** Its address. */
  readonly to: string;
}

/** Ranks how well an entry matches: lower is better; undefined when it does not match. @param wanted in lower case */
function fitOf({ name, about, also = "", id }: Entry, wanted: string): number | undefined {
  const named = name.toLowerCase();
  if (named === wanted || id === wanted) return 0;
  if (named.startsWith(wanted)) return 1;
  if (named.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 2;
  if (named.includes(wanted)) return 3;
  if (id?.includes(wanted)) return 4;
  const words = wanted.split(/\s+/);
  const all = `${named} ${about.toLowerCase()} ${also}`;
  return words.every((word) => all.includes(word)) ? 5 : undefined;
}

/** The matching entries, best first; equal matches keep their order. @param most maximum number of entries */
export function found(entries: readonly Entry[], text: string, most: number): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return entries.slice(0, most);
  const byFit = new Map<number, Entry[]>();
  for (const entry of entries) {
    const fit = fitOf(entry, wanted);
    if (fit === undefined) continue;
    const list = byFit.get(fit);
    if (list) list.push(entry);
    else byFit.set(fit, [entry]);
  }
  return [...byFit.keys()]
    .sort((one, other) => one - other)
    .flatMap((fit) => byFit.get(fit) ?? [])
    .slice(0, most);
}

/** Kinds of objects that have a page within their environment. */
const IN_ENVIRONMENT = { dev: "devices", zon: "zones", cli: "hubs", scn: "scenes" } as const;
const ID = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

type Kind = keyof typeof IN_ENVIRONMENT;

function isKind(prefix: string | undefined): prefix is Kind {
  return prefix !== undefined && Object.hasOwn(IN_ENVIRONMENT, prefix);
}

/** The kind and ID when the text is the ID of an object with its own page. */
export function idOf(text: string): { readonly kind: Kind; readonly id: string } | undefined {
  const id = text.trim();
  const [, prefix] = ID.exec(id) ?? [];
  return isKind(prefix) ? { kind: prefix, id } : undefined;
}

/** Address of the page of a device, zone, hub or scene. */
export function addressOf(kind: Kind, environmentId: string, id: string): string {
  return `/environments/${environmentId}/${IN_ENVIRONMENT[kind]}/${id}`;
}
