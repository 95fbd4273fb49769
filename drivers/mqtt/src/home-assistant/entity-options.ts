/** The options of one entity, read by name and type: an invalid option counts as absent, and is recorded. */
import { camelCase } from "@porchlight/driver-kit";
import { type DescribedEntity, scalarText } from "./discovery-payload.ts";
import type { Part, PartName } from "./entity-parts.ts";
import { type TextReader, type TextWriter, textReader, textWriter } from "./templates.ts";

/** Maximum number of words in a list, and maximum length of a word, that a description may have. */
const MOST_ITEMS = 256;
const LONGEST_ITEM = 64;
const LONGEST_TOPIC = 1024;
/** Number of a template's characters that a problem shows. */
const SHOWN = 200;
const TRUE = new Set(["true", "1", "yes", "on", "enable"]);
const FALSE = new Set(["false", "0", "no", "off", "disable"]);

export class EntityOptions {
  readonly entity: DescribedEntity;
  readonly #notes: Notes;
  /** Problems that are already recorded: an option may be read several times. */
  readonly #noted = new Set<string>();

  constructor(entity: DescribedEntity, notes: Notes) {
    this.entity = entity;
    this.#notes = notes;
  }

  /** Whether the option is `null`: the device does not have this command. */
  isNull(key: string): boolean {
    return this.entity.options.get(key) === null;
  }

  has(key: string): boolean {
    return this.#get(key) !== undefined;
  }

  text(key: string): string | undefined {
    const value = this.#get(key);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return scalarText(value);
    return this.#absent(key, value);
  }

  number(key: string): number | undefined {
    const value = this.#get(key);
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
    return this.#absent(key, value);
  }

  flag(key: string): boolean | undefined {
    const value = this.#get(key);
    if (typeof value === "boolean") return value;
    const word = String(value).toLowerCase();
    if (TRUE.has(word)) return true;
    if (FALSE.has(word)) return false;
    return this.#absent(key, value);
  }

  /** A list of words, each once; empty when there is none. Words that no description can have are left out. */
  words(key: string): readonly string[] {
    const value = this.#get(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) return this.#absent(key, value) ?? [];
    const words = value.filter((one) => ["string", "number", "boolean"].includes(typeof one)).map(scalarText);
    const unique = [...new Set(words)];
    const fitting = unique.filter((word) => word !== "" && word.length <= LONGEST_ITEM);
    if (words.length < value.length || fitting.length < unique.length || fitting.length > MOST_ITEMS)
      this.#absent(key, value);
    return fitting.slice(0, MOST_ITEMS);
  }

  /** A topic without wildcards. */
  topic(key: string): string | undefined {
    const topic = this.text(key);
    if (topic === undefined) return undefined;
    return isPlainTopic(topic) ? topic : this.#absent(key, topic);
  }

  /** Reads messages by the template of that name; undefined when it does not compile. */
  reader(key: string | undefined): TextReader | undefined {
    const template = key === undefined ? undefined : this.text(key);
    return this.#compiled(key, template, textReader(template));
  }

  /** Formats commands by the template of that name; undefined when it does not compile. */
  writer(key: string | undefined): TextWriter | undefined {
    const template = key === undefined ? undefined : this.text(key);
    return this.#compiled(key, template, textWriter(template));
  }

  /** The name of a property of no standard class. @param suffix for an entity with several such properties */
  partName(suffix = ""): PartName {
    return { name: propertyNameOf(this.entity, this.text("name"), suffix), role: camelCase(suffix) ?? "" };
  }

  leaveAside(reason: string, why?: string): void {
    this.#notes.leaveAside(reason, why === undefined ? undefined : `${this.entity.topic}: ${why}`);
  }

  #get(key: string): unknown {
    return this.entity.options.get(key) ?? undefined;
  }

  #absent(key: string, value: unknown): undefined {
    if (value !== undefined) this.#noteOnce(key, "badOption", `${key} is not understood`);
    return undefined;
  }

  #compiled<Made extends object>(
    key: string | undefined,
    template: string | undefined,
    made: Made | { readonly problem: string },
  ): Made | undefined {
    if (!("problem" in made)) return made;
    const shown = template?.slice(0, SHOWN) ?? "";
    this.#noteOnce(`${key}`, "badTemplate", `${key} is not understood (${made.problem}): ${shown}`);
    return undefined;
  }

  #noteOnce(key: string, reason: string, why: string): void {
    if (this.#noted.has(key)) return;
    this.#noted.add(key);
    this.leaveAside(reason, why);
  }
}

/** Whether it is a single topic of devices: no wildcard, and not one of the broker's own. */
export function isPlainTopic(topic: string): boolean {
  return topic !== "" && topic.length <= LONGEST_TOPIC && !/[+#\0]/.test(topic) && !topic.startsWith("$");
}

/**
 * The name of a property in `Settings` or `Readings`: its entity's name in camel case.
 * @param name the entity's; undefined when it has none of its own
 */
function propertyNameOf({ object, device }: DescribedEntity, name: string | undefined, suffix: string): string {
  const own = name === undefined ? "" : withoutDevice(name, device?.name);
  // An entity without a name of its own is the device's main one: the suffix is enough.
  const words = own === "" && suffix !== "" ? suffix : `${own} ${suffix}`;
  return camelCase(words) ?? camelCase(`${object} ${suffix}`) ?? camelCase(`n ${object} ${suffix}`) ?? "value";
}

/** Older publishers put the device's name before the entity's. */
function withoutDevice(name: string, device: string | undefined): string {
  if (device === undefined || !name.startsWith(device)) return name;
  const rest = name.slice(device.length);
  return rest === "" || /^[\s_:-]/.test(rest) ? rest : name;
}

/** Maximum number of sentences that are kept for one device. */
const MOST_PROBLEMS = 50;

/** Ignored parts of a device's description: numbers by reason, and sentences where a person can correct the cause. */
export class Notes {
  readonly counts: Record<string, number> = {};
  readonly problems: string[] = [];

  /** @param problem a sentence that names the topic */
  leaveAside(reason: string, problem?: string): void {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
    if (problem !== undefined && this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
  }
}

/** A component of Home Assistant: turns an entity's options into properties. Never throws; it records options that it cannot use. */
export type Component = (options: EntityOptions) => readonly Part[];
