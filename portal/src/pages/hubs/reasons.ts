/** Why a hub is not connected, in words: the names are those of the tunnel's ends. */

export interface Reason {
  /** What happened. */
  readonly says: string;
  /** What to do about it; undefined when it comes back by itself. */
  readonly cure?: string;
}

const REASONS: Readonly<Record<string, Reason>> = {
  lost: { says: "The line broke." },
  lease_expired: { says: "It fell silent: nothing was heard of it for the length of its lease." },
  restart: { says: "The service restarted, and it has not come back yet." },
  superseded: { says: "A newer connection of the same hub took over." },
  token_revoked: {
    says: "Its token is not good any more.",
    cure: "Give it another token below, or pair it anew.",
  },
  wrong_key: {
    says: "A hub with another key used its token.",
    cure: "Each hub needs its own client and token: pair that one by itself.",
  },
  wrong_edge: {
    says: "A hub with another edge ID used its token.",
    cure: "Each hub needs its own client and token: pair that one by itself.",
  },
  hello_timeout: { says: "It connected and did not say who it is.", cure: "Look at the log of the agent on the hub." },
  malformed: { says: "It said something that cannot be understood.", cure: "Update the agent on the hub." },
  version_unsupported: {
    says: "Its agent speaks no version of the tunnel that the service knows.",
    cure: "Update the agent on the hub.",
  },
  overloaded: { says: "It did not take what it was sent in time." },
  duplicate: {
    says: "Two hubs use this identity and keep replacing each other.",
    cure: "One of them is a copy of the other: pair it anew.",
  },
};

/** @param reason as the API has it; one that a newer service has is told as it stands */
export function reasonOf(reason: string): Reason {
  return REASONS[reason] ?? { says: reason.replaceAll("_", " ") };
}
