/**
 * A device of the protocol: introduction, channels, digest, notices, and the calls that its components take. Over any transport: the
 * world of the judge has it in memory, the tests of the connection behind a real server.
 */
import { createHash } from "node:crypto";
import type { Clock } from "@porchlight/shared/kernel";
import type { Captured } from "./captured.fixture.ts";

type Json = Record<string, unknown>;

/** A channel that a client has opened, as the device has it. */
export interface FakeChannel {
  /** The client's name, once it has asked something. */
  src?: string;
  say(text: string): void;
}

export class FakeShelly {
  readonly id: string;
  readonly mac: string;
  readonly info: Json;
  readonly config: Record<string, Json>;
  readonly status: Record<string, Json>;
  readonly channels = new Set<FakeChannel>();
  /** Every request, in order. */
  readonly asked: Json[] = [];
  /** How often it was told to change something. */
  touched = 0;
  isSilent = false;
  delayMs = 0;
  refuses = false;
  /** It answers a question with what was so when the question came. */
  samplesEarly = false;
  /** It answers, and does not do it. */
  idles = false;
  password: string | undefined;
  /** Firmware 2.0.0: what names no receiver is ignored. */
  wantsReceiver = true;
  readonly #clock: Clock;
  #nonce = 1_625_038_762;

  constructor(
    captured: Captured,
    clock: Clock,
    { mac = captured.info.mac, password }: { mac?: string; password?: string } = {},
  ) {
    const copy = structuredClone(captured);
    this.#clock = clock;
    this.mac = mac;
    this.id = `${copy.info.id.split("-")[0]}-${mac.toLowerCase()}`;
    this.password = password;
    this.info = { ...copy.info, id: this.id, mac, auth_en: password !== undefined };
    this.config = { ...copy.config };
    this.status = { ...copy.status };
  }

  get edgeId(): string {
    return (this.mac.match(/../g) ?? []).join("-");
  }

  /** Nonces that were given out are worth nothing any more. */
  expireNonce(): void {
    this.#nonce += 1;
  }

  take(channel: FakeChannel, text: string): void {
    const frame: Json = JSON.parse(text);
    this.asked.push(frame);
    if (this.isSilent && isSet(frame)) this.touched += 1;
    if (this.isSilent || (this.wantsReceiver && frame.dst !== this.id)) return;
    channel.src = String(frame.src);
    const problem = this.#unauthorized(frame);
    if (problem) this.#answer(channel, frame, { error: problem });
    else this.#carryOut(channel, frame);
  }

  /** Says it to all that have ever asked something. */
  notify(method: string, params: Json): void {
    if (this.isSilent) return;
    for (const channel of this.channels)
      if (channel.src !== undefined)
        channel.say(JSON.stringify({ src: this.id, dst: channel.src, method, params: { ts: 1, ...params } }));
  }

  /** It changes by its own doing. */
  change(component: string, members: Json): void {
    this.status[component] = { ...this.status[component], ...members };
    this.notify("NotifyStatus", { [component]: { id: 0, ...members } });
  }

  event(component: string, event: string): void {
    this.notify("NotifyEvent", { events: [{ component, id: 0, event, ts: 1 }] });
  }

  #carryOut(channel: FakeChannel, frame: Json): void {
    const method = String(frame.method);
    const params = asJson(frame.params);
    const reads: Record<string, () => unknown> = {
      "Shelly.GetDeviceInfo": () => this.info,
      "Shelly.GetConfig": () => this.config,
      "Shelly.GetStatus": () => this.status,
    };
    const read = reads[method];
    const [type = ""] = method.split(".");
    if (!read && !isSet(frame)) {
      this.#answer(channel, frame, { error: { code: 404, message: `No handler for ${method}` } });
      return;
    }
    if (!read) this.touched += 1;
    const sampled = read && this.samplesEarly ? structuredClone(read()) : undefined;
    const act = () => {
      if (read) {
        this.#answer(channel, frame, { result: sampled ?? structuredClone(read()) });
        return;
      }
      if (this.refuses) {
        this.#answer(channel, frame, { error: { code: -103, message: "Invalid argument" } });
        return;
      }
      this.#answer(channel, frame, { result: {} });
      if (!this.idles) this.#set(`${type.toLowerCase()}:${params.id}`, params);
    };
    if (this.delayMs === 0) act();
    else this.#clock.timer("a slow device acts", this.delayMs, act);
  }

  #set(component: string, { id: _, on, ...members }: Json): void {
    this.change(component, { ...(on !== undefined && { output: on }), ...members });
  }

  #answer(channel: FakeChannel, { id, src }: Json, what: Json): void {
    channel.say(JSON.stringify({ id, src: this.id, dst: src, ...what }));
  }

  /** The digest worked out by itself, as the documentation of the protocol has it. */
  #unauthorized({ method, auth }: Json): Json | undefined {
    if (this.password === undefined || method === "Shelly.GetDeviceInfo") return undefined;
    const given = asJson(auth);
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    const ha1 = hash(`admin:${this.id}:${this.password}`);
    const ha2 = hash("dummy_method:dummy_uri");
    const expected = hash(`${ha1}:${this.#nonce}:1:${given.cnonce}:auth:${ha2}`);
    const isRight = given.username === "admin" && given.nonce === this.#nonce && given.response === expected;
    if (isRight) return undefined;
    const challenge = { auth_type: "digest", nonce: this.#nonce, nc: 1, realm: this.id, algorithm: "SHA-256" };
    return { code: 401, message: JSON.stringify(challenge) };
  }
}

function isSet({ method }: Json): boolean {
  return String(method).endsWith(".Set");
}

function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
