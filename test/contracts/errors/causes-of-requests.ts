/** The errors of any request: credential, query string, body, headers. */
import type { Reply } from "@porchlight/cloud/app.fixture.ts";
import type { ErrorName } from "@porchlight/shared/kernel";
import { logIn } from "../isolation/belongings.ts";
import type { Attempt } from "./attempt.ts";
import type { Plenty } from "./plenty.ts";
import { BREAK, type Kind } from "./stages.ts";

/** Every answer must be the error. */
export type Cause = (attempt: Attempt<Plenty>) => Promise<readonly Reply[]>;

/** Values that no parameter of that name takes, beyond what is stated twice. */
const BAD_VALUES: Readonly<Record<string, readonly string[]>> = {
  refresh: ["maybe", ""],
  reveal: ["maybe", ""],
  maxAge: ["-1", "86401", "soon"],
  type: ["lamp"],
  status: ["99", "600", "ok"],
  since: ["yesterday"],
  order: ["", "desc", "Newest"],
  requestId: ["", "a b", "x".repeat(65)],
  types: ["", "no.such.type", "property.changed,"],
  snapshot: ["maybe", ""],
  lastEventId: ["-1", "1.5", "newest"],
};

/** So many at once that one comes while another is being carried out. */
const AT_ONCE = 8;
/** One more than a page may have: a page of history has more points than others have items. */
const tooMany = ({ route }: Attempt<Plenty>) => (route.endsWith("/history") ? "10001" : "1001");

/** Rounds in which several ask at once. */
const MOST_ROUNDS = 20;

const JSON_TYPE = { "content-type": "application/json" };

export const CAUSES_OF_REQUESTS: Partial<Readonly<Record<ErrorName, Cause>>> = {
  "Host Invalid": (to) => all(...["a b", "home.example:port", "[::1"].map((host) => to.send({ headers: { host } }))),
  "No Query String Allowed": (to) => all(to.send({ query: "nonsense=1" })),
  "Query Parameter Invalid": (to) =>
    all(
      ...to.documented.query.map((name) => to.send({ query: `${name}=1&${name}=1` })),
      ...to.documented.query.flatMap((name) =>
        (BAD_VALUES[name] ?? []).map((value) => to.send({ query: `${name}=${value}` })),
      ),
    ),
  "Page Size Invalid": (to) =>
    all(...["0", tooMany(to), "-1", "1.5", "many", ""].map((size) => to.send({ query: `pageSize=${size}` }))),
  "Continuation Token Invalid": (to) => all(to.send({ query: "continuationToken=nonsense" })),

  "Token Missing": (to) => all(to.send({ token: null }), to.send({ token: "" })),
  "Token Expired": (to) => all(to.send({ token: credential(to.stage.expired, to.kind) })),
  "Token Type Not Allowed": (to) => all(to.send()),

  "Body Too Large": (to) => all(to.send({ body: "x".repeat(300_000), headers: JSON_TYPE })),
  "Body Parameters Missing": (to) =>
    all(
      to.send({ body: JSON.stringify(to.body()), headers: { "content-type": "text/plain" } }),
      to.send({ body: "{", headers: JSON_TYPE }),
    ),
  "Body Parameters Invalid": (to) =>
    all(
      to.send({ body: { ...to.body(), nonsense: 1 } }),
      to.send({ body: [] }),
      to.send({ body: '{"a":1,"a":1}', headers: JSON_TYPE }),
    ),

  "Metadata Prefix Invalid": (to) => all(to.send({ headers: { "x-system-metadata-prefix": '"' } })),
  "Metadata Format Invalid": (to) =>
    all(
      ...[[], "{}", 1, { "$.": 1 }].map((meta) => to.send({ body: { ...to.body(), meta } })),
      to.send({
        body: `${JSON.stringify({ ...to.body(), alias: null }).slice(0, -1)},"meta":{"a":1,"a":1}}`.replace(
          /"meta":\{"count":\d+\},/,
          "",
        ),
        headers: JSON_TYPE,
      }),
    ),
  "Precondition Failed": (to) => all(to.send({ headers: { "if-match": '"no such version"' } })),

  "Idempotency Key Invalid": (to) =>
    all(...["", "x".repeat(256)].map((key) => to.send({ headers: { "idempotency-key": key } }))),
  "Idempotency Key Reused": reused,
  "Idempotency Key In Use": inUse,

  "Internal Error": (to) => all(to.send({ headers: { [BREAK]: "1" } })),
};

export function all(...replies: readonly Promise<Reply>[]): Promise<readonly Reply[]> {
  return Promise.all(replies);
}

/** The first is carried out, the second has other content. */
async function reused(to: Attempt<Plenty>): Promise<readonly Reply[]> {
  const headers = { "idempotency-key": `reused ${to.count()}` };
  const body = to.body();
  const first = await to.send({ headers, body });
  if (first.status >= 300) throw new Error(`the first must be carried out, and is ${first.status} ${first.text}`);
  return [await to.send({ headers, body: { ...body, ...another(to) } })];
}

function another({ route, stage, count }: Attempt<Plenty>): object {
  if (route.endsWith("/:selector")) return { value: false };
  if (route.endsWith("/access")) return { environmentId: stage.closed.env };
  if (route.endsWith("/tokens")) return { expiresInSeconds: 77 };
  if (route.endsWith("/call")) return { only: ["another"] };
  if (route.endsWith("/replay")) return { since: "2026-01-02 00:00:00Z" };
  if (route.endsWith("/account/export")) return { currentPassword: "another horse battery" };
  if (route.endsWith("/setups")) return { kind: "another" };
  // It is compared with the first before it is resolved.
  if (route.endsWith("/alerts/test")) return { ecosystemId: "another" };
  if (route.endsWith("/test")) return { type: "device.online" };
  if (route.includes("/webhooks")) return { description: "another" };
  return { alias: `another ${count}` };
}

/** Which of several at once finds the key in use, and which comes when the first has ended, depends on the store: asked anew until one has found it so. */
async function inUse(to: Attempt<Plenty>): Promise<readonly Reply[]> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const found = (await severalAtOnce(to)).filter(({ status }) => status === 409);
    if (found.length > 0) return found;
  }
  return [];
}

async function severalAtOnce(to: Attempt<Plenty>): Promise<readonly Reply[]> {
  const { cloud, home } = to.stage;
  // A request that ends the caller's log-in needs a log-in that no other test needs.
  const token = to.route.endsWith("/logout")
    ? (await logIn(cloud, home, { console: to.kind === "authentication" })).token
    : to.token;
  const headers = { "idempotency-key": `in use ${to.count()}` };
  const body = to.ask().body;
  const replies = await all(
    ...Array.from({ length: AT_ONCE }, () => to.send({ headers, body, ...(token && { token }) })),
  );
  if (!replies.some(({ status }) => status < 300)) throw new Error("one of them must be carried out");
  return replies;
}

/** @throws Error for a kind that has none */
export function credential(of: Partial<Readonly<Record<Kind, string>>>, kind: Kind): string {
  const token = of[kind];
  if (token === undefined) throw new Error(`there is no such credential of kind ${kind}`);
  return token;
}
