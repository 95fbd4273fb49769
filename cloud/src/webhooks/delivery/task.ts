/** One thing to be sent: an event that a cursor has come by, or a delivery that must be tried again. */
import type { LoggedEvent } from "../../events/index.ts";
import type { DeliveryRow } from "../../store/index.ts";
import { orderKey } from "../log/wanted.ts";

export interface Task {
  /** Undefined before the first attempt: it has no row yet. */
  readonly row: DeliveryRow | undefined;
  readonly cursor: string | undefined;
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  /** Those of one key go one after another; a repeat waits for nobody and nobody for it. */
  readonly key: string | undefined;
}

export function eventTask(cursor: string, event: LoggedEvent): Task {
  const { sequence, id: eventId, type, text: body } = event;
  return { row: undefined, cursor, sequence, eventId, type, body, key: `${cursor} ${orderKey(event.data)}` };
}

export function repeatTask(row: DeliveryRow): Task {
  const { sequence, event_id: eventId, type, body } = row;
  return { row, cursor: undefined, sequence, eventId, type, body, key: undefined };
}

/** Whether it may be tried more than once: a person waits for the result of a test. */
export function isRepeated({ row, type }: Task): boolean {
  return row?.cursor !== null || type !== "webhook.test";
}
