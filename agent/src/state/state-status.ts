/** The status of the hub's store: its history, its outbox, and the disk under it. */
import type { TimeSource } from "./hub-clock.ts";

export interface StateStatus {
  readonly logId: string;
  readonly lastNumber: number;
  readonly acknowledged: number;
  readonly queuedRecords: number;
  readonly queuedBytes: number;
  /** Values dropped since the start; a newer value of the same property was kept each time. */
  readonly droppedValues: number;
  /** Events that devices were asked to hold back since the start, because the outbox was full. */
  readonly refusedEvents: number;
  readonly refusedReports: number;
  /** Values that were read and could not be stored. */
  readonly gaps: number;
  /** Changes and gaps that history could not record since the start. */
  readonly notRecorded: number;
  readonly full: boolean;
  readonly disk: {
    readonly freeBytes?: number | undefined;
    readonly totalBytes?: number | undefined;
    readonly databaseBytes: number;
    /** The disk is full; the remaining space is reserved for commands. */
    readonly short: boolean;
    /** Damaged databases that were set aside, newest first. */
    readonly damaged: string[];
  };
  readonly clock: { readonly skewMs?: number | undefined; readonly source: TimeSource };
}
