/** Calls a scene and, where some of it failed, those devices again. What devices have confirmed stands on the page at once. */

import type { SceneResult, SceneWrite, WriteFailure } from "@porchlight/shared/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { environmentServicesKey } from "../../../data/environment-services.ts";
import { type ServicesByDevice, withDeviceValue } from "../../../data/new-value.ts";
import { lookAround } from "../../../live/context.tsx";
import { useApi } from "../../../session/context.tsx";

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

/** What became of a call of a scene, also after some of it was tried again. Pure. */
interface CallOutcome {
  readonly confirmed: readonly SceneWrite[];
  readonly failures: readonly WriteFailure[];
}

/** @param only the devices that were tried again: what was known of them before is replaced @param before undefined of a whole call */
export function outcomeAfter(
  before: CallOutcome | undefined,
  only: readonly string[] | undefined,
  { items, failures = [] }: Pick<SceneResult, "items" | "failures">,
): CallOutcome {
  if (!before || !only) return { confirmed: items, failures };
  const isOther = ({ deviceId }: { readonly deviceId: string }) => !only.includes(deviceId);
  return {
    confirmed: [...before.confirmed.filter(isOther), ...items],
    failures: [...before.failures.filter(isOther), ...failures],
  };
}

/** Devices of which something was not confirmed, each once. */
export function failedDevices({ failures }: Pick<CallOutcome, "failures">): readonly string[] {
  return [...new Set(failures.map(({ deviceId }) => deviceId))];
}

/** What of a device was not confirmed for the same reason. */
interface FailureGroup {
  readonly first: WriteFailure;
  readonly all: readonly WriteFailure[];
}

/** Failures of one device with one outcome and reason together, in order. */
export function failureGroups(failures: readonly WriteFailure[]): readonly FailureGroup[] {
  const groups = Map.groupBy(failures, ({ deviceId, outcome, name, detail }) =>
    JSON.stringify([deviceId, outcome, name, detail]),
  );
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ first, all }] : [];
  });
}

/** Devices that have confirmed everything, each once. */
export function doneDevices({ confirmed, failures }: CallOutcome): readonly string[] {
  const failed = new Set(failedDevices({ failures }));
  return [...new Set(confirmed.map(({ deviceId }) => deviceId))].filter((id) => !failed.has(id));
}
