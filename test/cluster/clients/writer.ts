/** A client that sets one property of one device, again and again, each time to a value of its own: waited for, with a key and tried again, or deferred. */

import { randomUUID } from "node:crypto";
import { pick, randomInteger } from "@porchlight/shared/kernel";
import type { Reply } from "../../parts/http-client.ts";
import type { HomeDevice } from "../cluster-home.ts";
import type { Attempt, Put } from "../history/history.ts";
import type { Load, Where } from "./load.ts";

/** Most are plain. */
const KINDS: readonly [Put["kind"], ...Put["kind"][]] = ["put", "put", "put", "keyed", "keyed", "deferred"];
const TTL_SECONDS = 20;
/** How often one with a key is tried. */
const MOST_TRIES = 6;

export async function writer(load: Load, device: HomeDevice, property: string): Promise<void> {
  while (!load.isOver) {
    const waitSeconds = 2 + randomInteger(load.random, 6);
    const kind = pick(load.random, KINDS);
    const waitMs = (kind === "deferred" ? TTL_SECONDS : waitSeconds) * 1000;
    const put: Put = { kind, device: device.edgeId, property, value: load.value(), waitMs, attempts: [] };
    load.history.puts.push(put);
    const path = `/api/devices/${device.id}/services/${property}`;
    if (kind === "keyed") await tried(load, put, path);
    else {
      const ttl = kind === "deferred" ? { ttlSeconds: TTL_SECONDS } : {};
      const prefer = kind === "deferred" ? "respond-async" : `wait=${waitSeconds}`;
      await attempt(load, put, load.where(), path, { ...ttl, value: put.value }, { prefer });
    }
    // Who is not answered or refused does not ask again at once.
    if (put.attempts.at(-1)?.status !== 200) await load.pause(100, 400);
    else await load.pause(0, 40);
  }
}

/** The same request under one key, until it is answered for good, each time at another node. */
async function tried(load: Load, put: Put, path: string): Promise<void> {
  const headers = { prefer: `wait=${put.waitMs / 1000}`, "idempotency-key": randomUUID() };
  for (let tries = 0; tries < MOST_TRIES && !load.isOver; tries++) {
    const { status, outcome } = await attempt(load, put, load.where(), path, { value: put.value }, headers);
    const isFinal = status !== undefined && status !== 409 && status < 500 && outcome !== "not_sent";
    if (isFinal) return;
    await load.pause(100, 500);
  }
}

async function attempt(
  load: Load,
  put: Put,
  where: Where,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Attempt> {
  const begun: Attempt = { node: where.node, begin: load.clock.monotonic() };
  put.attempts.push(begun);
  const reply = await load.ask(where, "PUT", path, { body, headers, waitMs: put.waitMs });
  if (reply) Object.assign(begun, answered(reply), { end: load.clock.monotonic() });
  return begun;
}

function answered({ status, headers, body }: Reply): Partial<Attempt> {
  const commandId = headers["x-command-id"];
  return {
    status,
    ...(typeof commandId === "string" && { commandId }),
    ...(status >= 400 ? { title: String(body.title), outcome: body.outcome } : { value: body.value }),
  };
}
