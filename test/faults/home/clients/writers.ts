/** Clients that set properties, each time to a value of its own: once, under a key again and again, queued, and at home. */

import { randomUUID } from "node:crypto";
import { randomInteger } from "@porchlight/shared/kernel";
import type { Reply } from "../../../parts/http-client.ts";
import { type Ask, machineTime, type Write } from "../record.ts";
import type { Asking } from "./asking.ts";

/** How often a write under a key is asked for at most. */
const MOST_ASKS = 8;
/** Bounds of the patience of a client that is in a hurry, ms: as every other ask under a key has it. */
const HURRY_MS = { least: 5, most: 800 };

/** Writes again and again until the run is over. */
export async function writer(asking: Asking, api: Write["api"], kind: Write["kind"]): Promise<void> {
  while (!asking.isOver) {
    const waitSeconds = 1 + randomInteger(asking.random, 6);
    const ttlSeconds = 2 + randomInteger(asking.random, 6);
    const write: Write = {
      api,
      kind,
      ...asking.wish(),
      waitMs: 1000 * (kind === "queued" ? ttlSeconds : waitSeconds),
      asks: [],
    };
    asking.record.writes.push(write);
    if (kind === "keyed") await repeated(asking, write);
    else {
      const ttl = kind === "queued" ? { ttlSeconds } : {};
      const prefer = kind === "queued" ? "respond-async" : `wait=${waitSeconds}`;
      await ask(asking, write, { ...ttl, value: write.value }, { prefer });
    }
    // A client that was refused does not ask again at once; one without an answer waits longer.
    const last = write.asks.at(-1)?.status;
    if (last === 200) await asking.pause(0, 150);
    else await (last === undefined ? asking.pause(300, 1500) : asking.pause(50, 500));
  }
}

/** A person turns the devices by hand. */
export async function person(asking: Asking): Promise<void> {
  const { broken, record } = asking.running;
  while (!asking.isOver) {
    await asking.pause(200, 1500);
    const turn = asking.turn();
    broken.order(record.nodeOf[turn.device] ?? "", { do: "turn", ...turn });
  }
}

/** The same request under one key until its answer is final, each time at any URL where a client may ask. */
async function repeated(asking: Asking, write: Write): Promise<void> {
  const headers = { prefer: `wait=${write.waitMs / 1000}`, "idempotency-key": randomUUID() };
  for (let asks = 0; asks < MOST_ASKS && !asking.isOver; asks++) {
    const { least, most } = HURRY_MS;
    const hurry = least + asking.random.fraction() ** 2 * (most - least);
    const patienceMs = asking.random.fraction() < 0.5 ? hurry : undefined;
    const { status, outcome } = await ask(asking, write, { value: write.value }, headers, patienceMs);
    const isFinal = status !== undefined && status !== 409 && status < 500 && outcome !== "not_sent";
    if (isFinal) return;
    await asking.pause(50, 1500);
  }
}

async function ask(
  asking: Asking,
  write: Write,
  body: object,
  headers: Readonly<Record<string, string>>,
  patienceMs?: number,
): Promise<Ask> {
  const { api, kind, device, property, waitMs, asks } = write;
  const url = asking.where(api);
  const asked: Ask = { to: url, begin: machineTime() };
  asks.push(asked);
  const waited = kind === "queued" ? {} : { waitMs };
  const path = asking.path(device, property);
  const reply = await asking.ask(api, url, { method: "PUT", path, body, headers, ...waited, patienceMs });
  if (reply) Object.assign(asked, { end: machineTime(), ...answered(reply) });
  return asked;
}

function answered({ status, headers, body }: Reply): Partial<Ask> {
  const commandId = headers["x-command-id"] ?? (status === 202 ? body.id : undefined);
  return {
    status,
    ...(typeof commandId === "string" && { commandId }),
    ...(status >= 400 ? { title: String(body.title), outcome: body.outcome } : { value: body.value }),
  };
}
