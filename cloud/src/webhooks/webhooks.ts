/** Webhooks: create, list, read, change and delete. */
import type { CreatedWebhook, NewWebhook, Webhook, WebhookUpdate } from "@porchlight/shared/api";
import { badPattern } from "@porchlight/shared/events";
import { type Clock, type Id, type IdMaker, NamedError, type Random } from "@porchlight/shared/kernel";
import {
  type AccountCaller,
  type Actor,
  audit,
  endLivingObject,
  insertObject,
  type Keyring,
  type Quotas,
  type References,
  referenceInvalid,
  type ServerCaller,
} from "../access/index.ts";
import { ecosystemsToList, ecosystemToMakeIn, mergedPage } from "../places/index.ts";
import type { Store, Transaction, WebhookRow } from "../store/index.ts";
import { type Networks, readCallback } from "./callback-url.ts";
import { failPending, findDeliveries, findListed } from "./delivery-store.ts";
import { checkSecret, makeSecret, readSecrets, replaceSecret, secretPurpose, secretsText } from "./signature.ts";
import { type ListedDelivery, webhookResource } from "./webhook-resource.ts";
import {
  changeWebhook,
  dropWebhook,
  followFromNow,
  insertWebhook,
  type ListedWebhook,
  listWebhooks,
  livingWebhook,
} from "./webhook-store.ts";

/** More webhooks than any ecosystem may have. */
const ALL = 1_000_000;

/** Callers that may access webhooks at all. */
export type WebhookCaller = AccountCaller | ServerCaller;

/** The sender of webhooks, notified of changes. */
export interface Sender {
  /** Called in the transaction that changes the webhook: after the commit its worker looks, on any node. */
  changed(tx: Transaction, ecosystemId: string, webhookId: string): Promise<void>;
  /** Deletes the records of deleted webhooks. */
  sweep(): void;
}

export interface WebhooksDeps {
  readonly store: Store;
  readonly references: References;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: IdMaker;
  readonly quotas: Quotas;
  readonly keyring: Keyring;
  readonly networks: Networks;
  readonly sender: Sender;
}

/** A webhook with its newest delivery. */
export interface ShownWebhook {
  readonly id: string;
  readonly row: WebhookRow;
  readonly last: ListedDelivery | undefined;
}

export class Webhooks {
  readonly #deps: WebhooksDeps;

  constructor(deps: WebhooksDeps) {
    this.#deps = deps;
  }

  /** The webhooks that the caller may access, oldest first, after the one with that ID. @param filter `ecosystemId` */
  async list(
    caller: WebhookCaller,
    filter: string | undefined,
    after: string,
    limit: number,
  ): Promise<readonly ShownWebhook[]> {
    const { store, references } = this.#deps;
    const ecosystems = await ecosystemsToList(references, caller, filter);
    const rows = await mergedPage(ecosystems, limit, (eco) => listWebhooks(store.of(eco).sql, eco, after, limit));
    return this.#withLast(rows);
  }

  /** @throws those of the reference */
  async get(caller: WebhookCaller, reference: string): Promise<Webhook> {
    const { store, references } = this.#deps;
    const { ecosystemId: eco, id } = await references.resolve(caller, "whk", reference);
    const { sql } = store.of(eco);
    const row = await livingWebhook(sql, eco, id);
    const [last] = await findListed(sql, eco, id, { after: "", order: "newest", limit: 1 });
    return webhookResource(row, last);
  }

