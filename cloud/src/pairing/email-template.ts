/** What the account is written when a hub has been paired: an owner must hear soon of a hub that is not theirs. */

/** Plain text under one line. */
export interface EmailText {
  readonly subject: string;
  readonly text: string;
}

export interface PairedHubFacts {
  readonly edgeId: string;
  /** Where it asked from. */
  readonly address: string;
  readonly clientId: string;
  readonly environmentId: string;
}

/** @param url the service's address, without `/api` @param isNew whether the hub was no client of the environment before */
export function pairedEmail(url: string, hub: PairedHubFacts, isNew: boolean): EmailText {
  const { edgeId, address, clientId, environmentId } = hub;
  const text = `A hub has been ${isNew ? "paired" : "paired again, and gets a new token,"} at
${url}

hub: ${edgeId}
asked from: ${address}
client: ${clientId}
environment: ${environmentId}

It reaches the devices of that environment from now on. If you did
not approve it, delete the client: its tunnel ends at once.
`;
  return { subject: isNew ? "A new hub has been paired" : "A hub has been paired again", text };
}
