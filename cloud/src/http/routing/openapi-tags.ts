/** Chapters of the OpenAPI document: each route names one. */

/** Chapters of the document, in their order. */
export const TAGS = {
  accounts: "Sign-up, log-in, and the account itself",
  ecosystems: "All that one product or one operator runs, apart from every other",
  environments: "Homes, and the properties of all devices in one",
  zones: "Parts of a home: devices and other zones",
  devices: "Devices, their services, and the properties of those",
  commands: "What became of a write",
  users: "Whom your own server vouches for, and the environments that they have",
  servers: "Your own programs, with all of an ecosystem",
  clients: "What acts for an environment: the agents on home hubs",
  pairings: "How a hub gets its token",
  webhooks: "Events sent to you",
  events: "Events as a stream",
  alerts: "What is wrong, and who is told",
  tokens: "The token that a request came with",
  service: "The catalogue of service classes, quotas, and what the service says of itself",
  records: "Who called, and who changed what",
  documents: "This document and the pages about it",
} as const;

export type Tag = keyof typeof TAGS;
