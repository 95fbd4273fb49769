/** Calls a scene, and retries the failed devices of a partial failure. Confirmed values appear on the page at once. */
import type { SceneResult, SceneWrite, WriteFailure } from "@porchlight/shared/api";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { environmentServicesKey, type ServicesByDevice, withDeviceValue } from "../../data/services.ts";
import { lookAround } from "../../live/context.tsx";
import { useApi } from "../../session/context.tsx";

export interface SceneCall {
  readonly isPending: boolean;
  /** The devices of the current retry; undefined when the whole scene is called. */
  readonly only: readonly string[] | undefined;
  /** The error of a call that got no response. */
  readonly error: Error | null;
  /** Outcome of the last answered call; undefined before the first one and while the whole scene is called. */
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

/** The outcome of a scene call, merged with its retries. Pure. */
interface CallOutcome {
  readonly confirmed: readonly SceneWrite[];
  readonly failures: readonly WriteFailure[];
}

/** @param only the retried devices, whose earlier results are replaced @param before undefined for a call of the whole scene */
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

/** Devices with an unconfirmed write, each once. */
export function failedDevices({ failures }: Pick<CallOutcome, "failures">): readonly string[] {
  return [...new Set(failures.map(({ deviceId }) => deviceId))];
}

/** The failures of one device with the same reason. */
interface FailureGroup {
  readonly first: WriteFailure;
  readonly all: readonly WriteFailure[];
}

/** Groups failures by device, outcome and reason, in order. */
export function failureGroups(failures: readonly WriteFailure[]): readonly FailureGroup[] {
  const groups = Map.groupBy(failures, ({ deviceId, outcome, name, detail }) =>
    JSON.stringify([deviceId, outcome, name, detail]),
  );
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ first, all }] : [];
  });
}

/** Devices that confirmed every write, each once. */
export function doneDevices({ confirmed, failures }: CallOutcome): readonly string[] {
  const failed = new Set(failedDevices({ failures }));
  return [...new Set(confirmed.map(({ deviceId }) => deviceId))].filter((id) => !failed.has(id));
}
