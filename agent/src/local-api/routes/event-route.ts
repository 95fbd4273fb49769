/** `GET /api/events` at home (A6, A9): what happens to the hub's own devices, as server-sent events. */
import { readStreamWish, STREAM_HEADERS, STREAM_MEDIA, STREAM_QUERY } from "@porchlight/shared/rest";
import type { HomeRoute } from "../server/home-call.ts";
import type { HomeStreams } from "../streams/home-streams.ts";
import type { HomeReferences } from "./references.ts";

export interface EventRouteDeps {
  readonly references: HomeReferences;
  readonly streams: Pick<HomeStreams, "open">;
}

/** Throws "Query Parameter Invalid", "Ecosystem Invalid", "Environment Invalid", "Environment Not Found", and what opening does. */
export function eventRoute({ references, streams }: EventRouteDeps): HomeRoute {
  return {
    method: "GET",
    path: "/api/events",
    query: STREAM_QUERY,
    handle: (call) => {
      const wish = readStreamWish(call.query, call.header("last-event-id"));
      const { ecosystemId, environmentId } = call.query;
      if (ecosystemId !== undefined) references.ecosystem(ecosystemId);
      if (environmentId !== undefined) references.environment(environmentId);
      const headers = { ...STREAM_HEADERS, "content-type": STREAM_MEDIA };
      return { status: 200, headers, stream: streams.open(call.token, wish) };
    },
  };
}
