/**
 * How much one account can make the database grow: it creates and deletes zones with 62 KB of metadata and idempotency keys, as fast as answers come,
 * until it is refused. The files of the database are compared with the quota.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { print } from "./frame.ts";
import { startProduct } from "./product.ts";

const QUOTA_MB = 200;
const META = { text: "x".repeat(62_000) };
const CONNECTIONS = 8;
const MEGABYTE = 1_000_000;
/** Ends a run that nothing refuses. */
const MOST_PAIRS = (20 * QUOTA_MB * MEGABYTE) / META.text.length;

// It has no flag.
process.env.PORCHLIGHT_MAX_MEGABYTES_PER_ACCOUNT = String(QUOTA_MB);
await using product = await startProduct(1, 1);
const login = { email: "filler@home.example", password: "a-full-and-endless-password" };
let token = "";
const { environmentId } = await ask<{ environmentId: string }>("POST", "/api/accounts", login);
({ token } = await ask<{ token: string }>("POST", "/api/accounts/login", login));

const before = databaseBytes();
const began = performance.now();
let pairs = 0;
let refusal = "none";
await Promise.all(Array.from({ length: CONNECTIONS }, fill));
const seconds = (performance.now() - began) / 1000;
const left = databaseBytes() - before;
const lowest = META.text.length;
print("bytes that a zone leaves which is created and deleted, with 62 KB of metadata and a key", {
  ...{ measured: left / pairs, limit: lowest, ratio: left / pairs / lowest },
  ...{ goal: "<= 2.5", pairs, "pairs a second": pairs / seconds },
});
print("million bytes that an account has stored when it is refused", {
  ...{ measured: left / MEGABYTE, limit: QUOTA_MB, ratio: left / MEGABYTE / QUOTA_MB },
  ...{ goal: "<= 1.2", refusal },
});

async function fill(): Promise<void> {
  while (refusal === "none" && pairs < MOST_PAIRS) {
    const number = pairs++;
    const made = await send("POST", "/api/zones", { environmentId, meta: META }, `pair ${number}`);
    if (made.status === 403) refusal = String(((await made.json()) as { title: string }).title);
    else if (made.status === 201)
      await ask("DELETE", new URL(made.headers.get("location") ?? "", product.url).pathname);
    else await made.body?.cancel();
  }
}

function send(method: string, path: string, body?: object, key?: string): Promise<Response> {
  return fetch(new URL(path, product.url), {
    method,
    headers: {
      ...(body && { "content-type": "application/json" }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { "idempotency-key": key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await send(method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  const text = await answer.text();
  return (text === "" ? {} : JSON.parse(text)) as T;
}

/** Of the files of the database, with its log. */
function databaseBytes(): number {
  const folder = join(product.folder, "cloud");
  const files = readdirSync(folder).filter((name) => name.startsWith("cloud.db"));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
