/**
 * The dashboard of an environment: cards in an order, kept in the environment's metadata, so that all its users share it and no further storage
 * is needed. What is read there may be anybody's, so it is parsed; what this version does not know stays where it is.
 */

import type { ChangeOptions, Meta } from "@porchlight/sdk";
import { retryOnConflict, type Tagged } from "@porchlight/sdk";
import type { Target } from "../../live/target.ts";

/** The key of the metadata. */
export const DASHBOARD_KEY = "portal.dashboard";

export const CARD_SIZES = ["small", "wide", "full"] as const;
export type CardSize = (typeof CARD_SIZES)[number];

export interface PinnedCard {
  readonly id: string;
  readonly kind: "value" | "chart";
  readonly size: CardSize;
  /** At least one; of a value the first is shown. */
  readonly properties: readonly Target[];
  /** Of its own; otherwise it is called by what it shows. */
  readonly title?: string | undefined;
  /** Of a chart: the length of what it shows, ms; otherwise that of the dashboard. */
  readonly length?: number | undefined;
}

export interface Dashboard {
  readonly cards: readonly PinnedCard[];
  /** The length of what charts show, ms, unless they have one of their own; otherwise {@link USUAL_LENGTH}. */
  readonly length?: number | undefined;
  /** Cards that this version of the portal cannot read: they are written back as they were. */
  readonly unread: readonly unknown[];
}

/** More would be slow to read, for people too. */
export const MOST_CARDS = 40;
export const MOST_IN_CARD = 8;
/** Characters of a title, as people count them roughly: UTF-16 units, as fields do. */
export const LONGEST_TITLE = 80;
/** A day, ms. */
export const USUAL_LENGTH = 86_400_000;
/** A chart of less or more is none that a dashboard has, ms. */
const LENGTHS = { least: 60_000, most: 4e11 };
const VERSION = 1;

/** @param meta of the environment */
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

/** Metadata with the dashboard in it; without the key when nothing is left of it. */
export function withDashboard(meta: Meta, { cards, unread, length }: Dashboard): Meta {
  const { [DASHBOARD_KEY]: _, ...rest } = meta;
  if (cards.length + unread.length === 0) return rest;
  const kept = { version: VERSION, ...(length !== undefined && { length }), cards: [...cards.map(written), ...unread] };
  return { ...rest, [DASHBOARD_KEY]: kept };
}

/** A change of what is there at the time of writing, which others may have changed meanwhile. The same one back is no change. */
export type DashboardChange = (dashboard: Dashboard) => Dashboard;

const ofCards =
  (change: (cards: readonly PinnedCard[]) => readonly PinnedCard[]): DashboardChange =>
  (dashboard) => {
    const cards = change(dashboard.cards);
    return cards === dashboard.cards ? dashboard : { ...dashboard, cards };
  };

/** At the end; what is there already stays as it is. */
export const added = (...cards: readonly PinnedCard[]) =>
  ofCards((before) => {
    const fresh = cards.filter((card) => before.every(({ id }) => id !== card.id));
    return fresh.length === 0 ? before : [...before, ...fresh];
  });

export const without = (id: string) => ofCards((cards) => cards.filter((each) => each.id !== id));

/** What of a card somebody changes; undefined takes a title or a length of its own away. A card that has gone stays away. */
export const edited = (id: string, change: Partial<Pick<PinnedCard, "size" | "title" | "length">>) =>
  ofCards((cards) => cards.map((each) => (each.id === id ? { ...each, ...change } : each)));

/** @param length of the charts that have none of their own, ms */
export const ranged =
  (length: number): DashboardChange =>
  (dashboard) =>
    dashboard.length === length ? dashboard : { ...dashboard, length };

/** To the place of another card; what is no longer there moves nothing. */
export const movedTo = (id: string, place: string) =>
  ofCards((cards) => {
    const [from, to] = [id, place].map((each) => cards.findIndex((card) => card.id === each));
    const card = from === undefined ? undefined : cards[from];
    if (!card || from === undefined || to === undefined || to < 0) return cards;
    return cards.toSpliced(from, 1).toSpliced(to, 0, card);
  });

/** What of the SDK is needed. */
export interface DashboardSource {
  getTagged(id: string): Promise<Tagged<{ readonly meta: Meta }>>;
  update(id: string, body: { readonly meta: Meta }, options: ChangeOptions): Promise<string>;
}

/** Reads what is there now and writes the change over exactly that. @throws PorchlightError; Error when there are too many cards */
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

/** As it is kept and shown: trimmed; undefined of what is no title, or of nothing but blanks. */
export function readTitle(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" || text.length > LONGEST_TITLE ? undefined : text;
}

function targetOf(value: unknown): Target | undefined {
  if (!isFields(value)) return undefined;
  const { deviceId, service, index, property } = value;
  const isWhole = [deviceId, service, index, property].every((each) => typeof each === "string" && each.length <= 128);
  // Its pattern is the service's to judge; what is no ID leads to no address.
  if (!isWhole || !/^dev_\w+$/.test(String(deviceId))) return undefined;
  return { deviceId: String(deviceId), service: String(service), index: String(index), property: String(property) };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
