/** `porchlight log [PLACE]`: events of a device or an environment, in the sentences of the portal's log book. */
import { isPorchlightError, type PorchlightEvent } from "@porchlight/sdk";
import { standardProperty } from "@porchlight/shared/model";
import { givenName, nameOf } from "@porchlight/shared/names";
import { type LogNames, logLines, type Sender } from "@porchlight/shared/presentation";
import { localTime } from "../../render/cell.ts";
import type { Action, Context } from "../../session/command.ts";
import { momentOf } from "../../session/fields.ts";
import { ENVIRONMENT } from "../../session/places.ts";
import { PLACE, placeScope, type Scope } from "./watch.ts";

/** Default number of lines: one screen. */
const USUAL = 20;
const MOST = 1000;
const PRESENCE = ["hub.online", "hub.offline", "hub.restarted", "hub.duplicate"];

interface Wanted {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly limit: number;
}

export const log: Action = {
  parameters: [PLACE],
  options: [
    { name: "since", value: "TIME", summary: "Only from this time on: 2h, 7d, or 2026-11-05T14:03:07Z" },
    { name: "until", value: "TIME", summary: "Only before this time" },
    { name: "limit", value: "N", summary: `At most this many of the newest (${USUAL})`, number: [1, MOST] },
    ENVIRONMENT,
  ],
  examples: ["porchlight log lamp", "porchlight log --since 2h", "porchlight log 'home;lamp' --json | jq -r .text"],
  notes: [
    "Says in sentences what happened, the newest first: values and who changed them, commands that failed, what came and went, what was added. The log of a device has also when its hub came and went. Times are in the time zone of this machine.",
    "For the events themselves: porchlight events list. For one value: porchlight why.",
  ],
  async run(context, args) {
    const { clock, output } = context;
    const [since, until] = [args.text("since"), args.text("until")].map((text) => text && momentOf(text, clock));
    const limit = args.number("limit") ?? USUAL;
    const scope = await placeScope(context, args);
    const { events, hasMore } = await newest(context, scope, { since, until, limit });
    for (const { event, text } of logLines(events, await logNames(context, scope.environmentId, events))) {
      const { id, sequence, type, createdAt } = event;
      if (output.isJson) output.jsonLine({ eventId: id, sequence, type, createdAt, text });
      else if (output.isTerminal) output.line({ style: "dim", text: `${localTime(createdAt)}  ` }, text);
      else output.tabbed([createdAt, text]);
    }
    if (events.length === 0) output.note("Nothing that is kept.");
    else if (hasMore) output.note("There are more: --limit N, or --until TIME.");
  },
};

/** The newest events. For a device: its own, and those of its hub's presence as far back as its own go. */
async function newest(context: Context, scope: Scope, wanted: Wanted) {
  const { environmentId, device } = scope;
  const own = await walked(context, { environmentId, deviceId: device?.id }, wanted, () => true);
  const hubId = device?.clientId;
  if (hubId === undefined) return own;
  const from = own.hasMore ? (own.events.at(-1)?.sequence ?? 0) : 0;
  const isOfHub = (event: PorchlightEvent) => idOf(event) === hubId;
  const ofHub = await walked(context, { environmentId, types: PRESENCE }, wanted, isOfHub, from);
  const all = [...own.events, ...ofHub.events].sort((one, other) => other.sequence - one.sequence);
  return { events: all.slice(0, wanted.limit), hasMore: own.hasMore || ofHub.hasMore || all.length > wanted.limit };
}

/** @param from sequence at which to stop: earlier events are not read */
async function walked(
  { porchlight }: Context,
  filter: { readonly environmentId: string; readonly deviceId?: string | undefined; readonly types?: string[] },
  { since, until, limit }: Wanted,
  isWanted: (event: PorchlightEvent) => boolean,
  from = 0,
): Promise<{ readonly events: PorchlightEvent[]; readonly hasMore: boolean }> {
  const events: PorchlightEvent[] = [];
  const pages = porchlight.eventLog({ ...filter, since, until, order: "newest" }, { pageSize: 100 }).pages();
  for await (const { items } of pages)
    for (const event of items) {
      if (event.sequence < from) return { events, hasMore: false };
      if (!isWanted(event)) continue;
      if (events.length === limit) return { events, hasMore: true };
      events.push(event);
    }
  return { events, hasMore: false };
}

