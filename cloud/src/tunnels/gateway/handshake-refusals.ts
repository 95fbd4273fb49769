/**
 * Why a handshake is refused before the hub has said anything. Each error is made once: its stack is most of what a refusal costs,
 * and there may be thousands a second when a service comes back.
 */
import { type ErrorName, NamedError } from "@porchlight/shared/kernel";

interface Reason {
  readonly name: ErrorName;
  readonly detail: string;
}

export const TOO_MANY: Reason = {
  name: "Rate Limit Exceeded",
  detail: "Too many hubs are connecting: try again after the seconds in `retry-after`.",
};
export const TOO_OFTEN: Reason = {
  name: "Rate Limit Exceeded",
  detail:
    "This hub connects too often. It may connect once a second on average, and once in ten seconds while it breaks the protocol.",
};
export const ELSEWHERE: Reason = {
  name: "Service Unavailable",
  detail: "This hub must connect to another node. It can reconnect at once.",
};
export const CLOSED: Reason = { name: "Service Unavailable", detail: "This node does not accept hubs at the moment." };

export class HandshakeRefusals {
  readonly #made = new Map<Reason, Map<number, NamedError>>();

  /** @param retryAfter whole seconds, a minute at most */
  of(reason: Reason, retryAfter: number): NamedError {
    let errors = this.#made.get(reason);
    if (!errors) {
      errors = new Map();
      this.#made.set(reason, errors);
    }
    let error = errors.get(retryAfter);
    if (!error) {
      error = new NamedError(reason.name, reason.detail, { retryAfter });
      errors.set(retryAfter, error);
    }
    return error;
  }
}
