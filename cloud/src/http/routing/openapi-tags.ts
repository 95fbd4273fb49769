/** Chapters of the OpenAPI document: each route names one. */

/** Chapters of the document, in their order. */
export const TAGS = {
  accounts: "Sign-up, log-in, and the account itself",
  ecosystems: "All environments, users and servers of one product or household, separate from all others",
  environments: "Homes, and the properties of all devices in one",
  zones: "Groups of devices and other zones, such as rooms",
  scenes: "Values of devices and zones under one name, set all at once",
  devices: "Devices, their services, and the properties of those",
  commands: "The results of writes",
  users: "The people who use your product, and the environments that they can use",
  servers: "Your own programs, with full access to an ecosystem",
  clients: "The hubs of an environment, each with its agent",
  pairings: "How a hub gets its token",
  webhooks: "Events sent to you",
  events: "Events as a stream",
  alerts: "Problems of hubs, batteries, webhooks and quotas, and who is notified",
  tokens: "The token of a request",
  service: "The catalogue of service classes, quotas, and the state of the service",
  records: "The requests, and who changed what",
  documents: "This document and the pages about it",
} as const;

export type Tag = keyof typeof TAGS;