function idOf({ data }: PorchlightEvent): string | undefined {
  const id: unknown = typeof data === "object" && data !== null && "id" in data ? data.id : undefined;
  return typeof id === "string" ? id : undefined;
}

/**
 * Names of devices, scenes and senders, fetched only as far as the events need them. Objects that this console's token may not see have
 * no name. @throws PorchlightError for any other reason
 */
async function logNames(
  context: Context,
  environmentId: string,
  events: readonly PorchlightEvent[],
): Promise<LogNames> {
  const { porchlight } = context;
  const text = JSON.stringify(events.map(({ data }) => data));
  const hasScenes = text.includes('"sceneId":') || events.some(isCall);
  const tokens = new Set(Array.from(text.matchAll(/"tokenId":"([^"]+)"/g), ([, id = ""]) => id));
  const [devices, scenes, senders] = await Promise.all([
    allowed(() => porchlight.devices.list({ environmentId }).all()),
    hasScenes ? allowed(() => porchlight.scenes.list({ environmentId }).all()) : [],
    logSenders(context, tokens),
  ]);
  const named = new Map([...devices, ...scenes].map((each) => [each.id, nameOf(each)]));
  return {
    device: (id) => named.get(id),
    scene: (id) => named.get(id),
    property: (service, property) => `${service}.${property}`,
    unit: (service, property) => standardProperty(service, property)?.unit,
    sender: (tokenId) => senders.get(tokenId),
  };
}

function isCall({ type }: PorchlightEvent): boolean {
  return type === "scene.called";
}

/** Maximum number of servers and of users to search: one request each. */
const MOST_OWNERS = 50;
/** Number of concurrent requests. */
const TOGETHER = 8;

interface Owner {
  readonly sender: Sender;
  readonly tokens: () => Promise<readonly { readonly id: string }[]>;
}

/**
 * @param wanted IDs of tokens
 * @returns owners by ID; without those that this console's token may not see
 * @throws PorchlightError for any other reason
 */
async function logSenders({ porchlight }: Context, wanted: ReadonlySet<string>): Promise<ReadonlyMap<string, Sender>> {
  const senders = new Map<string, Sender>();
  if (wanted.size === 0) return senders;
  const [logIns, owners] = await Promise.all([allowed(() => porchlight.account.logIns().all()), ownersOf(porchlight)]);
  for (const { id } of logIns) senders.set(id, { kind: "account", tokenId: id });
  for (let first = 0; first < owners.length && !hasAll(senders, wanted); first += TOGETHER)
    await Promise.all(
      owners.slice(first, first + TOGETHER).map(async ({ sender, tokens }) => {
        for (const { id } of await allowed(tokens)) senders.set(id, sender);
      }),
    );
  return senders;
}

async function ownersOf({ servers, users }: Context["porchlight"]): Promise<Owner[]> {
  const options = { pageSize: MOST_OWNERS };
  const [ofServers, ofUsers] = await Promise.all([
    allowed(async () => (await servers.list({}, options).page()).items),
    allowed(async () => (await users.list({}, options).page()).items),
  ]);
  return [
    ...ofServers.map(({ id, meta, alias }) => ({
      sender: { kind: "server", id, name: givenName(meta) ?? alias },
      tokens: async () => (await servers.tokens(id, { ...options, reveal: false }).page()).items,
    })),
    ...ofUsers.map(({ id, meta, alias, key }) => ({
      sender: { kind: "user", id, name: givenName(meta) ?? alias ?? key },
      tokens: async () => (await users.tokens(id, options).page()).items,
    })),
  ];
}

function hasAll(found: ReadonlyMap<string, unknown>, wanted: ReadonlySet<string>): boolean {
  return [...wanted].every((id) => found.has(id));
}

/** The answer, or an empty list when the caller may not see it. @throws PorchlightError for any other reason */
export async function allowed<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch (failure) {
    if (isPorchlightError(failure) && [400, 403, 404].includes(failure.status ?? 0)) return [];
    throw failure;
  }
}
