/** Summarizes what a scene sets: "3 lights on at 40 %", "Blind at 40 %". Pure. */
import type { SceneItem } from "@porchlight/shared/api";
import type { Titles } from "../../data/catalogue.ts";
import { CAPABILITIES, capabilitiesOf } from "../../devices/capability.ts";
import { valueWords } from "../../kit/text/value-words.ts";
import { nameIn } from "../zones/forest.ts";
import { describedBy, type SceneHome, selectedBy, writesOf } from "./scene-home.ts";

/** Devices with the values that they get. */
interface Phrase {
  /** A name, or a count with a kind. */
  readonly subject: string;
  readonly words: string;
}

interface SceneWords {
  readonly phrases: readonly Phrase[];
  /** Number of values that the phrases leave out. */
  readonly rest: number;
}

const TOGGLES: ReadonlySet<string> = new Set(["Switch.on", "Fan.on", "Lock.locked", "Valve.open"]);
const LEVELS: ReadonlySet<string> = new Set([
  ...["LightLevel.level", "LightLevel.target", "Cover.target", "Cover.position", "Thermostat.target", "Fan.speed"],
]);
/** Maximum number of phrases; the scene's page has the rest. */
const MOST_PHRASES = 4;

interface OfTarget extends Phrase {
  readonly target: string;
  readonly kind: string | undefined;
  readonly described: number;
}

export function sceneWords(items: readonly SceneItem[], home: SceneHome, titles: Titles): SceneWords {
  const byTarget = Map.groupBy(items, ({ target }) => target);
  const all = [...byTarget].map(([target, own]) => ofTarget(target, own, home, titles));
  const groups = [...Map.groupBy(all, ({ kind, words, target }) => `${kind ?? target} ${words}`).values()];
  const shown = groups.slice(0, MOST_PHRASES);
  const described = shown.flat().reduce((sum, each) => sum + each.described, 0);
  return { phrases: shown.flatMap(phraseOf), rest: items.length - described };
}

function phraseOf(group: readonly OfTarget[]): readonly Phrase[] {
  const [first] = group;
  if (!first) return [];
  const subject = group.length === 1 ? first.subject : `${group.length} ${first.kind}`;
  return [{ subject, words: first.words }];
}

function ofTarget(target: string, items: readonly SceneItem[], home: SceneHome, titles: Titles): OfTarget {
  const about = items.flatMap((item) => {
    const parts = selectedBy(item.service);
    if (!parts) return [];
    const unit = describedBy(home, item)?.descriptor.unit;
    return [{ ...parts, name: `${parts.service}.${parts.property}`, value: item.value, unit }];
  });
  const toggles = about.filter(({ name, value }) => TOGGLES.has(name) && typeof value === "boolean");
  const isOff = toggles.length > 0 && toggles.every(({ value }) => value === false);
  const [level] = isOff ? [] : about.filter(({ name, value }) => LEVELS.has(name) && typeof value === "number");
  const [other] = toggles.length > 0 || level ? [] : about;
  const words = [
    [...new Set(toggles.map(({ value, property }) => valueWords(value, property)))].join(" and "),
    level ? `at ${valueWords(level.value, level.property, level.unit)}` : "",
    other ? `${inText(titles.ofProperty(other.service, other.property))} ${valueText(other)}` : "",
  ].filter((each) => each !== "");
  return {
    ...{ target, words: words.join(" "), subject: subjectOf(home, target, items), kind: kindOf(home, target) },
    described: toggles.length + (level ? 1 : 0) + (other ? 1 : 0),
  };
}

function valueText({
  value,
  property,
  unit,
}: {
  readonly value: unknown;
  readonly property: string;
  unit?: string | undefined;
}) {
  return valueWords(value, property, unit);
}

/** Formats a title for use within a sentence. */
function inText(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}

function subjectOf(home: SceneHome, target: string, items: readonly SceneItem[]): string {
  const { forest } = home;
  if (forest.zones.has(target)) return zoneWords(home, target, items) ?? `${nameIn(forest, target)} (zone)`;
  return forest.devices.has(target) ? nameIn(forest, target) : "a deleted device";
}

/** Describes the items of a zone: "all lights of Kitchen"; undefined when they set nothing. @param items items that target this zone */
export function zoneWords(home: SceneHome, zoneId: string, items: readonly SceneItem[]): string | undefined {
  const devices = new Set(items.flatMap((item) => writesOf(home, item).map(({ deviceId }) => deviceId)));
  const kinds = new Set([...devices].map((id) => kindOf(home, id) ?? "devices"));
  const [kind] = kinds;
  return kind && `all ${kinds.size === 1 ? kind : "devices"} of ${nameIn(home.forest, zoneId)}`;
}

/** The kind by which devices share a phrase; undefined for a zone, which has a phrase of its own. */
function kindOf({ forest, services }: SceneHome, target: string): string | undefined {
  if (!forest.devices.has(target)) return undefined;
  const [first] = capabilitiesOf(services.get(target)?.items ?? []);
  return first === undefined ? "devices" : CAPABILITIES[first].many.toLowerCase();
}
