/** What became of a call of a scene, also after some of it was tried again. Pure. */
import type { SceneResult, SceneWrite, WriteFailure } from "@porchlight/shared/api";

export interface CallOutcome {
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
export interface FailureGroup {
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
