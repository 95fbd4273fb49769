/**
 * A device that speaks ESPHome's native API, in plain text or encrypted, over any link: the world of the judge has it in memory, the tests
 * of the wire and the journey behind a real socket. Its encryption is esphome-client's in the part of the device; foreign clients judge it.
 */
import type { Clock } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { createESPHomeHandshake, type HandshakeState, MessageType } from "esphome-client";
import { commandIn, type FakeEntity, listing, stateAfter, telling } from "./fake-entity.fixture.ts";
import { type ApiMessage, NOISE, NoiseFrames, noiseFrame, PlaintextFrames, plaintextFrame } from "./wire/frames.ts";
import { type EntityState, empty } from "./wire/messages.ts";
import { bodyOf, field, protoFields, protoText } from "./wire/protobuf.ts";

export interface FakeOptions {
  readonly name?: string;
  readonly friendlyName?: string;
  /** `AABBCCDDEEFF`. */
  readonly mac?: string;
  /** 32 bytes in base64: it encrypts. */
  readonly key?: string;
  readonly model?: string;
  readonly project?: readonly [name: string, version: string];
  readonly hasDeepSleep?: boolean;
  readonly api?: readonly [major: number, minor: number];
}

const NO_BYTES = Buffer.alloc(0);

export class FakeEspHome {
  readonly name: string;
  readonly mac: string;
  readonly options: FakeOptions;
  entities: FakeEntity[];
  readonly connections = new Set<FakeConnection>();
  /** How often it was told to change something. */
  touched = 0;
  /** How often it was asked for all states. */
  asked = 0;
  isSilent = false;
  delayMs = 0;
  /** It answers a question for states with what was so when the question came, so late as it is slow. */
  samplesEarly = false;
  /** Names of the entities that were commanded, in order. */
  readonly commanded: string[] = [];
  /** It hears a command, and does not do it. */
  idles = false;
  mostConnections = 4;
  key: string | undefined;
  /** A password of older firmware. */
  password: string | undefined;
  readonly #clock: Clock;

  constructor(entities: readonly FakeEntity[], clock: Clock, options: FakeOptions = {}) {
    this.entities = entities.map((entity) => ({ ...entity }));
    this.#clock = clock;
    this.options = options;
    this.name = options.name ?? "kitchen";
    this.mac = options.mac ?? "AABBCC000001";
    this.key = options.key;
  }

  get edgeId(): string {
    return this.mac.match(/../g)?.join("-") ?? "";
  }

  entity(type: string, name: string): FakeEntity {
    const found = this.entities.find((each) => each.type === type && each.name === name);
    if (!found) throw new Error(`it has no ${type} ${name}`);
    return found;
  }

  /** Somebody connects. */
  accept(link: ByteLink): void {
    if (this.connections.size >= this.mostConnections) {
      link.close();
      return;
    }
    const connection = new FakeConnection(this, link);
    this.connections.add(connection);
  }

  /** Something changes at the device itself, and is told. */
  change(entity: FakeEntity, state: EntityState): void {
    if (entity.state) entity.state = { ...entity.state, ...state };
    this.tell(telling(entity, entity.state ?? state));
  }

  /** To all who want to hear of states. */
  tell(message: ApiMessage): void {
    for (const connection of this.connections) if (connection.isSubscribed) connection.send(message);
  }

  take(message: ApiMessage): void {
    const seen = commandIn(message, this.entities);
    if (!seen) return;
    this.touched += 1;
    this.commanded.push(seen.entity.name);
    this.later(() => {
      const after = this.idles ? undefined : stateAfter(seen);
      if (after) this.change(seen.entity, after);
    });
  }

  later(act: () => void): void {
    if (this.delayMs === 0) act();
    else this.#clock.timer("fake ESPHome", this.delayMs, act);
  }
}

/** One connection, as the device has it. */
class FakeConnection {
  readonly #device: FakeEspHome;
  readonly #link: ByteLink;
  readonly #noise: HandshakeState | undefined;
  #frames: NoiseFrames | PlaintextFrames | undefined;
  #step: "hello" | "proof" | "open" = "hello";
  isSubscribed = false;

  constructor(device: FakeEspHome, link: ByteLink) {
    this.#device = device;
    this.#link = link;
    if (device.key !== undefined)
      this.#noise = createESPHomeHandshake({ psk: Buffer.from(device.key, "base64"), role: "responder" });
    link.listen(
      (bytes) => this.#take(Buffer.from(bytes)),
      () => device.connections.delete(this),
    );
  }

  send(message: ApiMessage): void {
    if (!this.#device.isSilent) this.write(this.#noise ? this.#sealed(message) : plaintextFrame(message));
  }

  /** Bytes as they are. */
  write(bytes: Buffer): void {
    this.#link.write(bytes).catch(() => undefined);
  }

  close(): void {
    this.#device.connections.delete(this);
    this.#link.close();
  }

  /** Says why, and closes behind it. */
  #refuse(bytes: Buffer): void {
    this.write(bytes);
    queueMicrotask(() => this.close());
  }

