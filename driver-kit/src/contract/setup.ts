/**
 * A conversation between a driver and a person, in one form for every kind of pairing: press the button, enter the code, choose, wait.
 * The person may sit at the hub, at home, or in front of the portal.
 */

/** A kind of setup that a driver offers. */
export interface SetupKind {
  /** Of letters, digits and hyphens, for programs: `zigbee`. */
  readonly kind: string;
  /** What it does, for people: `Let a Zigbee device join`. */
  readonly title: string;
  /**
   * edgeIds of devices that are bound to this hub: such a setup is never offered to people, but run when the hub leaves its owner. It lets
   * go of them, names each that it has let go by `found`, and cannot ask. What it does not name must be reset by hand.
   */
  readonly releases?: readonly string[] | undefined;
}

/** What a person is asked for. A `code` may be shown while it is typed; a `password` may not. */
export type SetupQuestion =
  | { readonly ask: "code" | "password"; readonly text: string }
  | { readonly ask: "choice"; readonly text: string; readonly choices: readonly string[] };

/** A device that a setup has brought. */
export interface SetupFind {
  readonly edgeId?: string | undefined;
  /** What it is, as far as is known: `IKEA TRADFRI bulb`. */
  readonly name: string;
}

/** The driver's side of the conversation. */
export interface SetupTalk {
  /** Aborted when the person has ended it, when it has taken too long, and when the driver ends. */
  readonly signal: AbortSignal;
  /**
   * Says what to do, or what goes on: it stands until the next word.
   * @param seconds how long that is true for at most: `The network is open`
   */
  tell(text: string, seconds?: number): void;
  /** Waits for the person's answer. One of the `choices`, where there are some. @throws the signal's reason */
  ask(question: SetupQuestion): Promise<string>;
  /** Something has been found: told at once, while the setup goes on. */
  found(find: SetupFind): void;
}

/** A setup has not come to its end; the message says why, and what the person can do. */
export class SetupFailed extends Error {}
