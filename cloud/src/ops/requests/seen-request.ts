/** A request as it is told to counters, once it has been answered. */
import type { ErrorName } from "@porchlight/shared/kernel";
import type { Caller } from "../../access/index.ts";

export interface SeenRequest {
  /** What the answer said in `x-request-id`. */
  readonly requestId: string;
  readonly method: string;
  /** Pattern of the route; "" when there is none. */
  readonly route: string;
  /** Without the query, which may hold secrets. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Name of the error that it was answered with. */
  readonly problem: ErrorName | undefined;
  /** JSON of the problem document, without secrets. */
  readonly problemBody?: string | undefined;
  /** The command that it made. */
  readonly commandId?: string | undefined;
  /** Undefined without a proven one. */
  readonly caller: Caller | undefined;
  /** Version segment of the path: `v0`; undefined when it had none. */
  readonly pathVersion: string | undefined;
  /** The request's `x-api-version`. */
  readonly headerVersion: string | undefined;
}
