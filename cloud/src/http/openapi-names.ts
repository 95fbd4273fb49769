/** What an operation is called, and where it stands in a table of contents: worked out from method and path, so that no two can differ. */
import type { Route } from "./route.ts";

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
  tokens: "The token that a request came with",
  service: "The catalogue of service classes, quotas, and what the service says of itself",
  records: "Who called, and who changed what",
  documents: "This document and the pages about it",
} as const;

export type Tag = keyof typeof TAGS;

/** First segments of paths that are no chapter's own name. */
const CHAPTERS: Readonly<Record<string, Tag>> = {
  account: "accounts",
  session: "accounts",
  token: "tokens",
  services: "service",
  quotas: "service",
  healthz: "service",
  readyz: "service",
  metrics: "service",
  requests: "records",
  audit: "records",
  "openapi.json": "documents",
  docs: "documents",
  "": "documents",
};

/** @throws Error for a path that has no chapter: give it one above */
export function tagOf({ path }: Route): Tag {
  const first = segmentsOf(path)[0] ?? "";
  if (isTag(first)) return first;
  const chapter = CHAPTERS[first];
  if (!chapter) throw new Error(`${path} stands in no chapter of the OpenAPI document`);
  return chapter;
}

/** Last segments of a POST that name what is made; any other that is not a plural says what is done. */
const MADE: readonly string[] = ["token", "password-reset", "access", "replay"];

/** `listDevices`, `getDevice`, `setDeviceProperties`, `approvePairing`… */
export function operationId({ method, path, query }: Route): string {
  const segments = segmentsOf(path);
  const names = segments.filter((segment) => !segment.startsWith(":")).map((name) => name.replace(/\..*$/, ""));
  const last = names.at(-1) ?? "";
  const endsWithParameter = segments.at(-1)?.startsWith(":") ?? false;
  const singular = names.map((name) => singularOf(name));
  if (path.endsWith("/services/:selector"))
    return camel([method === "GET" ? "get" : "set", ...singular.slice(0, -1), "properties"]);
  switch (method) {
    case "GET": {
      const isList = !endsWithParameter && (query.includes("pageSize") || (isPlural(last) && path.startsWith("/api/")));
      return camel([isList ? "list" : "get", ...(isList ? [...singular.slice(0, -1), last] : singular)]);
    }
    case "PUT":
      return camel(["update", ...singular]);
    case "DELETE":
      return camel(["delete", ...singular]);
    case "POST":
      if (endsWithParameter) return camel(["update", ...singular, "by-post"]);
      if (isPlural(last) || MADE.includes(last)) return camel(["create", ...singular]);
      return camel([last, ...singular.slice(0, -1)]);
  }
}

function segmentsOf(path: string): string[] {
  return path.split("/").filter((segment, at) => segment !== "" && !(at === 1 && segment === "api"));
}

function isPlural(word: string): boolean {
  return /[^s]s$/.test(word);
}

function singularOf(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return isPlural(word) ? word.slice(0, -1) : word;
}

function camel(words: readonly string[]): string {
  const parts = words.flatMap((word) => word.split("-"));
  return parts.map((part, at) => (at === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join("");
}

function isTag(word: string): word is Tag {
  return Object.hasOwn(TAGS, word);
}
