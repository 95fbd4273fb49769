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
  const text = `A hub was ${isNew ? "paired" : "paired again and gets a new token"} at
${url}

edge ID: ${edgeId}
requested from: ${address}
hub: ${clientId}
environment: ${environmentId}

The hub can now read and control the devices of this environment. If
you did not approve it, remove it. Its connection then ends at once:

${url}/environments/${environmentId}/hubs/${clientId}
`;
  return { subject: isNew ? "A new hub was paired" : "A hub was paired again", text };
}

/** @param url the service's address, without `/api` @param address where the program asked from */
export function codeLogInEmail(url: string, address: string): EmailText {
  const text = `A program was logged in to your account with a code at
${url}

requested from: ${address}

It can do everything that you can. If you did not approve it, end its
session and change your password:

${url}/account
`;
  return { subject: "A program was logged in to your account", text };
}
