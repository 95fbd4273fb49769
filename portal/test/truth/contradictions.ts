/** Which claims of pages contradict what the API answered, or the clock, by more than the published bounds: pure. */
import type { Claim, Claims } from "./claims.ts";

/** What the API answered of one thing, again and again without a change. Times are ms since 1970. */
export interface Fact {
  readonly says: string;
  /** When it was asked first, and when the last answer was there. */
  readonly from: number;
  readonly to: number;
}

/** @param what `state`, `last heard`, `online since` and so on, `sending`, or `SERVICE:INDEX.PROPERTY` */
export const keyOf = (subject: string, what: string) => `${subject} ${what}`;

/** A time in which something stood still or was dead. `subject`: "service", or the ID of a hub or a device. */
export interface Absence {
  readonly subject: string;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to?: number;
}

/** A write that was asked for on a page, and whether the device has carried it out. */
export interface Write {
  readonly subject: string;
  readonly at: number;
  readonly wasApplied: boolean;
}

export interface World {
  /** By `keyOf`, oldest first. */
  readonly facts: ReadonlyMap<string, readonly Fact[]>;
  readonly absences: readonly Absence[];
  readonly writes: readonly Write[];
}

/** How late a page may be, ms. */
export interface Bounds {
  /** It says that the service is silent. */
  readonly lost: number;
  /** It follows the service again, once that is back. */
  readonly back: number;
  /** Hubs and devices: after the API, and after they fell silent. */
  readonly state: number;
  /** When something was heard last. */
  readonly heard: number;
  readonly value: number;
  /** Deliveries of webhooks. */
  readonly sending: number;
  /** An age that ticks, and a moment that is written in whole seconds. */
  readonly age: number;
}

/** Those of docs/portal.md. An age may be late by as much as a page is on a machine whose processors are all busy. */
export const PUBLISHED: Bounds = {
  lost: 15_000,
  back: 40_000,
  state: 20_000,
  heard: 20_000,
  value: 10_000,
  sending: 40_000,
  age: 5000,
};

export interface Contradiction {
  readonly page: string;
  readonly at: number;
  readonly text: string;
  readonly because: string;
}

/** A page may have had its answer so long before who asked here had one, ms. */
const AHEAD = 5000;

/** How the outcomes of a write claim that it was not carried out. */
const NOT_DONE: ReadonlySet<string> = new Set(["not_sent", "not_applied", "rejected"]);

export function contradictions(
  { page, at, claims }: Claims,
  world: World,
  bounds: Bounds = PUBLISHED,
): readonly Contradiction[] {
  const away = world.absences.find(
    ({ subject, from, to }) => subject === "service" && at > from + bounds.lost && at < (to ?? at + 1),
  );
  const since = away && `the service has been silent for ${seconds(at - away.from)}`;
  const found = claims.flatMap(({ text, ...claim }) => {
    const because = since !== undefined && isOfNow(claim) ? since : ofClaim(claim, at, world, bounds);
    return because === undefined ? [] : [{ page, at, text, because }];
  });
  const isMissing = since !== undefined && !claims.some(({ kind }) => kind === "lost");
  return isMissing
    ? [...found, { page, at, text: "(nothing says that the connection is lost)", because: since }]
    : found;
}

/** What no page can claim while the service is silent. */
function isOfNow(claim: Claim): boolean {
  if (claim.kind === "state") return claim.isCurrent && claim.state === "online";
  return claim.kind === "count" || claim.kind === "live" || (claim.kind === "lamp" && claim.isLit !== undefined);
}

function ofClaim(claim: Claim, at: number, world: World, bounds: Bounds): string | undefined {
  const known = (subject: string, what: string, bound: number) =>
    reportedLately(world, { subject, what, at, bound, bounds });
  switch (claim.kind) {
    case "state": {
      const { subject, state, isCurrent } = claim;
      const absence = world.absences.find(
        (each) => each.subject === subject && at > each.from + bounds.state && at < (each.to ?? at + 1),
      );
      if (absence && state === "online" && isCurrent) return `it has been silent for ${seconds(at - absence.from)}`;
      return among(state, known(subject, "state", bounds.state));
    }
    case "count": {
      const counts = countsLately(world, claim, at, bounds);
      return among(`${claim.online} of ${claim.all}`, counts);
    }
    case "lamp":
      if (claim.isLit === undefined) return serviceIsThere(at, world, bounds);
      return among(String(claim.isLit), known("hubs", "lamp", bounds.state));
    case "moment":
      return ofMoment(
        claim,
        known(claim.subject, claim.of, claim.of === "last heard" ? bounds.heard : bounds.state),
        bounds,
      );
    case "age":
      return ofAge(claim, at, bounds);
    case "value":
      return among(claim.says, known(claim.subject, claim.property, bounds.value));
    case "live":
      return undefined;
    case "lost":
      return serviceIsThere(at, world, bounds);
    case "outcome": {
      const write = world.writes.findLast((each) => each.subject === claim.subject && each.at <= at);
      return write?.wasApplied && NOT_DONE.has(claim.outcome) ? "the device has carried it out" : undefined;
    }
    case "sending":
      return among(claim.goes, known(claim.subject, "sending", bounds.sending));
  }
}

