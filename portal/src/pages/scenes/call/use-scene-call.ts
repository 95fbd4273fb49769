/** Calls a scene and, where some of it failed, those devices again. What devices have confirmed stands on the page at once. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { environmentServicesKey } from "../../../data/environment-services.ts";
import { type ServicesByDevice, withDeviceValue } from "../../../data/new-value.ts";
import { lookAround } from "../../../live/context.tsx";
import { useApi } from "../../../session/context.tsx";
import { type CallOutcome, failedDevices, outcomeAfter } from "./call-state.ts";

export interface SceneCall {
  readonly isPending: boolean;
  /** Devices that are being tried again; undefined of the whole scene. */
  readonly only: readonly string[] | undefined;
  /** Why the call as a whole got no answer. */
  readonly error: Error | null;
  /** Of the last call that was answered; undefined before that, and while the whole scene is being called. */
  readonly outcome: CallOutcome | undefined;
  readonly call: () => void;
  readonly again: () => void;
}

export function useSceneCall(environmentId: string, sceneId: string): SceneCall {
  const api = useApi();
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<CallOutcome>();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: ({ only }: { readonly only?: readonly string[] }) => api.scenes.call(sceneId, { only }),
    onMutate: ({ only }) => {
      if (!only) setOutcome(undefined);
    },
    onSuccess: (result, { only }) => {
      setOutcome((before) => outcomeAfter(before, only, result));
      queries.setQueryData<ServicesByDevice>(
        environmentServicesKey(environmentId),
        (known) => known && result.items.reduce(withDeviceValue, known),
      );
      if (result.failures) lookAround(queries);
    },
  });
  return {
    ...{ isPending, error, outcome, only: variables?.only },
    call: () => mutate({}),
    again: () => outcome && mutate({ only: failedDevices(outcome) }),
  };
}
