/** Why a hub is not connected, in words: the reason names are those of the tunnel's close reasons. */

export interface Reason {
  /** What happened. */
  readonly says: string;
  /** What to do about it; undefined when the hub reconnects by itself. */
  readonly cure?: string;
}

const REASONS: Readonly<Record<string, Reason>> = {
  lost: { says: "The connection was interrupted." },
  lease_expired: { says: "The hub stopped responding, and its lease ran out." },
  restart: { says: "The service restarted, and the hub has not reconnected yet." },
  stopping: { says: "Its agent was stopped, or is restarting.", cure: "Start the agent on the hub." },
  unavailable: { says: "The service could not store anything, and closed the connection." },
  superseded: { says: "A newer connection of the same hub replaced this one." },
  token_revoked: {
    says: "Its token no longer works.",
    cure: "Give it another token below, or pair it again.",
  },
  wrong_key: {
    says: "A hub with another key used its token.",
    cure: "Each hub needs its own token. Pair that hub separately.",
  },
  wrong_edge: {
    says: "A hub with another edge ID used its token.",
    cure: "Each hub needs its own token. Pair that hub separately.",
  },
  hello_timeout: { says: "It connected and did not identify itself.", cure: "Check the log of the agent on the hub." },
  malformed: { says: "It sent a message that the service cannot read.", cure: "Update the agent on the hub." },
  version_unsupported: {
    says: "Its agent supports no version of the tunnel that the service supports.",
    cure: "Update the agent on the hub.",
  },
  overloaded: { says: "It did not accept messages in time." },
  duplicate: {
    says: "Two hubs use this identity and keep replacing each other.",
    cure: "One of them is a copy of the other. Pair the copy again.",
  },
};

/** @param reason as in the API; an unknown one, from a newer service, is shown as it is */
export function reasonOf(reason: string): Reason {
  return REASONS[reason] ?? { says: reason.replaceAll("_", " ") };
}
