/**
 * One connection to a device, from its first byte to its last: encrypted or not; after the setup it receives states and sends commands.
 *
 * Invariants: with a key, nothing is sent in plain text; incoming data is bounded in size, number and rate, and drops are counted; a
 * device that is silent for 30 s is considered gone.
 */
import { Gate, type Patience } from "@porchlight/driver-kit";
import { type Clock, type Timer, TokenBucket } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { MessageType } from "esphome-client";
import { type ApiMessage, NoiseFrames, PlaintextFrames, plaintextFrame, WireProblem } from "./frames.ts";
import {
  type CommandOptions,
  commandMessage,
  type EntityRef,
  type EspHomeEntity,
  type EspHomeInfo,
  empty,
  type ReportedState,
  reportedStateOf,
  timeResponse,
} from "./messages.ts";
import { CLIENT_HELLO, NoiseClient, serverHello } from "./noise.ts";
import { schemaOfState } from "./protobuf.ts";
import { SettingUp } from "./setting-up.ts";

/** Counters of dropped input from devices. */
export interface WireCounters {
  tooLarge: number;
  /** Messages that are damaged, or without a meaning for the hub. */
  notUnderstood: number;
  /** States above the rate limit, after which all states are requested again; and requests of the device above theirs. */
  tooFast: number;
  tooManyEntities: number;
}

export interface ChannelDeps {
  readonly clock: Clock;
  readonly counters: WireCounters;
  /** The hub's name in the protocol. */
  readonly clientName: string;
  /** 32 bytes; undefined for an unencrypted connection. */
  readonly key?: Buffer | undefined;
}

/** Receives a device's states once it has listed its entities. */
export interface Hearer {
  readonly reported: (state: ReportedState) => void;
  /** States were dropped: the device should be asked again. */
  readonly missed: () => void;
}

/** Interval of the keepalive, ms. */
const LOOK_MS = 15_000;
/** Rate limit of states from one device; its first states arrive at once. */
const PACE = { perSecond: 50, burst: 700 };
/** Rate limit of requests from one device: each gets an answer, and a device that does not read its answers must not pile them up. */
const QUESTIONS = { perSecond: 5, burst: 20 };

export class EspHomeChannel {
  readonly #deps: ChannelDeps;
  readonly #link: ByteLink;
  readonly #noise: NoiseClient | undefined;
  readonly #frames: NoiseFrames | PlaintextFrames;
  readonly #pace: TokenBucket;
  readonly #questions: TokenBucket;
  readonly #ready = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<Error>();
  readonly #settingUp: SettingUp;
  readonly #pings: Gate[] = [];
  #phase: "noise hello" | "noise proof" | "setting up" | "running" | "closed";
  #hearer: Hearer | undefined;
  #hasHeard = false;
  #isSilent = false;
  #looks: Timer | undefined;

  private constructor(deps: ChannelDeps, link: ByteLink) {
    const { clientName, clock, key } = deps;
    this.#deps = deps;
    this.#link = link;
    this.#noise = key && new NoiseClient(key);
    this.#frames = this.#noise ? new NoiseFrames() : new PlaintextFrames(() => this.#count("tooLarge"));
    this.#phase = this.#noise ? "noise hello" : "setting up";
    this.#pace = new TokenBucket(PACE, clock.monotonic());
    this.#questions = new TokenBucket(QUESTIONS, clock.monotonic());
    const send = (message: ApiMessage) => this.#send(message);
    this.#settingUp = new SettingUp({ clientName, send, count: (what) => this.#count(what) });
    this.#ready.promise.catch(() => undefined);
  }

