/** The current status of a device: a whole status with later changes merged into it. Pure. */
import { isRecord } from "@porchlight/driver-kit";
import { componentsJson } from "./description/describe.ts";
import type { ComponentJson, ComponentsJson } from "./description/shelly-property.ts";

/** Maximum depth of nested members: counters have one level, slots three. */
const DEEPEST = 4;
/** Several times more than any device has. */
const MOST_COMPONENTS = 512;

/** A request for the whole status. Changes received after it was sent may be newer than the answer, and are merged into it. */
export interface StatusQuestion extends Disposable {
  answered(status: unknown): void;
}

export class StatusOverlay {
  #components: ComponentsJson = {};
  /** Changes received since each open request was sent. */
  readonly #reported = new Map<StatusQuestion, ComponentsJson>();

  get all(): ComponentsJson {
    return this.#components;
  }

  of(component: string): ComponentJson {
    return this.#components[component] ?? {};
  }

  /** Must be called when the request is sent. */
  ask(): StatusQuestion {
    const question: StatusQuestion = {
      answered: (status) => {
        const reported = this.#reported.get(question) ?? {};
        this.#components = laidOverAll(componentsJson(status), reported);
        this.#reported.delete(question);
      },
      [Symbol.dispose]: () => void this.#reported.delete(question),
    };
    this.#reported.set(question, {});
    return question;
  }

  /** Replaces everything by a whole status that the device sent unasked; components missing from it are removed. */
  replace(status: unknown): void {
    this.#components = componentsJson(status);
    for (const question of this.#reported.keys()) this.#reported.set(question, this.#components);
  }

  /** Merges changes and returns the accepted ones by component. A component that is `null` loses its values. */
  merge(changes: unknown): ComponentsJson {
    const ended = isRecord(changes) ? Object.keys(changes).filter((key) => changes[key] === null) : [];
    this.#components = { ...this.#components, ...Object.fromEntries(this.#known(ended).map((key) => [key, {}])) };
    const changed = componentsJson(changes);
    const hasRoom = Object.keys(this.#components).length < MOST_COMPONENTS;
    const taken = Object.fromEntries(
      Object.entries(changed).filter(([key]) => hasRoom || Object.hasOwn(this.#components, key)),
    );
    this.#components = laidOverAll(this.#components, taken);
    for (const [question, reported] of this.#reported) this.#reported.set(question, laidOverAll(reported, taken));
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
