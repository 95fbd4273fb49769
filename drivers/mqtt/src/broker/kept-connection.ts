/** One connection to a broker after another, until the end, with waits between them that grow. */
import { Backoff, type BackoffPolicy, type Clock, type Log, type Random, sleep } from "@porchlight/shared/kernel";

export interface KeptConnectionDeps {
  /** The broker, for people: `mqtt 127.0.0.1:1883`. */
  readonly broker: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly open: OpenBroker;
  readonly received: (message: Received) => void;
  /**
   * Given each connection; the connection ends when this settles. The signal is aborted when the connection is gone, and when it must
   * end: then this must settle soon. What it throws is why the connection ended.
   */
  readonly use: (connection: BrokerConnection, end: AbortSignal) => Promise<void>;
  /** A connection, or the attempt at one, has ended by itself: why, in words. */
  readonly failed: (why: string) => void;
  readonly backoff?: BackoffPolicy | undefined;
}

const BACKOFF: BackoffPolicy = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };

/** Settles when the signal is aborted and the last connection has ended. Never rejects. */
export async function keepConnected(deps: KeptConnectionDeps, signal: AbortSignal): Promise<void> {
  const { clock, random, log, broker, failed, backoff = BACKOFF } = deps;
  const waits = new Backoff(backoff, random);
  while (!signal.aborted) {
    let stoodSince: number | undefined;
    const why = await connectOnce(deps, signal, () => {
      stoodSince = clock.monotonic();
    });
    if (signal.aborted) return;
    failed(why);
    log.warn({ broker, failure: why }, "the broker cannot be reached");
    const ms = waits.next(stoodSince === undefined ? 0 : clock.monotonic() - stoodSince);
    await sleep(clock, "broker to be tried again", ms, signal).catch(() => undefined);
  }
}

/** One connection from its start to its end; gives why it ended. */
async function connectOnce(deps: KeptConnectionDeps, signal: AbortSignal, stands: () => void): Promise<string> {
  const { open, received } = deps;
  try {
    await using connection = await open(received, signal);
    stands();
    // Awaited here, because the connection says that it is closed when it is disposed of, which is no reason.
    return await useConnection(deps, connection, signal);
  } catch (failure) {
    return inWords(failure);
  }
}

async function useConnection({ use }: KeptConnectionDeps, connection: BrokerConnection, signal: AbortSignal) {
  const lost = new AbortController();
  void connection.closed.then((why) => lost.abort(new Error(why)));
  try {
    await use(connection, AbortSignal.any([signal, lost.signal]));
    return inWords(lost.signal.reason ?? "nothing was left to do on the connection");
  } catch (failure) {
    // What fails because the connection is gone says less than why it is gone.
    return inWords(lost.signal.aborted ? lost.signal.reason : failure);
  }
}

function inWords(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

// A connection to a broker, as its users need it: what they ask of an MQTT client, so that a test can stand in for one.

/** A message to publish. */
export interface Publication {
  readonly topic: string;
  readonly payload: string;
  readonly qos?: 0 | 1 | 2 | undefined;
  readonly retain?: boolean | undefined;
}

/** A message as the broker handed it over. */
export interface Received {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** It was kept by the broker. */
  readonly retained: boolean;
}

export interface BrokerConnection extends AsyncDisposable {
  /** Settles with why when the connection is gone. Never rejects. */
  readonly closed: Promise<string>;
  /** Filters may have wildcards. What the broker has kept of them comes before long. @throws Error when the broker refuses, or is gone */
  subscribe(filters: readonly string[]): Promise<void>;
  unsubscribe(filters: readonly string[]): Promise<void>;
  /** Settles when the broker has it. @throws Error when the connection is gone: the broker may have it all the same */
  publish(publication: Publication): Promise<void>;
}

/** Connects once. @throws Error with why it cannot, in words; the signal's reason */
export type OpenBroker = (received: (message: Received) => void, signal: AbortSignal) => Promise<BrokerConnection>;
