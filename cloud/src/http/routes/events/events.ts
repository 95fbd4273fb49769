/** `/api/events`: what happens, as server-sent events (A6). */
import { Readable } from "node:stream";
import { NamedError } from "@porchlight/shared/kernel";
import { readStreamWish, STREAM_HEADERS, STREAM_MEDIA, STREAM_QUERY } from "@porchlight/shared/rest";
import { type Authenticator, type Caller, type References, reach, referenceNotFound } from "../../../access/index.ts";
import type { Streams } from "../../../streams/index.ts";
import { A_S_U, type Answer, defineRoute, type Route } from "../../routing/route.ts";

export interface EventRouteDeps {
  readonly streams: Streams;
  readonly references: References;
  readonly authenticator: Authenticator;
}

export function eventRoutes({ streams, references, authenticator }: EventRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/events",
      operationId: "listEvents",
      tag: "events",
      summary: "Stream events as server-sent events",
      tokens: A_S_U,
      query: [...STREAM_QUERY],
      answers: { 200: undefined },
      media: STREAM_MEDIA,
      errors: [
        "Query Parameter Invalid",
        "Ecosystem Missing",
        "Ecosystem Invalid",
        "Ecosystem Not Found",
        "Environment Invalid",
        "Environment Not Found",
        "Access Denied",
      ],
      handle: async (call) => {
        const wish = readStreamWish(call.query, call.header("last-event-id"));
        const place = await placeOf(references, call.caller, call.query);
        if (call.isHead) return answer(Readable.from([]));
        const authorization = call.header("authorization");
        const authenticate = () => authenticator.authenticate(authorization);
        return answer(await streams.open(call.caller, { ...place, ...wish }, authenticate));
      },
    }),
  ];
}

function answer(body: Readable): Answer {
  return { status: 200, body, media: STREAM_MEDIA, headers: STREAM_HEADERS };
}

/** Which log is asked for, and of which environment. @throws "Ecosystem Missing", and those of the references */
export async function placeOf(
  references: References,
  caller: Caller,
  query: Readonly<Record<string, string>>,
): Promise<{ readonly ecosystemId: string; readonly environmentId: string | undefined }> {
  const named =
    query.ecosystemId === undefined ? undefined : await references.resolve(caller, "eco", query.ecosystemId);
  if (query.environmentId !== undefined) {
    const { ecosystemId, id } = await references.resolve(caller, "env", query.environmentId);
    if (named && named.id !== ecosystemId) throw referenceNotFound("env");
    return { ecosystemId, environmentId: id };
  }
  if (named) return { ecosystemId: named.ecosystemId, environmentId: undefined };
  const [only, ...others] = reach(caller);
  if (only === undefined || others.length > 0) throw new NamedError("Ecosystem Missing");
  return { ecosystemId: only, environmentId: undefined };
}
