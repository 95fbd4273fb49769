/** What a write of many says of one that failed (A2): its own file, because the writes to a zone and those of a scene say it alike. */
import type { WriteFailure } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import type { PropertyAddress } from "@porchlight/shared/model";
import { addressKey } from "@porchlight/shared/model";
import { lastKnownOf } from "@porchlight/shared/rest";
import type { EnvironmentState } from "../cache/environment-state.ts";

/** A refusal of the cloud has no outcome: nothing was sent, and there is no command. */
export function writeFailureOf(
  environment: EnvironmentState,
  deviceId: string,
  { service, index, property }: PropertyAddress,
  error: NamedError,
): WriteFailure {
  const described = environment.device(deviceId)?.described.byKey.get(addressKey({ service, index, property }));
  const known = described && environment.item(deviceId, described);
  const commandId = error.outcome && error.headers?.["x-command-id"];
  const code = error.members?.code;
  return {
    deviceId,
    service,
    index,
    property,
    name: error.name,
    detail: error.message,
    outcome: error.outcome === undefined || error.outcome === "confirmed" ? "not_sent" : error.outcome,
    ...(typeof code === "number" && { code }),
    ...(commandId !== undefined && { commandId }),
    ...(known && { lastKnown: lastKnownOf(known) }),
  };
}

/** The time of the whole was over before this one's turn. */
export function tooLate(): NamedError {
  return new NamedError("Hub Timeout", "The write waited too long in the queue: nothing was sent.", {
    outcome: "not_sent",
  });
}