  /** Resolves when the device has listed its entities; closes the link when that fails. @throws WireProblem, the signal's reason */
  static async over(deps: ChannelDeps, link: ByteLink, signal: AbortSignal): Promise<EspHomeChannel> {
    const channel = new EspHomeChannel(deps, link);
    const stop = () => channel.#fail(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    try {
      link.listen(
        (bytes) => channel.#take(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
        (reason) => channel.#fail(channel.#endedBy(reason)),
      );
      if (channel.#noise) channel.#write(CLIENT_HELLO);
      else channel.#settingUp.begin();
      if (signal.aborted) stop();
      await channel.#ready.promise;
      return channel;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  /** @throws Error before the device has listed its entities */
  get info(): EspHomeInfo {
    const { info } = this.#settingUp;
    if (!info) throw new Error("the device has not introduced itself");
    return info;
  }

  get entities(): readonly EspHomeEntity[] {
    return this.#settingUp.entities;
  }

  /** Resolves with the reason why the connection ended. */
  get closed(): Promise<Error> {
    return this.#closed.promise;
  }

  get isClosed(): boolean {
    return this.#phase === "closed";
  }

  /** Sends states to the hearer from now on, and requests all of them. */
  hear(hearer: Hearer): void {
    this.#hearer = hearer;
    this.askStates();
  }

  /** Requests the states of all entities, and their changes from then on. */
  askStates(): void {
    this.#send(empty(MessageType.SUBSCRIBE_STATES_REQUEST));
  }

  command(entity: EntityRef, options: CommandOptions): void {
    this.#send(commandMessage(entity, options));
  }

  /** Whether the device has received everything sent before; it answers in order. */
  async hasTakenIn(patience: Patience): Promise<boolean> {
    if (this.isClosed) return false;
    const gate = new Gate(this.#deps.clock);
    this.#pings.push(gate);
    this.#send(empty(MessageType.PING_REQUEST));
    await gate.wait(patience);
    return gate.isOpen;
  }

  /** Safe to repeat. */
  close(): void {
    if (this.#phase === "running") this.#send(empty(MessageType.DISCONNECT_REQUEST));
    this.#fail(new WireProblem("closed", "The hub has closed the connection."));
  }

  #take(bytes: Buffer): void {
    if (this.isClosed) return;
    this.#hasHeard = true;
    this.#isSilent = false;
    try {
      if (this.#frames instanceof PlaintextFrames) for (const each of this.#frames.push(bytes)) this.#hear(each);
      else for (const frame of this.#frames.push(bytes)) this.#decrypt(frame);
    } catch (failure) {
      this.#fail(failure);
    }
  }

  /** @throws WireProblem */
  #decrypt(frame: Buffer): void {
    const noise = this.#noise;
    if (!noise || this.isClosed) return;
    if (this.#phase === "noise hello") {
      serverHello(frame);
      this.#phase = "noise proof";
      this.#write(noise.proof());
    } else if (this.#phase === "noise proof") {
      noise.finish(frame);
      this.#phase = "setting up";
      this.#settingUp.begin();
    } else this.#hear(noise.open(frame));
  }

  /** @throws WireProblem */
  #hear(message: ApiMessage): void {
    if (this.isClosed) return;
    switch (message.type) {
      case MessageType.PING_REQUEST:
        this.#answer(empty(MessageType.PING_RESPONSE));
        break;
      case MessageType.PING_RESPONSE:
        this.#pings.shift()?.open();
        break;
      case MessageType.GET_TIME_REQUEST:
        this.#answer(timeResponse(this.#deps.clock.now()));
        break;
      case MessageType.DISCONNECT_REQUEST:
        this.#send(empty(MessageType.DISCONNECT_RESPONSE));
        throw new WireProblem("closed", "The device has closed the connection.");
      default:
        if (this.#phase === "running") this.#heard(message);
        else if (this.#settingUp.hear(message)) this.#run();
    }
  }

  #answer(message: ApiMessage): void {
    if (this.#questions.take(this.#deps.clock.monotonic())) this.#send(message);
    else this.#count("tooFast");
  }

  #run(): void {
    this.#phase = "running";
    this.#look();
    this.#ready.resolve();
  }

  #heard(message: ApiMessage): void {
    const isState = schemaOfState(message.type) !== undefined;
    if (isState && !this.#pace.take(this.#deps.clock.monotonic())) {
      this.#count("tooFast");
      this.#hearer?.missed();
      return;
    }
    const reported = reportedStateOf(message);
    if (reported) this.#hearer?.reported(reported);
    else this.#count("notUnderstood");
  }

  /** Closes the connection after two silent intervals with an unanswered ping between them. */
  #look(): void {
    this.#looks = this.#deps.clock.timer("device that may have gone", LOOK_MS, () => {
      if (this.#isSilent) this.#fail(new WireProblem("closed", "The device no longer answers."));
      else {
        this.#isSilent = true;
        this.#pings.push(new Gate(this.#deps.clock));
        this.#send(empty(MessageType.PING_REQUEST));
        this.#look();
      }
    });
  }

  #endedBy(reason: string): WireProblem {
    if (!this.#hasHeard)
      return new WireProblem("refused_at_once", "It closes the connection before it sends anything.");
    return new WireProblem("closed", `The connection was closed (${reason}).`);
  }

  #send(message: ApiMessage): void {
    if (!this.isClosed) this.#write(this.#noise ? this.#noise.seal(message) : plaintextFrame(message));
  }

  #write(bytes: Buffer): void {
    // The link reports its failure itself.
    this.#link.write(bytes).catch(() => undefined);
  }

  #fail(failure: unknown): void {
    if (this.isClosed) return;
    this.#phase = "closed";
    this.#looks?.cancel();
    this.#link.close();
    this.#noise?.[Symbol.dispose]();
    for (const gate of this.#pings.splice(0)) gate.release();
    const reason = failure instanceof Error ? failure : new Error(String(failure));
    this.#ready.reject(reason);
    this.#closed.resolve(reason);
  }

  #count(what: keyof WireCounters): void {
    this.#deps.counters[what] += 1;
  }
}
