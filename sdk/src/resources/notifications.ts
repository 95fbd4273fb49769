/** What is sent to the owner: events delivered by webhooks, with the result of each delivery, and alerts about problems. */
import type {
  Alert,
  AlertSettings,
  AlertSettingsUpdate,
  AlertTestAnswer,
  AlertTestRequest,
  CreatedWebhook,
  NewWebhook,
  ReplayRequest,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookTest,
  WebhookUpdate,
} from "@porchlight/shared/api";
import { Collection, type PageOptions } from "../collection.ts";
import { type CallOptions, path, type Transport } from "../transport.ts";
import type { LogOrder } from "./service.ts";

/** Webhooks: events delivered to your own server, and the result of each delivery. */
const AT = "/api/webhooks";

export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(filter: { readonly ecosystemId?: string | undefined } = {}, options?: PageOptions): Collection<Webhook> {
    return new Collection<Webhook>(this.#transport, AT, { ...filter }, options);
  }

  /** Creates a webhook; only this answer contains a generated secret. @throws PorchlightError */
  create(body: NewWebhook, options?: CallOptions): Promise<CreatedWebhook> {
    return this.#transport.post<CreatedWebhook>(AT, body, options);
  }

  /** @throws PorchlightError */
  async get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#transport.get<Webhook>(path`/api/webhooks/${id}`, options);
  }

  /** Changes the given fields. @throws PorchlightError */
  async update(id: string, body: WebhookUpdate, options?: CallOptions): Promise<void> {
    await this.#transport.put(path`/api/webhooks/${id}`, body, options);
  }

  /** @throws PorchlightError */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.delete(path`/api/webhooks/${id}`, options);
  }

  /**
   * Sends a `webhook.test`, even if the webhook does not subscribe to it; with `type`, a sample event of that type. @throws
   * PorchlightError
   */
  test(id: string, { type, ...options }: CallOptions & WebhookTest = {}): Promise<WebhookDelivery> {
    return this.#transport.post<WebhookDelivery>(
      path`/api/webhooks/${id}/test`,
      type === undefined ? undefined : { type },
      options,
    );
  }

  /** The deliveries of the last 30 days. */
  deliveries(id: string, options: PageOptions & LogOrder = {}): Collection<WebhookDelivery> {
    const { order } = options;
    return new Collection<WebhookDelivery>(this.#transport, path`/api/webhooks/${id}/deliveries`, { order }, options);
  }

  /** A delivery with its request and response. @throws PorchlightError */
  async delivery(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDeliveryDetails> {
    return this.#transport.get<WebhookDeliveryDetails>(path`/api/webhooks/${id}/deliveries/${deliveryId}`, options);
  }

  /** Sends an event again, with its original ID. @throws PorchlightError */
  redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#transport.post<WebhookDelivery>(
      path`/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`,
      undefined,
      options,
    );
  }

  /** Sends the events of a time range again; returns their number. @throws PorchlightError */
  async replay(id: string, range: ReplayRequest, options?: CallOptions): Promise<number> {
    return (await this.#transport.post<{ readonly count: number }>(path`/api/webhooks/${id}/replay`, range, options))
      .count;
  }
}

/** Alerts: problems in an account's ecosystems, and which of them the account is notified of. */
const SETTINGS = "/api/account/alerts";

export interface AlertFilter extends LogOrder {
  /** Both states when omitted. */
  readonly state?: Alert["state"] | undefined;
  readonly ecosystemId?: string | undefined;
  /** Only alerts about hubs, devices and webhooks of this environment. */
  readonly environmentId?: string | undefined;
}

export class Alerts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Includes ended alerts of the last 90 days. */
  list(filter: AlertFilter = {}, options?: PageOptions): Collection<Alert> {
    return new Collection<Alert>(this.#transport, "/api/alerts", { ...filter }, options);
  }

  /** Requires an account token. @throws PorchlightError */
  async settings(options?: CallOptions): Promise<AlertSettings> {
    return this.#transport.get<AlertSettings>(SETTINGS, options);
  }

  /** Changes the given fields. @throws PorchlightError */
  async updateSettings(body: AlertSettingsUpdate, options?: CallOptions): Promise<void> {
    await this.#transport.put(SETTINGS, body, options);
  }

  /** Sends a test email and an `alert.test`; returns the result of the email. @throws PorchlightError */
  async test(body: AlertTestRequest = {}, options?: CallOptions): Promise<AlertTestAnswer> {
    return this.#transport.post<AlertTestAnswer>(`${SETTINGS}/test`, body, options);
  }
}
