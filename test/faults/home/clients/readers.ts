/** Clients that look: at properties, from memory and from the device, in the service and at home, and at commands by the IDs that clients were given. */
import { randomInteger } from "@porchlight/shared/kernel";
import { type Api, type Look, machineTime } from "../record.ts";
import type { Asking } from "./asking.ts";

const REFRESH_SECONDS = 3;

/** Reads one property after another until the run is over. */
export async function reader(asking: Asking, api: Api, refreshed: boolean): Promise<void> {
  while (!asking.isOver) {
    const device = asking.device();
    await read(asking, api, asking.where(api), device, asking.property(device), refreshed);
    await asking.pause(20, 250);
  }
}

/** Reads once; gives the value, or undefined when there was none to be had. */
export async function read(
  asking: Asking,
  api: Api,
  url: string,
  device: string,
  property: string,
  refreshed: boolean,
): Promise<unknown> {
  const begin = machineTime();
  const reply = await asking.ask(api, url, {
    method: "GET",
    path: `${asking.path(device, property)}${refreshed ? "?refresh=true" : ""}`,
    headers: { prefer: `wait=${REFRESH_SECONDS}` },
    waitMs: REFRESH_SECONDS * 1000,
  });
  const end = machineTime();
  const value = reply?.status === 200 ? reply.body.items?.[0]?.value : undefined;
  if (value !== undefined) asking.record.readings.push({ api, device, property, value, begin, end, refreshed });
  return value;
}

/** Asks for commands whose ID a client was given, some of them again and again. */
export async function looker(asking: Asking): Promise<void> {
  while (!asking.isOver) {
    const ids = answeredIds(asking);
    const newest = ids.slice(-40);
    const id = newest[randomInteger(asking.random, Math.max(1, newest.length))];
    if (id !== undefined) await look(asking, asking.where("cloud"), id);
    await asking.pause(30, 300);
  }
}

/** Every ID that the service has answered, oldest first. At home an ID is for logs only. */
export function answeredIds({ record }: Asking): string[] {
  const ids = record.writes
    .filter(({ api }) => api === "cloud")
    .flatMap(({ asks }) => asks.flatMap((ask) => ask.commandId ?? []));
  return [...new Set(ids)];
}

/** Asks for a command; undefined without an answer. */
export async function look(asking: Asking, url: string, id: string): Promise<Look | undefined> {
  const begin = machineTime();
  const reply = await asking.ask("cloud", url, { method: "GET", path: `/api/commands/${id}` });
  if (!reply) return undefined;
  const { status, body } = reply;
  const seen: Look = { id, begin, end: machineTime(), status, state: body.state, outcome: body.outcome };
  asking.record.looks.push(seen);
  return seen;
}
