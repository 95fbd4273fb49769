/** What the log calls devices, scenes and senders: asked for only as far as the events need it. */
import { isPorchlightError, type PorchlightEvent } from "@porchlight/sdk";
import { standardProperty } from "@porchlight/shared/model";
import { givenName, nameOf } from "@porchlight/shared/names";
import type { LogNames, Sender } from "@porchlight/shared/presentation";
import type { Context } from "../../session/context.ts";

/** Servers, and users, whose tokens are asked for: one request each. */
const MOST = 50;

type Calls = Context["porchlight"];

/** What the token of this console may not see stays without a name. @throws PorchlightError for any other reason */
export async function logNames(
  { porchlight }: Context,
  environmentId: string,
  events: readonly PorchlightEvent[],
): Promise<LogNames> {
  const texts = events.map(({ data }) => JSON.stringify(data));
  const hasScenes = texts.some((text) => text.includes('"sceneId":')) || events.some(isCall);
  const hasTokens = texts.some((text) => text.includes('"tokenId":'));
  const [devices, scenes, senders] = await Promise.all([
    allowed(() => porchlight.devices.list({ environmentId }).all()),
    hasScenes ? allowed(() => porchlight.scenes.list({ environmentId }).all()) : [],
    hasTokens ? sendersOf(porchlight) : new Map<string, Sender>(),
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

/** By the IDs of tokens. */
async function sendersOf(porchlight: Calls): Promise<ReadonlyMap<string, Sender>> {
  const options = { pageSize: MOST };
  const [logIns, servers, users] = await Promise.all([
    allowed(() => porchlight.account.logIns().all()),
    allowed(async () => (await porchlight.servers.list({}, options).page()).items),
    allowed(async () => (await porchlight.users.list({}, options).page()).items),
  ]);
  const senders = new Map<string, Sender>(logIns.map(({ id }) => [id, { kind: "account", tokenId: id }]));
  for (const { id, meta, alias } of servers)
    for (const token of await allowed(async () => (await porchlight.servers.tokens(id, options).page()).items))
      senders.set(token.id, { kind: "server", id, name: givenName(meta) ?? alias });
  for (const { id, meta, alias, key } of users)
    for (const token of await allowed(async () => (await porchlight.users.tokens(id, options).page()).items))
      senders.set(token.id, { kind: "user", id, name: givenName(meta) ?? alias ?? key });
  return senders;
}

/** Nothing of what the caller may not see. */
async function allowed<T>(ask: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await ask();
  } catch (failure) {
    if (isPorchlightError(failure) && [400, 403, 404].includes(failure.status ?? 0)) return [];
    throw failure;
  }
}
