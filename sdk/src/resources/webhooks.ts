/** Webhooks: events delivered to your own server, and the result of each delivery. */
import type {
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
    return this.#post<CreatedWebhook>(AT, body, options);
  }

  /** @throws PorchlightError */
  async get(id: string, options?: CallOptions): Promise<Webhook> {
    const request = { method: "GET", path: path`/api/webhooks/${id}`, repeat: "read" } as const;
    return (await this.#transport.send<Webhook>(request, options)).body;
  }

  /** Changes the given fields. @throws PorchlightError */
  async update(id: string, body: WebhookUpdate, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: path`/api/webhooks/${id}`, body, repeat: "replace" }, options);
  }

  /** @throws PorchlightError */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: path`/api/webhooks/${id}`, repeat: "replace" }, options);
  }

  /**
   * Sends a `webhook.test`, even if the webhook does not subscribe to it; with `type`, a sample event of that type. @throws
   * PorchlightError
   */
  test(id: string, { type, ...options }: CallOptions & WebhookTest = {}): Promise<WebhookDelivery> {
    return this.#post<WebhookDelivery>(
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
    const at = path`/api/webhooks/${id}/deliveries/${deliveryId}`;
    return (await this.#transport.send<WebhookDeliveryDetails>({ method: "GET", path: at, repeat: "read" }, options))
      .body;
  }

  /** Sends an event again, with its original ID. @throws PorchlightError */
  redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#post<WebhookDelivery>(
      path`/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`,
      undefined,
      options,
    );
  }

  /** Sends the events of a time range again; returns their number. @throws PorchlightError */
  async replay(id: string, range: ReplayRequest, options?: CallOptions): Promise<number> {
    return (await this.#post<{ readonly count: number }>(path`/api/webhooks/${id}/replay`, range, options)).count;
  }

  async #post<T>(at: string, body: object | undefined, options?: CallOptions): Promise<T> {
    return (await this.#transport.send<T>({ method: "POST", path: at, body, repeat: "keyed" }, options)).body;
  }
}
