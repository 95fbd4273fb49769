/** The end of a run: every fault is over, and work under way gets the time that it may need; then every API and device is asked for its state. */
import { readFileSync } from "node:fs";
import { eventually } from "../../parts/eventually.ts";
import type { Asking } from "./clients/asking.ts";
import { answeredIds, look, read } from "./clients/readers.ts";
import { readActs } from "./device/act-file.ts";
import { hasEnded } from "./judge/judge-writes.ts";
import { propertiesOf } from "./properties.ts";
import { type Act, type Api, machineTime, propertyKey } from "./record.ts";

/** Longest that anything may take to be as it must be, ms. */
const CALM_MS = 90_000;
/** The same with a Matter device: a driver that has failed again and again is started again a minute later at the latest. */
const CALM_WITH_MATTER_MS = 180_000;
/** How long clients ask for a command that is not found, ms: what the store took late is there by then. */
const FOUND_WITHIN_MS = 30_000;
/** A write without an answer may wait so long in the service before its time begins, ms. */
const TAKEN_MS = 3000;

interface Place {
  readonly api: Api;
  readonly name: string;
  readonly url: string;
}

/** Waits until all is at rest, and completes the record. What never comes to rest is in it as `awaited`. */
export async function calm(asking: Asking): Promise<void> {
  const { record, running } = asking;
  const calmMs = running.matterDevice === undefined ? CALM_MS : CALM_WITH_MATTER_MS;
  const until = machineTime() + calmMs;
  const rest = async (what: string, isSo: () => Promise<boolean>) => {
    const left = Math.max(1000, until - machineTime());
    await eventually(what, async () => ((await isSo()) ? true : undefined), left).catch((error: Error) => {
      record.awaited.push(error.message);
    });
  };
  const places = placesOf(asking);
  for (const place of places) await rest(`every device is online (${place.name})`, () => areOnline(asking, place));
  // A command whose ID no client was given ends with its time.
  await rest("nothing can be carried out any more", async () => latestDeadline(asking) < machineTime());
  const ended = new Set<string>();
  await rest("every command is settled", async () => {
    for (const id of answeredIds(asking).filter((each) => !ended.has(each))) {
      const seen = await look(asking, running.service.urls[0], id);
      const isLost = seen && seen.status !== 200 && machineTime() > until - calmMs + FOUND_WITHIN_MS;
      if (seen && (hasEnded(seen) || isLost)) ended.add(id);
    }
    return ended.size === answeredIds(asking).length;
  });
  record.acts.push(...running.actFiles.flatMap((file) => readActs(readFileSync(file, "utf8"))));
  record.acts.sort((one, other) => one.at - other.at);
  const held = heldValues(record.acts);
  for (const place of places) await readBack(asking, place, held, rest);
}

function placesOf({ running: { service, home } }: Asking): Place[] {
  const cloud = service.urls.map((url) => ({ api: "cloud", name: url, url }) as const);
  return [...cloud, { api: "home", name: "home", url: home.url }];
}

async function areOnline(asking: Asking, { api, url }: Place): Promise<boolean> {
  const reply = await asking.ask(api, url, { method: "GET", path: "/api/devices" });
  const items: { edgeId: string; connection: { state: string } }[] = reply?.status === 200 ? reply.body.items : [];
  const online = new Set(items.filter(({ connection }) => connection.state === "online").map(({ edgeId }) => edgeId));
  return [...asking.running.ids.keys()].every((edgeId) => online.has(edgeId));
}

function latestDeadline({ record }: Asking): number {
  const open = record.writes.flatMap(({ asks, waitMs }) =>
    asks.filter(({ status }) => status === undefined).map(({ begin }) => begin + TAKEN_MS + waitMs),
  );
  return Math.max(0, ...open);
}

function heldValues(acts: readonly Act[]): ReadonlyMap<string, unknown> {
  return new Map(acts.map((act) => [propertyKey(act), act.value]));
}

/** Each property from memory, and then from the device. */
async function readBack(
  asking: Asking,
  { api, name, url }: Place,
  held: ReadonlyMap<string, unknown>,
  rest: (what: string, isSo: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const { record, running } = asking;
  for (const device of running.ids.keys()) {
    for (const property of propertiesOf(asking.kindOf(device))) {
      const expected = held.get(propertyKey({ device, property })) ?? record.first[property];
      let shown: unknown;
      await rest(`${device} ${property} is shown (${name})`, async () => {
        shown = await read(asking, api, url, device, property, false);
        return shown === expected;
      });
      const refreshed = await read(asking, api, url, device, property, true);
      record.finalValues.push({ device, property, shownBy: name, shown, held: expected });
      record.finalValues.push({
        device,
        property,
        shownBy: `${name}, from the device`,
        shown: refreshed,
        held: expected,
      });
    }
  }
}
