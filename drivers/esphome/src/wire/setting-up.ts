/**
 * The setup of a connection, in order: versions, for older firmware a login without a password, the device's information, its entities.
 */
import { MessageType } from "esphome-client";
import { type ApiMessage, WireProblem } from "./frames.ts";
import {
  API_MAJOR,
  deviceInfoOf,
  type EspHomeEntity,
  type EspHomeInfo,
  empty,
  entityOf,
  helloOf,
  helloRequest,
  isPasswordWrong,
} from "./messages.ts";
import { schemaListedBy } from "./protobuf.ts";

export interface SettingUpDeps {
  /** The hub's name in the protocol. */
  readonly clientName: string;
  readonly send: (message: ApiMessage) => void;
  readonly count: (what: "notUnderstood" | "tooManyEntities") => void;
}

const MOST_ENTITIES = 512;
/** Devices with an older minor version of the API expect a login without a password; not all of them answer it. */
const NO_PASSWORDS_SINCE = 12;

export class SettingUp {
  readonly #deps: SettingUpDeps;
  readonly #entities: EspHomeEntity[] = [];
  #isGreeted = false;
  #info: EspHomeInfo | undefined;
  #isListed = false;

  constructor(deps: SettingUpDeps) {
    this.#deps = deps;
  }

  get info(): EspHomeInfo | undefined {
    return this.#info;
  }

  get entities(): readonly EspHomeEntity[] {
    return this.#entities;
  }

  begin(): void {
    this.#deps.send(helloRequest(this.#deps.clientName));
  }

  /** Takes a message. @returns whether the setup is complete @throws WireProblem */
  hear(message: ApiMessage): boolean {
    if (this.#isGreeted) this.#listed(message);
    else if (message.type === MessageType.HELLO_RESPONSE) this.#greeted(message.body);
    else this.#deps.count("notUnderstood");
    return this.#info !== undefined && this.#isListed;
  }

  /** @throws WireProblem */
  #greeted(body: Buffer): void {
    const version = helloOf(body);
    if (version?.major !== API_MAJOR) {
      const stated = version ? `${version.major}.${version.minor}` : "none";
      throw new WireProblem("api_version", `It uses version ${stated} of the API, and the hub supports version 1.`);
    }
    this.#isGreeted = true;
    if (version.minor < NO_PASSWORDS_SINCE) this.#deps.send(empty(MessageType.CONNECT_REQUEST));
    this.#deps.send(empty(MessageType.DEVICE_INFO_REQUEST));
    this.#deps.send(empty(MessageType.LIST_ENTITIES_REQUEST));
  }

  /** @throws WireProblem */
  #letIn(body: Buffer): void {
    if (isPasswordWrong(body))
      throw new WireProblem("needs_password", "It requires a password, which the hub does not support.");
  }

  /** @throws WireProblem */
  #listed(message: ApiMessage): void {
    const { type, body } = message;
    if (type === MessageType.DEVICE_INFO_RESPONSE) this.#info = deviceInfoOf(body);
    else if (type === MessageType.LIST_ENTITIES_DONE_RESPONSE) this.#isListed = true;
    else if (type === MessageType.CONNECT_RESPONSE) this.#letIn(body);
    else if (schemaListedBy(type)) this.#addEntity(entityOf(message));
    else if (type !== MessageType.LIST_ENTITIES_SERVICES_RESPONSE) this.#deps.count("notUnderstood");
  }

  #addEntity(entity: EspHomeEntity | undefined): void {
    if (!entity) this.#deps.count("notUnderstood");
    else if (this.#entities.length === MOST_ENTITIES) this.#deps.count("tooManyEntities");
    else this.#entities.push(entity);
  }
}
