/** Webhooks: events sent to a server of one's own, and what became of each that was. */
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
import { Collection, type PageOptions } from "../transport/collection.ts";
import { type CallOptions, path, type Transport } from "../transport/transport.ts";
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

  /** A secret that the service makes is told in this answer only. @throws PorchlightError */
  create(body: NewWebhook, options?: CallOptions): Promise<CreatedWebhook> {
    return this.#post<CreatedWebhook>(AT, body, options);
  }

  /** @throws PorchlightError */
  async get(id: string, options?: CallOptions): Promise<Webhook> {
    const request = { method: "GET", path: path`/api/webhooks/${id}`, repeat: "read" } as const;
    return (await this.#transport.send<Webhook>(request, options)).body;
  }

  /** Changes the fields that are there. @throws PorchlightError */
  async update(id: string, body: WebhookUpdate, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: path`/api/webhooks/${id}`, body, repeat: "replace" }, options);
  }

  /** @throws PorchlightError */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: path`/api/webhooks/${id}`, repeat: "replace" }, options);
  }

  /** Sends a `webhook.test`, also when the webhook does not want it; with `type` an example of that type. @throws PorchlightError */
  test(id: string, { type, ...options }: CallOptions & WebhookTest = {}): Promise<WebhookDelivery> {
    return this.#post<WebhookDelivery>(
      path`/api/webhooks/${id}/test`,
      type === undefined ? undefined : { type },
      options,
    );
  }

  /** What was sent, 30 days. */
  deliveries(id: string, options: PageOptions & LogOrder = {}): Collection<WebhookDelivery> {
    const { order } = options;
    return new Collection<WebhookDelivery>(this.#transport, path`/api/webhooks/${id}/deliveries`, { order }, options);
  }

  /** With its request and response. @throws PorchlightError */
  async delivery(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDeliveryDetails> {
    const at = path`/api/webhooks/${id}/deliveries/${deliveryId}`;
    return (await this.#transport.send<WebhookDeliveryDetails>({ method: "GET", path: at, repeat: "read" }, options))
      .body;
  }

  /** Sends an event again, under its own ID. @throws PorchlightError */
  redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#post<WebhookDelivery>(
      path`/api/webhooks/${id}/deliveries/${deliveryId}/redeliver`,
      undefined,
      options,
    );
  }

  /** Sends the events of a time again; gives how many they are. @throws PorchlightError */
  async replay(id: string, range: ReplayRequest, options?: CallOptions): Promise<number> {
    return (await this.#post<{ readonly count: number }>(path`/api/webhooks/${id}/replay`, range, options)).count;
  }

  async #post<T>(at: string, body: object | undefined, options?: CallOptions): Promise<T> {
    return (await this.#transport.send<T>({ method: "POST", path: at, body, repeat: "keyed" }, options)).body;
  }
}
