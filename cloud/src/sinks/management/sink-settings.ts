/** What a sink's settings become by a change of them: a pure decision, with all that a URL and a token may not be. */
import type { SinkUpdate } from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { bodyInvalid } from "@porchlight/shared/rest";
import type { SinkRow } from "../../store/index.ts";
import { type Networks, readReceiverUrl } from "../../webhooks/index.ts";

export type SinkSettings = Pick<SinkRow, "url" | "token" | "measurement_prefix" | "enabled">;

/** The names of nanoseconds with InfluxDB 1, 2 and 3; with the last, it finds them out by itself. */
const PRECISIONS: readonly string[] = ["n", "ns", "nanosecond", "auto"];

/** As it will be called. @throws "Body Parameters Invalid" */
export function readSinkUrl(text: string, networks: Networks): string {
  const href = readReceiverUrl(text, networks, {
    name: "the URL",
    instead: "Put them into `token`: `Basic ` and base64 of `USER:PASSWORD`.",
    invalid: urlInvalid,
  });
  const { searchParams } = new URL(href);
  if (searchParams.has("p"))
    throw urlInvalid(
      "The URL must not contain a password (`p`), because it is shown again. Put it into `token`: `Basic ` and base64 of `USER:PASSWORD`.",
    );
  for (const precision of searchParams.getAll("precision"))
    if (!PRECISIONS.includes(precision))
      throw urlInvalid("`precision` of the URL must be that of nanoseconds, or be left out: times are in nanoseconds.");
  return href;
}

/**
 * @param before undefined of an ecosystem without a sink
 * @param url as {@link readSinkUrl} gives it
 * @param seal seals a token
 * @throws "Body Parameters Missing", "Body Parameters Invalid"
 */
export function settingsAfter(
  before: SinkSettings | undefined,
  given: Omit<SinkUpdate, "url"> & { readonly url: string | undefined },
  seal: (token: string) => string,
): SinkSettings {
  const url = given.url ?? before?.url;
  if (url === undefined)
    throw new NamedError("Body Parameters Missing", "`url` is missing.", {
      errors: [{ pointer: "/url", message: "is missing" }],
    });
  return {
    url,
    token: tokenAfter(before, url, given.token, seal),
    measurement_prefix: given.measurementPrefix ?? before?.measurement_prefix ?? "",
    enabled: (given.enabled ?? (before?.enabled ?? 1) === 1) ? 1 : 0,
  };
}

/** A stored token goes only to the receiver that it was given for: nobody who can change the URL can have it sent to themselves. */
function tokenAfter(
  before: SinkSettings | undefined,
  url: string,
  token: SinkUpdate["token"],
  seal: (token: string) => string,
): string | null {
  if (token !== undefined) return token === null ? null : seal(token);
  const stored = before?.token ?? null;
  if (stored !== null && before && new URL(before.url).origin !== new URL(url).origin)
    throw bodyInvalid([
      {
        pointer: "/token",
        message: "must come with a URL of another host: the stored token was given for the former one",
      },
    ]);
  return stored;
}

function urlInvalid(detail: string): NamedError {
  return new NamedError("Body Parameters Invalid", detail, { errors: [{ pointer: "/url", message: detail }] });
}
