/** `/api/events`: what happens, as server-sent events (contract, section 6). */
import { Readable } from "node:stream";
import { NamedError } from "@porchlight/shared/kernel";
import { type Authenticator, type Caller, type References, reach, referenceNotFound } from "../../access/index.ts";
import { badPattern } from "../../events/index.ts";
import type { Streams } from "../../streams/index.ts";
import { A_S_U, type Answer, defineRoute, type Route } from "../route.ts";

export interface EventRouteDeps {
  readonly streams: Streams;
  readonly references: References;
  readonly authenticator: Authenticator;
}

const MEDIA = "text/event-stream";

/** Nobody between keeps it, or waits for its end before passing it on; and nothing follows it on its connection. */
const HEADERS = { "cache-control": "no-store", "x-accel-buffering": "no", connection: "close" };

export function eventRoutes({ streams, references, authenticator }: EventRouteDeps): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/events",
      summary: "Follow what happens, as server-sent events",
      tokens: A_S_U,
      query: ["ecosystemId", "environmentId", "types", "snapshot", "lastEventId"],
      answers: { 200: undefined },
      media: MEDIA,
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
        const types = readTypes(call.query.types);
        const snapshot = readSnapshot(call.query.snapshot);
        const after = readAfter(call.header("last-event-id"), call.query.lastEventId);
        const place = await placeOf(references, call.caller, call.query);
        if (call.isHead) return answer(Readable.from([]));
        const authorization = call.header("authorization");
        const authenticate = () => authenticator.authenticate(authorization);
        return answer(await streams.open(call.caller, { ...place, types, snapshot, after }, authenticate));
      },
    }),
  ];
}

function answer(body: Readable): Answer {
  return { status: 200, body, media: MEDIA, headers: HEADERS };
}

/** @throws "Query Parameter Invalid" */
function readTypes(text: string | undefined): readonly string[] {
  if (text === undefined) return ["*"];
  const patterns = text.split(",").map((pattern) => pattern.trim());
  const bad = badPattern(patterns);
  if (bad === undefined) return patterns;
  throw new NamedError(
    "Query Parameter Invalid",
    `\`types\` is a comma-separated list of types such as \`property.changed\` or \`device.*\`; \`${bad}\` means none.`,
  );
}

/** @throws "Query Parameter Invalid" */
function readSnapshot(text: string | undefined): boolean {
  if (text === undefined || text === "true" || text === "false") return text === "true";
  throw new NamedError("Query Parameter Invalid", "`snapshot` is `true` or `false`.");
}

/** The header, which a browser sends by itself, comes before the parameter. @throws "Query Parameter Invalid" */
function readAfter(header: string | undefined, parameter: string | undefined): number | undefined {
  const given = header || parameter;
  if (given === undefined) return undefined;
  const after = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(after)) return after;
  throw new NamedError(
    "Query Parameter Invalid",
    "`Last-Event-ID` or `lastEventId` is the `id` of the last event that was seen, a whole number.",
  );
}

/** @throws "Ecosystem Missing", and those of the references */
async function placeOf(
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
