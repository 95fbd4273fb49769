/** A connection to a broker, as its users need it: what they ask of an MQTT client, so that a test can stand in for one. */

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
