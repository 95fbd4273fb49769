/**
 * Finds the owners of the tokens that appear as senders in the log. Its own file because no request looks up a token by its ID: it
 * searches owner by owner, as long as one is missing.
 */

import { isPorchlightError } from "@porchlight/sdk";
import { givenName } from "@porchlight/shared/names";
import type { Sender } from "@porchlight/shared/presentation";
import type { Context } from "../../session/context.ts";

/** Maximum number of servers and of users to search: one request each. */
const MOST = 50;
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
export async function logSenders(
  { porchlight }: Context,
  wanted: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Sender>> {
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
  const options = { pageSize: MOST };
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
