/** Setups that a dialect offers to people for the programs behind a broker, and the parts of the driver that they need. */
import type { SetupKind, SetupTalk } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import type { Message, Publication } from "./mqtt-device.ts";

/** A setup's view of the broker. */
export interface SetupBroker {
  readonly clock: Clock;
  /** @throws Error when there is no connection */
  publish(publication: Publication): Promise<void>;
  /**
   * Receives the messages of exact topics, until it is disposed of. Settles when they are subscribed to.
   * @throws Error when there is no connection
   */
  listen(topics: readonly string[], take: (message: Message) => void): Promise<Disposable>;
}

export interface MqttSetup extends SetupKind {
  /** @throws SetupFailed, the talk's signal's reason */
  run(talk: SetupTalk, broker: SetupBroker): Promise<void>;
}
