/** The answer to a read: one result for each item, as many as fit into one message. */
import { MAX_MESSAGE_BYTES } from "@porchlight/shared/tunnel";
import type { ReadResult } from "../../commands/index.ts";

export interface ReadAnswer {
  readonly items: readonly ReadResult[];
}

/** Room for the envelope of an answer. */
const ANSWER_BYTES = MAX_MESSAGE_BYTES - 16 * 1024;
/** So few values of the largest size always fit. */
const ALWAYS_FIT = 14;
const TOO_LARGE: ReadResult = {
  failure: { name: "Hub Timeout", detail: "The answer is too large for this value: read fewer values at once." },
};

export function readAnswer(results: readonly ReadResult[]): ReadAnswer {
  if (results.length <= ALWAYS_FIT) return { items: results };
  let bytes = 0;
  return {
    items: results.map((result) => {
      const size = Buffer.byteLength(JSON.stringify(result)) + 1;
      if (bytes + size > ANSWER_BYTES) return TOO_LARGE;
      bytes += size;
      return result;
    }),
  };
}