  /**
   * The only answer that contains a secret, and only a generated one.
   * @throws "Webhook Callback Invalid", "Webhook Events Invalid", "Body Parameters Invalid", "Ecosystem Missing",
   * "Environment Invalid", "Quota Exceeded", and those of the references
   */
  async create(caller: WebhookCaller, given: NewWebhook): Promise<CreatedWebhook> {
    const { store, clock, random, ids, quotas, keyring, networks, sender } = this.#deps;
    const url = readCallback(given.url, networks);
    const events = JSON.stringify(readPatterns(given.events ?? ["*"]));
    const secret = given.secret ? checkSecret(given.secret) : makeSecret(random);
    const { eco, environmentId } = await this.#placeOf(caller, given);
    const id = ids.next("whk");
    const row: WebhookRow = {
      ecosystem_id: eco,
      id,
      environment_id: environmentId,
      url,
      description: given.description ?? null,
      disabled: given.disabled ? 1 : 0,
      events,
      secrets: keyring.seal(secretPurpose(id), secretsText([{ secret }])),
      failing_since: null,
      created_at: clock.now(),
    };
    const stored = await store.write(eco, async (tx) => {
      await quotas.require(tx, "webhooksPerEcosystem", eco);
      const { created_at } = row;
      await insertObject(tx, { ecosystem_id: eco, id, kind: "whk", environment_id: environmentId, created_at });
      await insertWebhook(tx, row);
      await audit(tx, caller, "webhook.created", id);
      await sender.changed(tx, eco, id);
      return row;
    });
    const isOurs = !given.secret;
    // A repeated request gets the row that was stored first, and so its secret.
    return { ...webhookResource(stored), ...(isOurs && { secret: this.#newestSecret(stored) }) };
  }

  /** @throws "Webhook Callback Missing", "Webhook Callback Invalid", "Webhook Events Invalid", and those of the reference */
  async update(caller: WebhookCaller, reference: string, given: WebhookUpdate): Promise<void> {
    const { store, references, networks, sender } = this.#deps;
    const url = given.url === undefined ? undefined : readCallback(given.url, networks);
    const events = given.events && JSON.stringify(readPatterns(given.events));
    const secret = given.secret === undefined ? undefined : checkSecret(given.secret);
    const { ecosystemId: eco, id } = await references.resolve(caller, "whk", reference);
    await store.write(eco, async (tx) => {
      const row = await livingWebhook(tx, eco, id);
      const isDisabled = given.disabled ?? row.disabled === 1;
      const wasDisabled = row.disabled === 1;
      const begins = wasDisabled && !isDisabled;
      const changed: WebhookRow = {
        ...row,
        url: url ?? row.url,
        description: given.description === undefined ? row.description : given.description,
        disabled: isDisabled ? 1 : 0,
        events: events ?? row.events,
        secrets: secret === undefined ? row.secrets : this.#resealed(row, secret, tx.now()),
        // A new address or a new try: earlier failures do not apply.
        failing_since: begins || (url !== undefined && url !== row.url) ? null : row.failing_since,
      };
      await changeWebhook(tx, changed);
      if (begins) await followFromNow(tx, eco, id);
      if (isDisabled && !wasDisabled) await failPending(tx, eco, id, "the webhook was disabled");
      await audit(tx, caller, "webhook.updated", id);
      await sender.changed(tx, eco, id);
    });
  }

  /** Stops sending. @throws those of the reference */
  async delete(caller: WebhookCaller, reference: string): Promise<void> {
    const { store, references, sender } = this.#deps;
    const target = await references.resolve(caller, "whk", reference);
    const { ecosystemId: eco, id } = target;
    await store.write(eco, async (tx) => {
      await endLivingObject(tx, references, target, tx.now());
      await dropWebhook(tx, eco, id);
      await audit(tx, caller, "webhook.deleted", id);
      await sender.changed(tx, eco, id);
      tx.afterCommit(() => sender.sweep());
    });
  }

  /** Deletes all webhooks of an ecosystem, in a job of it. Returns their number. */
  async deleteAll(tx: Transaction, eco: string, actor: Actor): Promise<number> {
    const { references, sender } = this.#deps;
    const rows = await listWebhooks(tx, eco, "", ALL);
    for (const { id, environment_id: environmentId } of rows) {
      // The ID comes from the webhooks' own table.
      const target = { ecosystemId: eco, environmentId, kind: "whk", id: id as Id<"whk"> } as const;
      await endLivingObject(tx, references, target, tx.now());
      await dropWebhook(tx, eco, id);
      await audit(tx, actor, "webhook.deleted", id);
      await sender.changed(tx, eco, id);
    }
    tx.afterCommit(() => sender.sweep());
    return rows.length;
  }

  async #placeOf(
    caller: WebhookCaller,
    given: NewWebhook,
  ): Promise<{ readonly eco: string; readonly environmentId: string | null }> {
    const { references } = this.#deps;
    const { environmentId, ecosystemId } = given;
    if (!environmentId) return { eco: await ecosystemToMakeIn(references, caller, ecosystemId), environmentId: null };
    const eco = ecosystemId && (await references.resolve(caller, "eco", ecosystemId)).ecosystemId;
    const place = await references.resolve(caller, "env", environmentId);
    if (eco && eco !== place.ecosystemId) throw referenceInvalid("env");
    return { eco: place.ecosystemId, environmentId: place.id };
  }

  #resealed(row: WebhookRow, secret: string, now: number): string {
    const { keyring } = this.#deps;
    const purpose = secretPurpose(row.id);
    return keyring.seal(
      purpose,
      secretsText(replaceSecret(readSecrets(keyring.open(purpose, row.secrets)), secret, now)),
    );
  }

  #newestSecret(row: WebhookRow): string | undefined {
    return readSecrets(this.#deps.keyring.open(secretPurpose(row.id), row.secrets))[0]?.secret;
  }

  async #withLast(rows: readonly ListedWebhook[]): Promise<ShownWebhook[]> {
    const { store } = this.#deps;
    const last = new Map<string, ListedDelivery>();
    for (const eco of new Set(rows.map((row) => row.ecosystem_id))) {
      const ids = rows.flatMap((row) => (row.ecosystem_id === eco && row.last_delivery ? [row.last_delivery] : []));
      for (const delivery of await findDeliveries(store.of(eco).sql, eco, ids)) last.set(delivery.id, delivery);
    }
    return rows.map((row) => ({ id: row.id, row, last: row.last_delivery ? last.get(row.last_delivery) : undefined }));
  }
}

/** The patterns without duplicates. @throws "Webhook Events Invalid" */
function readPatterns(patterns: readonly string[]): readonly string[] {
  const bad = badPattern(patterns);
  if (bad === undefined) return [...new Set(patterns)];
  throw new NamedError(
    "Webhook Events Invalid",
    `${JSON.stringify(bad.slice(0, 64))} is not an event type, a \`prefix.*\` or \`*\`.`,
  );
}