  #take(bytes: Buffer): void {
    const speaksNoise = bytes[0] === NOISE;
    if (!this.#frames && speaksNoise !== (this.#noise !== undefined)) {
      const words = Buffer.from("\0Bad indicator byte");
      this.#refuse(this.#noise ? noiseFrame(Buffer.from([1]), words.subarray(1)) : words);
      return;
    }
    this.#frames ??= this.#noise ? new NoiseFrames() : new PlaintextFrames(() => undefined);
    if (this.#frames instanceof NoiseFrames) for (const frame of this.#frames.push(bytes)) this.#decrypt(frame);
    else for (const message of this.#frames.push(bytes)) this.#hear(message);
  }

  #decrypt(frame: Buffer): void {
    const noise = this.#noise;
    if (!noise) return;
    if (this.#step === "hello") {
      this.#step = "proof";
      const { name, mac } = this.#device;
      this.write(noiseFrame(Buffer.from(`\u0001${name}\0${mac.toLowerCase()}\0`)));
    } else if (this.#step === "proof") this.#prove(noise, frame.subarray(1));
    else {
      const plain = noise.receiveCipher?.DecryptWithAd(NO_BYTES, frame) ?? NO_BYTES;
      this.#hear({ type: plain.readUInt16BE(0), body: plain.subarray(4) });
    }
  }

  #prove(noise: HandshakeState, proof: Buffer): void {
    try {
      noise.readMessage(proof);
    } catch {
      this.#refuse(noiseFrame(Buffer.from("\u0001Handshake MAC failure")));
      return;
    }
    this.#step = "open";
    this.write(noiseFrame(Buffer.from([0]), noise.writeMessage()));
  }

  #sealed({ type, body }: ApiMessage): Buffer {
    const header = Buffer.alloc(4);
    header.writeUInt16BE(type, 0);
    header.writeUInt16BE(body.length, 2);
    return noiseFrame(this.#noise?.sendCipher?.EncryptWithAd(NO_BYTES, Buffer.concat([header, body])) ?? NO_BYTES);
  }

  #hear(message: ApiMessage): void {
    const device = this.#device;
    if (device.isSilent && message.type !== MessageType.DISCONNECT_REQUEST) {
      // It acts on what it has heard, and says nothing.
      device.take(message);
      return;
    }
    const { api = [1, 14] } = device.options;
    switch (message.type) {
      case MessageType.HELLO_REQUEST:
        this.#answer(MessageType.HELLO_RESPONSE, [
          field(1, "varint", api[0]),
          field(2, "varint", api[1]),
          field(3, "string", "fake (esphome v2026.10.0)"),
          field(4, "string", device.name),
        ]);
        break;
      case MessageType.CONNECT_REQUEST: {
        const given = protoFields(message.body);
        const isWrong = device.password !== undefined && given !== undefined && protoText(given, 1) !== device.password;
        this.#answer(MessageType.CONNECT_RESPONSE, isWrong ? [field(1, "bool", true)] : []);
        break;
      }
      case MessageType.DEVICE_INFO_REQUEST:
        this.#introduce();
        break;
      case MessageType.LIST_ENTITIES_REQUEST:
        for (const entity of device.entities) this.send(listing(entity, api[1] < 14));
        this.send(empty(MessageType.LIST_ENTITIES_DONE_RESPONSE));
        break;
      case MessageType.SUBSCRIBE_STATES_REQUEST:
        this.isSubscribed = true;
        device.asked += 1;
        this.#tellAll();
        break;
      case MessageType.PING_REQUEST:
        this.send(empty(MessageType.PING_RESPONSE));
        break;
      case MessageType.DISCONNECT_REQUEST:
        this.send(empty(MessageType.DISCONNECT_RESPONSE));
        this.close();
        break;
      default:
        device.take(message);
    }
  }

  #tellAll(): void {
    const device = this.#device;
    const sampled = device.entities.flatMap((entity) => (entity.state ? [telling(entity, entity.state)] : []));
    const tell = () => {
      for (const message of sampled) this.send(message);
    };
    if (device.samplesEarly) device.later(tell);
    else tell();
  }

  #introduce(): void {
    const { name, mac, options } = this.#device;
    const [project = "", version = ""] = options.project ?? [];
    this.#answer(MessageType.DEVICE_INFO_RESPONSE, [
      field(2, "string", name),
      field(3, "string", mac.match(/../g)?.join(":") ?? ""),
      field(4, "string", "2026.10.0"),
      field(6, "string", options.model ?? "esp32dev"),
      field(7, "bool", options.hasDeepSleep ?? false),
      field(8, "string", project),
      field(9, "string", version),
      field(12, "string", "Espressif"),
      field(13, "string", options.friendlyName ?? ""),
      field(19, "bool", this.#device.key !== undefined),
    ]);
  }

  #answer(type: number, fields: Parameters<typeof bodyOf>[0]): void {
    this.send({ type, body: bodyOf(fields) });
  }
}
