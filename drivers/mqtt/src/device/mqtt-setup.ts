/** What a dialect offers a person to do with the programs behind a broker, and what it needs of the driver for it. */
import type { SetupKind, SetupTalk } from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import type { Message, Publication } from "./mqtt-device.ts";

/** The broker, as a setup uses it. */
export interface SetupBroker {
  readonly clock: Clock;
  /** @throws Error when there is no connection */
  publish(publication: Publication): Promise<void>;
  /** Hears what comes on exact topics, until it is disposed of. Settles when they are subscribed to. @throws Error when there is no connection */
  listen(topics: readonly string[], take: (message: Message) => void): Promise<Disposable>;
}

export interface MqttSetup extends SetupKind {
  /** @throws SetupFailed, the talk's signal's reason */
  run(talk: SetupTalk, broker: SetupBroker): Promise<void>;
}
