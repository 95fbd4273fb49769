/** The e-mails about hubs that were paired and programs that were logged in by code: an owner must hear soon of one that is not theirs. */

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

/** @param url the service's address, without `/api` @param address where the program asked from */
export function codeLogInEmail(url: string, address: string): EmailText {
  const text = `A program has been logged in to your account, by a code, at
${url}

asked from: ${address}

It can do everything that you can. If you did not approve it, end it
under Sessions and change your password:

${url}/account
`;
  return { subject: "A program has been logged in to your account", text };
}
