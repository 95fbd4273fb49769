/** Alerts: problems in an account's ecosystems, and which of them the account is notified of. */
import type {
  Alert,
  AlertSettings,
  AlertSettingsUpdate,
  AlertTestAnswer,
  AlertTestRequest,
} from "@porchlight/shared/api";
import { Collection, type PageOptions } from "../collection.ts";
import type { CallOptions, Transport } from "../transport.ts";
import type { LogOrder } from "./service.ts";

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
    const request = { method: "GET", path: SETTINGS, repeat: "read" } as const;
    return (await this.#transport.send<AlertSettings>(request, options)).body;
  }

  /** Changes the given fields. @throws PorchlightError */
  async updateSettings(body: AlertSettingsUpdate, options?: CallOptions): Promise<void> {
    await this.#transport.send({ method: "PUT", path: SETTINGS, body, repeat: "replace" }, options);
  }

  /** Sends a test email and an `alert.test`; returns the result of the email. @throws PorchlightError */
  async test(body: AlertTestRequest = {}, options?: CallOptions): Promise<AlertTestAnswer> {
    const request = { method: "POST", path: `${SETTINGS}/test`, body, repeat: "keyed" } as const;
    return (await this.#transport.send<AlertTestAnswer>(request, options)).body;
  }
}
