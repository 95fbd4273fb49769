/**
 * Finds items of a scene that a later item overrides (A13.4): users who set both a zone and a lamp in it must see which value applies.
 * Pure.
 */
import type { SceneItem } from "@porchlight/shared/api";
import { type SceneHome, writesOf } from "./scene-home.ts";

export type Override =
  /** A later item overrides everything it sets. */
  | { readonly kind: "whole"; readonly by: string }
  /** The number of its devices that have a later value of their own. */
  | { readonly kind: "part"; readonly devices: number };

/** @returns one entry per item, undefined when the item applies in full */
export function overridesOf(home: SceneHome, items: readonly SceneItem[]): readonly (Override | undefined)[] {
  /** Properties that later items set, with the overriding target. */
  const later = new Map<string, string>();
  return items
    .map((item, at) => ({ item, at }))
    .reverse()
    .map(({ item }) => {
      const writes = writesOf(home, item).map((each) => ({ ...each, by: later.get(each.key) }));
      for (const { key } of writes) if (!later.has(key)) later.set(key, item.target);
      const lost = writes.filter(({ by }) => by !== undefined);
      const [first] = lost;
      if (first?.by === undefined) return undefined;
      if (lost.length === writes.length) return { kind: "whole", by: first.by } as const;
      return { kind: "part", devices: new Set(lost.map(({ deviceId }) => deviceId)).size } as const;
    })
    .reverse();
}
