/**
 * The dashboard of an environment: an ordered list of cards in the environment's metadata, so that all users share it without further
 * storage. Any client can write the metadata, so it is parsed; parts that this version cannot read are preserved.
 */
import { type ChangeOptions, type Meta, retryOnConflict, type Tagged } from "@porchlight/sdk";
import { spanOf } from "@porchlight/shared/presentation";
import { DAY, HOUR } from "../../charts/span.ts";
import type { Target } from "../../live/target.ts";

/** The metadata key. */
export const DASHBOARD_KEY = "portal.dashboard";

export const CARD_SIZES = ["small", "wide", "full"] as const;
export type CardSize = (typeof CARD_SIZES)[number];

export interface PinnedCard {
  readonly id: string;
  readonly kind: "value" | "chart";
  readonly size: CardSize;
  /** At least one; a value card shows the first. */
  readonly properties: readonly Target[];
  /** The card's own title; undefined: the default title. */
  readonly title?: string | undefined;
  /** The time span of a chart, in ms; undefined: the dashboard's. */
  readonly length?: number | undefined;
}

export interface Dashboard {
  readonly cards: readonly PinnedCard[];
  /** The time span of charts without their own, in ms; undefined: {@link USUAL_LENGTH}. */
  readonly length?: number | undefined;
  /** Cards that this version of the portal cannot read; they are written back unchanged. */
  readonly unread: readonly unknown[];
}

/** Maximum number of cards; more would be slow to read, for people too. */
export const MOST_CARDS = 40;
export const MOST_IN_CARD = 8;
/** Maximum length of a title in UTF-16 units, as form fields count. */
export const LONGEST_TITLE = 80;
/** One day, in ms. */
export const USUAL_LENGTH = 86_400_000;
/** Allowed time spans of a chart, in ms; others are ignored. */
const LENGTHS = { least: 60_000, most: 4e11 };
const VERSION = 1;

/** Parses the dashboard. @param meta of the environment */
export function dashboardOf(meta: Meta): Dashboard {
  const kept = meta[DASHBOARD_KEY];
  const { cards: list, length } = isFields(kept) ? kept : {};
  const all = Array.isArray(list) ? list : [];
  const read = all.map((value: unknown) => ({ value, card: cardOf(value) }));
  const seen = new Set<string>();
  const cards = read.flatMap(({ card }) => {
    if (!card || seen.has(card.id)) return [];
    seen.add(card.id);
    return [card];
  });
  const unread = read.filter(({ card }) => !card).map(({ value }) => value);
  return { cards, unread, ...(isLength(length) && { length }) };
}

/** Puts the dashboard into the metadata; drops the key when the dashboard is empty. */
export function withDashboard(meta: Meta, { cards, unread, length }: Dashboard): Meta {
  const { [DASHBOARD_KEY]: _, ...rest } = meta;
  if (cards.length + unread.length === 0) return rest;
  const kept = { version: VERSION, ...(length !== undefined && { length }), cards: [...cards.map(written), ...unread] };
  return { ...rest, [DASHBOARD_KEY]: kept };
}

/**
 * A change that is applied to the current dashboard at the time of writing, because other users may have changed it. Returning the same
 * object means no change.
 */
export type DashboardChange = (dashboard: Dashboard) => Dashboard;

const ofCards =
  (change: (cards: readonly PinnedCard[]) => readonly PinnedCard[]): DashboardChange =>
  (dashboard) => {
    const cards = change(dashboard.cards);
    return cards === dashboard.cards ? dashboard : { ...dashboard, cards };
  };

/** Appends cards; existing cards stay unchanged. */
export const added = (...cards: readonly PinnedCard[]) =>
  ofCards((before) => {
    const fresh = cards.filter((card) => before.every(({ id }) => id !== card.id));
    return fresh.length === 0 ? before : [...before, ...fresh];
  });

export const without = (id: string) => ofCards((cards) => cards.filter((each) => each.id !== id));

/** Edits a card; undefined removes its own title or time span. A card that was removed meanwhile stays removed. */
export const edited = (id: string, change: Partial<Pick<PinnedCard, "size" | "title" | "length">>) =>
  ofCards((cards) => cards.map((each) => (each.id === id ? { ...each, ...change } : each)));

/** Sets the time span of the charts without their own. @param length in ms */
export const ranged =
  (length: number): DashboardChange =>
  (dashboard) =>
    dashboard.length === length ? dashboard : { ...dashboard, length };

