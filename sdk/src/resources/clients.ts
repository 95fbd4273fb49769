/** Clients, the agents on home hubs: who they are, and what a person does with the drivers of a hub. */
import type { Client, HubDriver, HubDriverList, HubSetup, NewClient } from "@porchlight/shared/api";
import { type CallOptions, path, type Transport } from "../transport/transport.ts";
import type { Sent } from "./objects.ts";
import type { InEnvironment } from "./places.ts";
import { Subjects } from "./subjects.ts";

export interface SetupOptions extends CallOptions {
  /** The `version` that was seen: the answer waits for a newer one. */
  readonly after?: number | undefined;
  /** How long it waits for that, seconds (10). */
  readonly wait?: number | undefined;
}

export class Clients extends Subjects<Client, Sent<NewClient>, InEnvironment, Record<never, never>> {
  constructor(transport: Transport) {
    super(transport, "/api/clients");
  }

  /** Asks the hub for its drivers, the devices that they see, and what can be set up. @throws PorchlightError */
  async drivers(reference: string, options: CallOptions = {}): Promise<readonly HubDriver[]> {
    const request = { method: "GET", path: `${this.at(reference)}/drivers`, repeat: "read" } as const;
    return (await this.transport.send<HubDriverList>(request, options)).body.items;
  }

  /** From now on the hub may have the device. @throws PorchlightError */
  async admit(reference: string, edgeId: string, options: CallOptions = {}): Promise<void> {
    const at = `${this.at(reference)}${path`/admissions/${edgeId}`}`;
    await this.transport.send({ method: "PUT", path: at, repeat: "replace" }, options);
  }

  /** Takes that back; what the hub's settings admit stays admitted. @throws PorchlightError */
  async withdrawAdmission(reference: string, edgeId: string, options: CallOptions = {}): Promise<void> {
    const at = `${this.at(reference)}${path`/admissions/${edgeId}`}`;
    await this.transport.send({ method: "DELETE", path: at, repeat: "replace" }, options);
  }

  /** @param kind one of the `setups` of the hub's drivers @throws PorchlightError */
  async startSetup(reference: string, kind: string, options: CallOptions = {}): Promise<HubSetup> {
    const request = { method: "POST", path: `${this.at(reference)}/setups`, body: { kind }, repeat: "keyed" } as const;
    return (await this.transport.send<HubSetup>(request, options)).body;
  }

  /** @throws PorchlightError */
  async setup(reference: string, setupId: string, options: SetupOptions = {}): Promise<HubSetup> {
    const { after, wait } = options;
    const at = `${this.at(reference)}${path`/setups/${setupId}`}`;
    const headers = { prefer: wait === undefined ? undefined : `wait=${wait}` };
    const request = { method: "GET", path: at, query: { after }, headers, repeat: "read" } as const;
    return (await this.transport.send<HubSetup>(request, options)).body;
  }

  /** Answers the question of that number; the same answer twice counts once. @throws PorchlightError */
  async answerSetup(
    reference: string,
    setupId: string,
    number: number,
    answer: string,
    options: CallOptions = {},
  ): Promise<HubSetup> {
    const at = `${this.at(reference)}${path`/setups/${setupId}/answers/${String(number)}`}`;
    const request = { method: "PUT", path: at, body: { answer }, repeat: "replace" } as const;
    return (await this.transport.send<HubSetup>(request, options)).body;
  }

  /** Ends it; one that has ended stays as it is. @throws PorchlightError */
  async cancelSetup(reference: string, setupId: string, options: CallOptions = {}): Promise<HubSetup> {
    const at = `${this.at(reference)}${path`/setups/${setupId}`}`;
    return (await this.transport.send<HubSetup>({ method: "DELETE", path: at, repeat: "replace" }, options)).body;
  }
}
