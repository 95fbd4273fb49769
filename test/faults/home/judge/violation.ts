/** What a rule finds, and the whole history that belongs to it: what a person needs who looks for the cause. */
import { type Act, type Fault, type HomeRecord, type Look, type Property, propertyKey, type Write } from "../record.ts";

export interface Violation {
  /** Which rule, in few words: violations of one cause are counted by it. */
  readonly rule: string;
  readonly text: string;
  /** The write that it is about. */
  readonly write?: Write;
  /** The property that it is about, when that is no write. */
  readonly about?: Property;
  /** From when until when what happened may be the cause, ms. */
  readonly around?: readonly [number, number];
}

/** How much earlier and later than what it is about a fault or frame is shown, ms. */
const AROUND_MS = 1000;

/** A write with all that its client was answered. */
export function nameOf(write: Write): string {
  const { api, kind, value, waitMs } = write;
  return `${kind} ${propertyKey(write)} = ${value} (${api}, ${waitMs} ms)`;
}

/** The acts of a write. */
export function actsOf({ acts }: HomeRecord): (write: Property & { readonly value: unknown }) => readonly Act[] {
  const byValue = Map.groupBy(acts, actKey);
  return (write) => byValue.get(actKey(write)) ?? [];
}

function actKey(one: Property & { readonly value: unknown }): string {
  return `${propertyKey(one)} = ${JSON.stringify(one.value)}`;
}

/** Everything that the record has about a violation, one line each, in the order of time. @param zero the time that is called 0 */
export function storyOf(violation: Violation, record: HomeRecord, zero: number): string[] {
  const { write, about, around = [] } = violation;
  const ofWrite = write ? linesOf(write, record) : [];
  const times = [...around, ...(write ? timesOf(write, record) : [])];
  const [from, to] = [Math.min(...times) - AROUND_MS, Math.max(...times) + AROUND_MS];
  const ofProperty = about ? changesOf(about, record).filter(({ at }) => at >= from && at <= to) : [];
  const faults = record.faults.filter((fault) => overlaps(fault, from, to)).map(lineOfFault);
  return [...ofWrite, ...ofProperty, ...faults]
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, text }) => `${((at - zero) / 1000).toFixed(3)} s  ${text}`);
}

interface Line {
  readonly at: number;
  readonly text: string;
}

/** Of a write: requests and answers, the ends of its commands, frames on the line, acts of the device. */
function linesOf(write: Write, record: HomeRecord): Line[] {
  const ids = new Set(write.asks.flatMap(({ commandId }) => commandId ?? []));
  const asks = write.asks.flatMap(({ to, begin, end, status, title, outcome, commandId, value }) => {
    const answer = [status, title, outcome, commandId, value].filter((word) => word !== undefined).join(" ");
    const asked = { at: begin, text: `asked ${to}` };
    return end === undefined
      ? [asked]
      : [asked, { at: end, text: `answered ${answer} (asked ${Math.round(end - begin)} ms before)` }];
  });
  const acts = actsOf(record)(write).map(({ at, seq, boot }) => ({
    at,
    text: `the device did it (seq ${seq}, boot ${boot})`,
  }));
  const looks = [...ids]
    .flatMap((id) => changedLooks(record.looks.filter((look) => look.id === id)))
    .map(({ id, end, status, state, outcome }) => {
      const result = [status, state, outcome].filter((word) => word).join(" ");
      return { at: end, text: `looked at ${id}: ${result}` };
    });
  const frames = record.frames
    .filter(({ text }) => text.includes(`"value":${write.value}}`))
    .map(({ at, line, to, text, fate }) => ({ at, text: `line ${line} to ${to}: ${text} ${fate}` }));
  return [...asks, ...acts, ...looks, ...frames];
}

/** Looks that differ from the one before. */
function changedLooks(looks: readonly Look[]): readonly Look[] {
  const words = looks.map(({ status, state, outcome }) => `${status} ${state} ${outcome}`);
  return looks.filter((_look, at) => words[at] !== words[at - 1]);
}

function timesOf(write: Write, record: HomeRecord): number[] {
  const asked = write.asks.flatMap(({ begin, end = begin }) => [begin, end]);
  return [...asked, ...actsOf(record)(write).map(({ at }) => at)];
}

/** What a property became, and what of that was confirmed to a client. */
function changesOf(about: Property, { acts, writes }: HomeRecord): Line[] {
  const isAbout = (one: Property) => propertyKey(one) === propertyKey(about);
  const became = acts.filter(isAbout).map(({ at, value, by }) => ({ at, text: `it became ${value} (${by})` }));
  const confirmed = writes
    .filter(isAbout)
    .flatMap(({ asks, value, api }) =>
      asks.flatMap(({ status, end }) =>
        status === 200 && end !== undefined ? [{ at: end, text: `${value} was confirmed (${api})` }] : [],
      ),
    );
  return [...became, ...confirmed];
}

function lineOfFault({ track, name, target, from, to }: Fault): Line {
  const lasted = to === undefined ? "" : ` for ${Math.round(to - from)} ms`;
  return { at: from, text: `${track}: ${name} ${target}${lasted}` };
}

function overlaps({ from, to = Number.POSITIVE_INFINITY }: Fault, begin: number, end: number): boolean {
  return from <= end && to >= begin;
}
