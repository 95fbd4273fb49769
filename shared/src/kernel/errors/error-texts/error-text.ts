/** What a person reads about an error beyond its row of the table: why it happens, what to do, and how it looks. */
import type { ErrorExtras } from "../errors.ts";

/** Texts are Markdown of one paragraph; code stands in backticks. */
export interface ErrorText {
  /** Where the table's sentence leaves a question. */
  readonly why?: string;
  /** What to do. */
  readonly cure: string;
  readonly example: ErrorExample;
}

export interface ErrorExample {
  /** Method and path, as a request line has them. */
  readonly request: string;
  /** Headers of the request that matter here, each as a line. */
  readonly headers?: readonly string[];
  /** The request's body as it is sent. */
  readonly body?: string;
  /** `detail` of the answer; the table's sentence when left out. */
  readonly detail?: string;
  /** What else the answer carries. */
  readonly extras?: ErrorExtras;
}

/** An ID as examples show it. @param prefix such as `env` */
export function sampleId(prefix: string): string {
  return `${prefix}_01h455vb4pex5vsknk084sn02q`;
}
