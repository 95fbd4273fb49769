/** The draft of a scene on its page: what is shown is the scene until somebody changes something. */
import type { Tagged } from "@porchlight/sdk";
import type { Scene } from "@porchlight/shared/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../../session/context.tsx";
import { type Draft, draftOf, isSameDraft, saveDraft } from "./draft.ts";

export interface Drafting {
  readonly draft: Draft;
  readonly isChanged: boolean;
  readonly change: (change: Partial<Draft>) => void;
  readonly discard: () => void;
  readonly save: () => void;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  readonly error: Error | null;
  /** Somebody else has changed the same meanwhile: nothing was saved. */
  readonly isConflict: boolean;
}

interface Begun {
  /** The scene as it was then. */
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
