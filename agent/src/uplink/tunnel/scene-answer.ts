/** The answer to the call of a scene: what became of each of its commands, as much as fits into one message. */
import { MAX_MESSAGE_BYTES, type SceneCallAnswer } from "@porchlight/shared/tunnel";
import type { StoredResult } from "../../state/index.ts";

type Result = SceneCallAnswer["results"][number];

/** Room for the envelope. */
const ANSWER_BYTES = MAX_MESSAGE_BYTES - 16 * 1024;
/** Longest `detail` of a failure: there may be one for each of 500 commands. */
const LONGEST_DETAIL = 128;
const TOO_LARGE = "The answer is too large for this value; it follows in the hub's history.";

/** Of what does not fit the cloud hears by the record of the command. */
export function sceneCallAnswer(results: readonly StoredResult[]): SceneCallAnswer {
  const least = results.map((result) => sizeOf(tooLarge(result)));
  let left = least.reduce((room, size) => room - size, ANSWER_BYTES);
  return {
    results: results.map((result, at) => {
      const told = toldOf(result);
      const more = sizeOf(told) - (least[at] ?? 0);
      if (more > left) return tooLarge(result);
      left -= more;
      return told;
    }),
  };
}

function sizeOf(result: Result): number {
  return Buffer.byteLength(JSON.stringify(result)) + 1;
}

function toldOf({ command, n, outcome, value, observedAt, failure }: StoredResult): Result {
  return {
    ...{ command, n, outcome, observedAt },
    // As the schema of the frame has it; what it says is the same.
    ...(value !== undefined && { value: value as Result["value"] }),
    ...(failure && { failure: { ...failure, detail: failure.detail.slice(0, LONGEST_DETAIL) } }),
  };
}

function tooLarge({ command, observedAt }: StoredResult): Result {
  return { command, n: 0, outcome: "unknown", observedAt, failure: { name: "Hub Timeout", detail: TOO_LARGE } };
}