/** The API reported one of these, or nothing of it. */
function among(says: string, reported: ReadonlySet<string>): string | undefined {
  if (reported.size === 0 || reported.has(says)) return undefined;
  return `the API said ${[...reported].join(", ")}`;
}

function serviceIsThere(at: number, { absences }: World, { back }: Bounds): string | undefined {
  const is = absences.some(({ subject, from, to }) => subject === "service" && from <= at && at <= (to ?? at) + back);
  return is ? undefined : "the service has been there all the time";
}

interface Asked {
  readonly subject: string;
  readonly what: string;
  readonly at: number;
  readonly bound: number;
  readonly bounds: Bounds;
}

/** What the API has reported of it within the bound, and last before that. After an absence of the service the bound counts from its return. */
function reportedLately(world: World, { subject, what, at, bound, bounds }: Asked): ReadonlySet<string> {
  const first = firstMoment(world, at, bound, bounds);
  const all = world.facts.get(keyOf(subject, what)) ?? [];
  const facts = all.filter(({ from }) => from <= at);
  const within = facts.filter(({ to }) => to >= first);
  // What was so when the bound began.
  const before = within.some(({ from }) => from <= first) ? undefined : facts.findLast(({ to }) => to < first);
  // The page may have its answer before who asked here has another.
  const after = all.filter(({ from }) => from > at && from < at + AHEAD);
  return new Set([before, ...within, ...after].flatMap((fact) => (fact ? [fact.says] : [])));
}

function firstMoment({ absences }: World, at: number, bound: number, { back }: Bounds): number {
  const firsts = absences
    .filter(({ subject, from, to }) => subject === "service" && from <= at && at <= (to ?? at) + back)
    .map(({ from }) => from - bound);
  return Math.min(at - bound, ...firsts);
}

/** Counts that the states within the bound allow: all that were reported of each thing, in any mixture. */
function countsLately(
  world: World,
  { of, online, all }: Extract<Claim, { kind: "count" }>,
  at: number,
  bounds: Bounds,
): ReadonlySet<string> {
  const subjects = [...world.facts.keys()].flatMap((key) => {
    const [subject = "", what] = key.split(" ");
    return what === "state" && isOf(subject, of) ? [subject] : [];
  });
  const reported = subjects.map((subject) =>
    reportedLately(world, { subject, what: "state", at, bound: bounds.state, bounds }),
  );
  const most = reported.filter((states) => states.has("online")).length;
  const least = reported.filter((states) => states.size === 1 && states.has("online")).length;
  if (all === subjects.length && online >= least && online <= most) return new Set([`${online} of ${all}`]);
  return new Set([`${least === most ? least : `${least} to ${most}`} of ${subjects.length}`]);
}

const isOf = (id: string, kind: "hub" | "device") => id.startsWith(kind === "device" ? "dev_" : "cli_");

function ofMoment(
  { of, moment }: Extract<Claim, { kind: "moment" }>,
  reported: ReadonlySet<string>,
  { age }: Bounds,
): string | undefined {
  if (reported.size === 0) return undefined;
  const moments = [...reported].map(Number);
  // When something was heard last moves on; since when it is as it is does not.
  const isNear =
    of === "last heard"
      ? moment >= Math.min(...moments) - 1000 && moment <= Math.max(...moments) + age
      : moments.some((each) => Math.abs(each - moment) <= 1000);
  if (isNear) return undefined;
  return `${of} ${written(moment)}: the API said ${moments.map(written).join(", ")}`;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 };
/** So long something is "now", ms. */
const NOW = 5000;

function ofAge(
  { moment, says, isToCome }: Extract<Claim, { kind: "age" }>,
  at: number,
  bounds: Bounds,
): string | undefined {
  const [, amount, unit = ""] = /\b(\d+) (s|min|h|d)\b/.exec(says) ?? [];
  const real = isToCome ? moment - at : at - moment;
  const step = UNITS[unit] ?? 0;
  const count = Number(amount ?? 0);
  // Of what is to come a part of a unit counts as a whole one; what is due is on its way for a while.
  const least = amount === undefined ? (isToCome ? -bounds.sending : 0) : (count - (isToCome ? 1 : 0)) * step;
  const most = amount === undefined ? NOW : (count + 1) * step;
  return real >= least - bounds.age && real <= most + bounds.age ? undefined : `it is ${seconds(real)}`;
}

const written = (at: number) => (Number.isNaN(at) ? "never" : new Date(at).toISOString());

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
