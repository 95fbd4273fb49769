/** What can be wrong with a device on the wire, by name: thrown while a connection is set up, and where it ends. */

/**
 * `refused_at_once`: it closes the connection before it says anything. `needs_key`, `no_encryption`: one side encrypts, and the other does not.
 * `closed`: the connection has ended. `bad_bytes`: what it sends is not this protocol.
 */
export type WireProblemKind =
  | "refused_at_once"
  | "needs_key"
  | "wrong_key"
  | "no_encryption"
  | "needs_password"
  | "api_version"
  | "bad_bytes"
  | "closed";

/** The message is a sentence for people. */
export class WireProblem extends Error {
  readonly kind: WireProblemKind;

  constructor(kind: WireProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
