/** Keeps a connection to a broker: connects again after each end, with growing waits, until the signal. */
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
   * Called with each connection; the connection ends when the promise settles. The signal is aborted when the connection is lost or must
   * end: the promise must then settle soon. Its error is the reason why the connection ended.
   */
  readonly use: (connection: BrokerConnection, end: AbortSignal) => Promise<void>;
  /** A connection, or an attempt at one, has failed: the reason in words. */
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

/** One connection from its start to its end; resolves with the reason for its end. */
async function connectOnce(deps: KeptConnectionDeps, signal: AbortSignal, stands: () => void): Promise<string> {
  const { open, received } = deps;
  try {
    await using connection = await open(received, signal);
    stands();
    // Awaited here, because disposing of the connection closes it, which must not become the reason.
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
    // A failure because of a lost connection is less informative than the reason why it was lost.
    return inWords(lost.signal.aborted ? lost.signal.reason : failure);
  }
}

function inWords(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** A message to publish. */
export interface Publication {
  readonly topic: string;
  readonly payload: string;
  readonly qos?: 0 | 1 | 2 | undefined;
  readonly retain?: boolean | undefined;
}

/** A message as the broker delivered it. */
export interface Received {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** The broker has retained the message. */
  readonly retained: boolean;
}

/** A connection to a broker: the part of an MQTT client that is used here, so that a test can replace it. */
export interface BrokerConnection extends AsyncDisposable {
  /** Settles with the reason when the connection is closed. Never rejects. */
  readonly closed: Promise<string>;
  /**
   * Filters may have wildcards. The broker sends their retained messages soon.
   * @throws Error when the broker refuses, or the connection is closed
   */
  subscribe(filters: readonly string[]): Promise<void>;
  unsubscribe(filters: readonly string[]): Promise<void>;
  /** Settles when the broker has the message. @throws Error when the connection is lost: the broker may have received it all the same */
  publish(publication: Publication): Promise<void>;
}

/** Connects once. @throws Error with the reason in words; the signal's reason */
export type OpenBroker = (received: (message: Received) => void, signal: AbortSignal) => Promise<BrokerConnection>;

/** `name` of the `origin` block of every discovery message that a hub publishes. */
export const OWN_ORIGIN = "Porchlight";
