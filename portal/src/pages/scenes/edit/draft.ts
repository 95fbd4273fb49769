/** A scene while somebody changes it, and how it is saved without undoing what others have changed meanwhile. */
import { type ChangeOptions, type Meta, retryOnConflict, type Tagged } from "@porchlight/sdk";
import type { Scene, SceneItem, SceneTrigger } from "@porchlight/shared/api";
import { givenName } from "@porchlight/shared/names";
import { NAME_KEY } from "../../../kit/text/names.ts";

export interface Draft {
  /** "" of a scene without one. */
  readonly name: string;
  readonly items: readonly SceneItem[];
  readonly triggers: readonly SceneTrigger[];
}

export function draftOf({ meta, items, triggers }: Pick<Scene, "meta" | "items" | "triggers">): Draft {
  return { name: givenName(meta) ?? "", items, triggers };
}

export function isSameDraft(one: Draft, other: Draft): boolean {
  return (
    JSON.stringify([one.name.trim(), one.items, one.triggers]) ===
    JSON.stringify([other.name.trim(), other.items, other.triggers])
  );
}

/** What of the SDK's scenes is needed. */
export interface SceneSource {
  getTagged(id: string): Promise<Tagged<Scene>>;
  update(
    id: string,
    body: { readonly meta?: Meta; readonly items?: SceneItem[]; readonly triggers?: SceneTrigger[] },
    options: ChangeOptions,
  ): Promise<string>;
}

/** @param base what the draft began with @returns "conflict" when somebody else has changed the same meanwhile @throws PorchlightError */
export function saveDraft(source: SceneSource, base: Tagged<Scene>, draft: Draft): Promise<"saved" | "conflict"> {
  const before = draftOf(base.value);
  let known = base;
  return retryOnConflict(async (isAgain) => {
    if (isAgain) known = await source.getTagged(base.value.id);
    if (isAgain && !isSameDraft(draftOf(known.value), before)) return "conflict";
    await source.update(base.value.id, changeOf(known.value, before, draft), { ifMatch: known.etag });
    return "saved";
  });
}

/** Only what has changed: another part may be refused by now for a reason of its own. */
function changeOf({ meta }: Scene, before: Draft, { name, items, triggers }: Draft) {
  const { [NAME_KEY]: _before, ...others } = meta;
  const trimmed = name.trim();
  return {
    ...(trimmed !== before.name && { meta: trimmed === "" ? others : { ...others, [NAME_KEY]: trimmed } }),
    ...(JSON.stringify(items) !== JSON.stringify(before.items) && { items: [...items] }),
    ...(JSON.stringify(triggers) !== JSON.stringify(before.triggers) && { triggers: [...triggers] }),
  };
}
