/** The request that a sample is, put together from the operation and what the sample says: pure, with `‹name›` where the reader's own goes. */
import type { Operation } from "./operations.ts";
import { SAMPLES } from "./samples/index.ts";

export interface SampleRequest {
  readonly method: string;
  /** What stands in the path, by parameter. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly hasToken: boolean;
}

/** What stands for a part of a path that is no ID. */
const FIXED: Readonly<Record<string, string>> = { selector: "Switch.on", number: "1" };
/** A log-in is a token of the account; the other tokens are of somebody. */
const LOGIN = "/api/account/tokens/{tokenId}";

export function requestOf(operation: Operation): SampleRequest {
  const { method, path, tokens } = operation;
  const { query = {}, headers = {}, body } = SAMPLES[operation.id] ?? {};
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    ...{ method, query, headers, body },
    path: Object.fromEntries(names.map((name) => [name, FIXED[name] ?? `‹${nameIn(path, name)}›`])),
    hasToken: tokens.some((kind) => kind !== "session"),
  };
}

/** Path with its query, from `/` on. */
export function samplePath({ path: template }: Operation, { path, query }: SampleRequest): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? "");
  const search = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return search.length > 0 ? `${filled}?${search.join("&")}` : filled;
}

/** `id` of `/api/devices/{id}` is `deviceId`, and `tokenId` below users is `userTokenId`. */
function nameIn(path: string, parameter: string): string {
  const kind = /^\/api\/([a-z]+?)s\//.exec(path)?.[1] ?? "";
  if (parameter === "id") return `${kind}Id`;
  if (path === LOGIN) return "loginId";
  return parameter === "tokenId" ? `${kind}TokenId` : parameter;
}
