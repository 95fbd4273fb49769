/** What a device says is so now: a whole status, and the changes that it has told since, laid over it. Pure. */
import { isRecord } from "@porchlight/driver-kit";
import { componentsJson } from "../description/describe.ts";
import type { ComponentJson, ComponentsJson } from "../description/shelly-property.ts";

/** Members within members: counters have one level, slots three. */
const DEEPEST = 4;
/** As many as any device has, several times over. */
const MOST_COMPONENTS = 512;

/** A question for the whole status. What is told after it was sent may be newer than its answer, and is laid over the answer. */
export interface StatusQuestion extends Disposable {
  answered(status: unknown): void;
}

export class StatusOverlay {
  #components: ComponentsJson = {};
  /** For each open question, what has been told since it was sent. */
  readonly #told = new Map<StatusQuestion, ComponentsJson>();

  get all(): ComponentsJson {
    return this.#components;
  }

  of(component: string): ComponentJson {
    return this.#components[component] ?? {};
  }

  /** To be called when the question is sent. */
  ask(): StatusQuestion {
    const question: StatusQuestion = {
      answered: (status) => {
        const told = this.#told.get(question) ?? {};
        this.#components = laidOverAll(componentsJson(status), told);
        this.#told.delete(question);
      },
      [Symbol.dispose]: () => void this.#told.delete(question),
    };
    this.#told.set(question, {});
    return question;
  }

  /** A whole status that the device tells by itself: what it does not have is no more. */
  replace(status: unknown): void {
    this.#components = componentsJson(status);
    for (const question of this.#told.keys()) this.#told.set(question, this.#components);
  }

  /** Changes; gives those that were taken, by component. A component that is `null` has no values any more. */
  merge(changes: unknown): ComponentsJson {
    const ended = isRecord(changes) ? Object.keys(changes).filter((key) => changes[key] === null) : [];
    this.#components = { ...this.#components, ...Object.fromEntries(this.#known(ended).map((key) => [key, {}])) };
    const changed = componentsJson(changes);
    const hasRoom = Object.keys(this.#components).length < MOST_COMPONENTS;
    const taken = Object.fromEntries(
      Object.entries(changed).filter(([key]) => hasRoom || Object.hasOwn(this.#components, key)),
    );
    this.#components = laidOverAll(this.#components, taken);
    for (const [question, told] of this.#told) this.#told.set(question, laidOverAll(told, taken));
    return { ...taken, ...Object.fromEntries(this.#known(ended).map((key) => [key, {}])) };
  }

  #known(keys: readonly string[]): string[] {
    return keys.filter((key) => Object.hasOwn(this.#components, key));
  }
}

function laidOverAll(below: ComponentsJson, above: ComponentsJson): ComponentsJson {
  const merged = Object.entries(above).map(
    ([key, component]) =>
      [key, laidOver(Object.hasOwn(below, key) ? (below[key] ?? {}) : {}, component, DEEPEST)] as const,
  );
  return { ...below, ...Object.fromEntries(merged) };
}

function laidOver(below: ComponentJson, above: ComponentJson, depth: number): ComponentJson {
  const members = Object.entries(above).map(([name, value]) => {
    const before = Object.hasOwn(below, name) ? below[name] : undefined;
    return [name, depth > 1 && isRecord(value) && isRecord(before) ? laidOver(before, value, depth - 1) : value];
  });
  return { ...below, ...Object.fromEntries(members) };
}
