/** Several concurrent commands, each with its own end: the result of one does not affect the others. */
import type { Log } from "@porchlight/shared/kernel";
import type { Failure } from "@porchlight/shared/tunnel";
import type { CommandRequest, StoredResult } from "../state/index.ts";
import { type Commands, type ExecutionPermit, NoListener } from "./commands.ts";
import { Overloaded } from "./unwritten.ts";

const NOT_STORED: Failure = {
  name: "Hub Timeout",
  detail: "The device was asked, but its answer could not be stored yet.",
};

/**
 * Executes commands concurrently; one result for each, in their order. A command whose end could not be written yet is `unknown`.
 * @throws NoListener when the caller can no longer receive an answer; Overloaded when a command can neither be executed nor refused
 */
export function carryOutTogether(
  { commands, log }: { readonly commands: Pick<Commands, "command">; readonly log: Log },
  requests: readonly CommandRequest[],
  permit: ExecutionPermit,
): Promise<StoredResult[]> {
  return Promise.all(
    requests.map((request) =>
      commands.command(request, permit).catch((failure: unknown) => {
        if (failure instanceof NoListener || failure instanceof Overloaded) throw failure;
        log.error({ command: request.id, failure: String(failure) }, "the result of a command could not be stored yet");
        return unstored(request);
      }),
    ),
  );
}

/** The result of a command whose end is not in the journal yet. */
function unstored({ id, device, service, index, property, value }: CommandRequest): StoredResult {
  const target = { device, service, index, property };
  const end = { command: id, ...target, requested: value, observedAt: 0, failure: NOT_STORED };
  return { kind: "result", n: 0, ...end, outcome: "unknown" };
}
