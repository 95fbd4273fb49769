/** What hubs really did and where they really were: the ground that every answer of the cloud is held against. Times are ms of the run's one monotonic clock. */

/** A command that touched its device. */
export interface Act {
  readonly hub: string;
  readonly device: string;
  /** `SERVICE.PROPERTY`. */
  readonly property: string;
  readonly commandId: string;
  readonly value: unknown;
  readonly at: number;
  /** Of the connection by which it came. */
  readonly epoch: number;
}

/** A value that a device reported by itself. Every one is another than all before it. */
export interface Report {
  readonly device: string;
  readonly property: string;
  readonly value: number;
  /** Its number in the hub's history. */
  readonly n: number;
  readonly at: number;
  /** When the cloud acknowledged it to the hub. */
  ackedAt?: number;
}

/** A time in which a hub held a tunnel: from its welcome until it was notified of the end, or its line carried nothing more. */
export interface Connected {
  readonly hub: string;
  readonly epoch: number;
  readonly from: number;
  /** Missing while it stands. */
  to?: number;
  /** Why it ended, in the words of the tunnel. */
  reason?: string;
}

export interface Truth {
  readonly acts: Act[];
  readonly reports: Report[];
  readonly connections: Connected[];
}