/** Moves a card to the place of another; does nothing when either is gone. */
export const movedTo = (id: string, place: string) =>
  ofCards((cards) => {
    const [from, to] = [id, place].map((each) => cards.findIndex((card) => card.id === each));
    const card = from === undefined ? undefined : cards[from];
    if (!card || from === undefined || to === undefined || to < 0) return cards;
    return cards.toSpliced(from, 1).toSpliced(to, 0, card);
  });

/** The SDK methods that the dashboard needs. */
interface DashboardSource {
  getTagged(id: string): Promise<Tagged<{ readonly meta: Meta }>>;
  update(id: string, body: { readonly meta: Meta }, options: ChangeOptions): Promise<string>;
}

/**
 * Reads the current dashboard and saves the change over exactly that version.
 * @throws PorchlightError; Error when there are too many cards
 */
export async function changeDashboard(
  source: DashboardSource,
  environmentId: string,
  change: DashboardChange,
): Promise<void> {
  await retryOnConflict(async () => {
    const { value, etag } = await source.getTagged(environmentId);
    const before = dashboardOf(value.meta);
    const next = change(before);
    if (next.cards.length > MOST_CARDS && next.cards.length > before.cards.length)
      throw new Error(`A dashboard has at most ${MOST_CARDS} cards. Remove one first.`);
    if (next === before) return;
    await source.update(environmentId, { meta: withDashboard(value.meta, next) }, { ifMatch: etag });
  });
}

function written({ properties, title, length, ...card }: PinnedCard) {
  return {
    ...card,
    ...(title !== undefined && { title }),
    ...(length !== undefined && { length }),
    properties: properties.map(({ deviceId, service, index, property }) => ({ deviceId, service, index, property })),
  };
}

function cardOf(value: unknown): PinnedCard | undefined {
  if (!isFields(value)) return undefined;
  const { id, kind, size, properties, length } = value;
  const title = readTitle(value.title);
  if (typeof id !== "string" || !/^[\w-]{1,40}$/.test(id) || (kind !== "value" && kind !== "chart")) return undefined;
  const targets = Array.isArray(properties) ? properties.map(targetOf) : [];
  const known = targets.filter((target) => target !== undefined);
  if (known.length === 0 || known.length < targets.length || known.length > MOST_IN_CARD) return undefined;
  return {
    ...{ id, kind, properties: known },
    size: CARD_SIZES.find((each) => each === size) ?? "small",
    ...(title !== undefined && { title }),
    ...(isLength(length) && { length }),
  };
}

function isLength(value: unknown): value is number {
  return typeof value === "number" && value >= LENGTHS.least && value <= LENGTHS.most;
}

/** Normalizes a title: trimmed; undefined for an invalid or blank one. */
export function readTitle(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" || text.length > LONGEST_TITLE ? undefined : text;
}

function targetOf(value: unknown): Target | undefined {
  if (!isFields(value)) return undefined;
  const { deviceId, service, index, property } = value;
  const isWhole = [deviceId, service, index, property].every((each) => typeof each === "string" && each.length <= 128);
  // The service validates the other parts. An invalid device ID is rejected here, because it would yield a broken address.
  if (!isWhole || !/^dev_\w+$/.test(String(deviceId))) return undefined;
  return { deviceId: String(deviceId), service: String(service), index: String(index), property: String(property) };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const RANGES: readonly (readonly [length: number, words: string])[] = [
  [HOUR, "last hour"],
  [DAY, "last 24 hours"],
  [7 * DAY, "last 7 days"],
  [30 * DAY, "last 30 days"],
  [365 * DAY, "last year"],
];

/** @param length in ms */
export function rangeWords(length: number): string {
  return RANGES.find(([each]) => each === length)?.[1] ?? `last ${spanOf(length).replace(/ 0 (?:min|h)$/, "")}`;
}

/** The choices of a select. @param chosen the current time span, which can be an unusual one */
export function rangeChoices(
  chosen: number | undefined,
): readonly { readonly value: string; readonly label: string }[] {
  const lengths = RANGES.map(([length]) => length);
  const all = chosen === undefined || lengths.includes(chosen) ? lengths : [...lengths, chosen];
  return all.map((length) => ({ value: String(length), label: capital(rangeWords(length)) }));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
