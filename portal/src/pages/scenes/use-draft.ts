/** The draft of a scene on its page. Without changes the page shows the scene itself. */
import { type ChangeOptions, type Meta, retryOnConflict, type Tagged } from "@porchlight/sdk";
import type { Scene, SceneItem, SceneTrigger } from "@porchlight/shared/api";
import { givenName } from "@porchlight/shared/names";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { NAME_KEY } from "../../kit/text/names.ts";
import { useApi } from "../../session/context.tsx";

export interface Drafting {
  readonly draft: Draft;
  readonly isChanged: boolean;
  readonly change: (change: Partial<Draft>) => void;
  readonly discard: () => void;
  readonly save: () => void;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  readonly error: Error | null;
  /** Another user has changed the same part; nothing was saved. */
  readonly isConflict: boolean;
}

interface Begun {
  /** The scene when the draft was started. */
  readonly base: Tagged<Scene>;
  readonly draft: Draft;
}

export function useDraft(scene: Tagged<Scene>): Drafting {
  const api = useApi();
  const queries = useQueryClient();
  const [begun, setBegun] = useState<Begun>();
  const saving = useMutation({
    mutationFn: async ({ base, draft }: Begun) => saveDraft(api.scenes, base, draft),
    onSuccess: async (result) => {
      if (result === "conflict") return;
      await queries.invalidateQueries({ queryKey: ["scenes"] });
      setBegun(undefined);
    },
  });
  const base = begun?.base ?? scene;
  const draft = begun?.draft ?? draftOf(scene.value);
  return {
    draft,
    isChanged: begun !== undefined && !isSameDraft(draft, draftOf(base.value)),
    change: (change) => {
      if (!saving.isPending) saving.reset();
      setBegun({ base, draft: { ...draft, ...change } });
    },
    discard: () => {
      saving.reset();
      setBegun(undefined);
      void queries.invalidateQueries({ queryKey: ["scenes"] });
    },
    save: () => begun && saving.mutate(begun),
    isSaving: saving.isPending,
    isSaved: saving.data === "saved" && begun === undefined,
    error: saving.error,
    isConflict: saving.data === "conflict",
  };
}

/** The editable parts of a scene; saving keeps concurrent changes to other parts. */
interface Draft {
  /** "" for a scene without a name. */
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

/** The SDK methods for scenes that saving needs. */
export interface SceneSource {
  getTagged(id: string): Promise<Tagged<Scene>>;
  update(
    id: string,
    body: { readonly meta?: Meta; readonly items?: SceneItem[]; readonly triggers?: SceneTrigger[] },
    options: ChangeOptions,
  ): Promise<string>;
}

/**
 * @param base the scene that the draft started from
 * @returns "conflict" when another user has changed the same part
 * @throws PorchlightError
 */
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

/** Only the changed parts: the service may reject an unchanged part for an unrelated reason. */
function changeOf({ meta }: Scene, before: Draft, { name, items, triggers }: Draft) {
  const { [NAME_KEY]: _before, ...others } = meta;
  const trimmed = name.trim();
  return {
    ...(trimmed !== before.name && { meta: trimmed === "" ? others : { ...others, [NAME_KEY]: trimmed } }),
    ...(JSON.stringify(items) !== JSON.stringify(before.items) && { items: [...items] }),
    ...(JSON.stringify(triggers) !== JSON.stringify(before.triggers) && { triggers: [...triggers] }),
  };
}
