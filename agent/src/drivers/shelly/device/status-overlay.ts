/** What a device says is so now: a whole status, and the changes that it has told since, laid over it. Pure. */

import { isRecord } from "../../kit/index.ts";
import { componentsJson } from "../description/describe.ts";
import type { ComponentJson, ComponentsJson } from "../description/shelly-property.ts";

/** Members within members: counters have one level, slots three. */
const DEEPEST = 4;
/** As many as any device has, several times over. */
const MOST_COMPONENTS = 512;

export class StatusOverlay {
  #components: ComponentsJson = {};

  get all(): ComponentsJson {
    return this.#components;
  }

  of(component: string): ComponentJson {
    return this.#components[component] ?? {};
  }

  /** A whole status: what it does not have is no more. */
  replace(status: unknown): void {
    this.#components = componentsJson(status);
  }

  /** Changes; gives the keys of the components that were in them. */
  merge(changes: unknown): string[] {
    const changed = componentsJson(changes);
    const keys = Object.keys(changed).filter(
      (key) => Object.hasOwn(this.#components, key) || Object.keys(this.#components).length < MOST_COMPONENTS,
    );
    const merged = keys.map((key) => [key, laidOver(this.of(key), changed[key] ?? {}, DEEPEST)] as const);
    this.#components = { ...this.#components, ...Object.fromEntries(merged) };
    return keys;
  }
}

function laidOver(below: ComponentJson, above: ComponentJson, depth: number): ComponentJson {
  const members = Object.entries(above).map(([name, value]) => {
    const before = Object.hasOwn(below, name) ? below[name] : undefined;
    return [name, depth > 1 && isRecord(value) && isRecord(before) ? laidOver(before, value, depth - 1) : value];
  });
  return { ...below, ...Object.fromEntries(members) };
}
