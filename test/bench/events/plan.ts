/** What a run of events is made of: who is there, and what each of the programs that take part is told and says at the end. */

export interface EventsShape {
  readonly ecosystems: number;
  readonly hubsEach: number;
  readonly devicesPerHub: number;
  /** Reports of one hub a second, of its devices in turn; each is an event. */
  readonly reportsPerHub: number;
  readonly seconds: number;
  /** Over all ecosystems: together they want each event once. */
  readonly webhooks: number;
}

/** A thousand events a second from 200 hubs in 20 ecosystems. */
export const FULL: Omit<EventsShape, "seconds"> = {
  ecosystems: 20,
  hubsEach: 10,
  devicesPerHub: 5,
  reportsPerHub: 5,
  webhooks: 50,
};

/** For the hubs. */
export interface HubsPlan {
  /** `ws://…` of the cloud. */
  readonly url: string;
  readonly tokens: readonly string[];
  readonly devicesPerHub: number;
  readonly reportsPerHub: number;
}

/** For the readers of streams. */
export interface ReadersPlan {
  readonly url: string;
  /** One stream each: of a server, which sees all of its ecosystem. */
  readonly tokens: readonly string[];
}

/** What came to streams, or to receivers, as far as it is a report of a hub. */
export interface Came {
  /** By place: ecosystem or webhook; each event once. */
  readonly each: readonly number[];
  /** Came again. */
  readonly repeats: number;
  /** Did not follow what came before it: the value of a device, or the sequence of a stream. */
  readonly gaps: number;
  /** From the device to here, ms. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}
