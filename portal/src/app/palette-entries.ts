/** What the search finds: pages, places, zones, devices, scenes and hubs, the best first. Pure. */
import type { IconName } from "../kit/display/icon.tsx";

export interface Entry {
  readonly icon: IconName;
  readonly name: string;
  /** What it is, and where. */
  readonly about: string;
  /** Other words that it is found by, in small letters: "new". */
  readonly also?: string;
  /** An ID, which it is also found by. */
  readonly id?: string;
  /** Where it is. */
  readonly to: string;
}

/** How well a text fits an entry: the smaller the better; undefined when it does not. @param wanted in small letters */
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

/** The entries that fit, the best first, and in their own order where they fit alike. @param most entries */
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

/** Kinds whose objects have a page under their environment. */
const IN_ENVIRONMENT = { dev: "devices", zon: "zones", cli: "hubs", scn: "scenes" } as const;
const ID = /^([a-z]{3})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

type Kind = keyof typeof IN_ENVIRONMENT;

function isKind(prefix: string | undefined): prefix is Kind {
  return prefix !== undefined && Object.hasOwn(IN_ENVIRONMENT, prefix);
}

/** What an ID is of, when the text is the ID of something with its own page. */
export function idOf(text: string): { readonly kind: Kind; readonly id: string } | undefined {
  const id = text.trim();
  const [, prefix] = ID.exec(id) ?? [];
  return isKind(prefix) ? { kind: prefix, id } : undefined;
}

/** Address of the page of a device, zone, hub or scene. */
export function addressOf(kind: Kind, environmentId: string, id: string): string {
  return `/environments/${environmentId}/${IN_ENVIRONMENT[kind]}/${id}`;
}
