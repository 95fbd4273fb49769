/** Items of a scene that set what a later one sets too: the later one counts (A13.4), which people who have a zone and a lamp in it must see. Pure. */
import type { SceneItem } from "@porchlight/shared/api";
import { type SceneHome, writesOf } from "./scene-home.ts";

export type Override =
  /** All that it sets is set again. */
  | { readonly kind: "whole"; readonly by: string }
  /** So many of its devices have a later value of their own. */
  | { readonly kind: "part"; readonly devices: number };

/** @returns one for each item, undefined where all of it counts */
export function overridesOf(home: SceneHome, items: readonly SceneItem[]): readonly (Override | undefined)[] {
  /** What is set later, by the target that does. */
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
