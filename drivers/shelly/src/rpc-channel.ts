/**
 * One channel to a device: requests with their answers, notices, and a check that the device is still alive.
 *
 * Invariants: each request ends by its deadline, with its answer, or with the channel; the size of incoming frames and the number of open
 * requests are bounded; a password is sent only in answer to a challenge.
 */
import { createHash } from "node:crypto";
import { Gate, type Patience, parseRawJson } from "@porchlight/driver-kit";
import type { TextSocket, TextSocketEvents } from "@porchlight/driver-kit/links";
import { type Clock, every, type Random, randomInteger, type Timer } from "@porchlight/shared/kernel";
import type { Secret } from "@porchlight/shared/settings";
import { z } from "zod";

export interface RpcChannelDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** The hub's name in the protocol. */
  readonly src: string;
  /** The device's ID, or a placeholder until it is known. */
  readonly dst: () => string;
  readonly password?: Secret | undefined;
  readonly counters: FrameCounters;
  readonly heard: (notice: Notice) => void;
  /** Called once when the channel is lost, but not after `close`. */
  readonly closed: (why: Error) => void;
}

/** Counters of dropped frames. */
export interface FrameCounters {
  tooLarge: number;
  notJson: number;
  notUnderstood: number;
  /** Answers without an open request; most of them arrive too late. */
  unasked: number;
}

interface CallOptions {
  /** Wraps the sending; it can throw instead of sending. */
  readonly touch?: (<T>(send: () => T) => T) | undefined;
  /** Called with the result before any later frame is handled. */
  readonly answered?: ((result: unknown) => void) | undefined;
}

/** Interval of the keepalive, ms; a device that is silent for two intervals is considered gone. */
const ALIVE_MS = 15_000;
const MOST_OPEN = 32;
const UNAUTHORIZED = 401;

interface Question {
  readonly gate: Gate;
  readonly take: (answer: Answer) => void;
}

export class RpcChannel {
  readonly #deps: RpcChannelDeps;
  readonly #socket: TextSocket;
  readonly #open = new Map<number, Question>();
  readonly #alive: Timer;
  #isPinged = false;
  #isClosed = false;
  #lastId = 0;
  #auth: object | undefined;

  private constructor(deps: RpcChannelDeps, socket: TextSocket) {
    this.#deps = deps;
    this.#socket = socket;
    this.#alive = every(deps.clock, "device that must show that it lives", ALIVE_MS, () => this.#watch());
  }

  /** @param open returns the socket, which calls `events` from then on. @throws what `open` throws */
  static async over(
    deps: RpcChannelDeps,
    open: (events: TextSocketEvents) => Promise<TextSocket>,
  ): Promise<RpcChannel> {
    let channel: RpcChannel | undefined;
    let lost: string | undefined;
    const early: string[] = [];
    const socket = await open({
      text: (text) => (channel ? channel.#take(text) : void early.push(text)),
      pong: () => {
        if (channel) channel.#lives();
      },
      closed: (why) => {
        lost = why;
        if (channel) channel.#lose(new Error(why));
      },
    });
    channel = new RpcChannel(deps, socket);
    for (const text of early) channel.#take(text);
    if (lost !== undefined) channel.#lose(new Error(lost));
    return channel;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Sends a request and returns its result.
   * @throws RpcRefused, WrongPassword, Unanswered; what `touch` throws
   */
  async call(
    method: string,
    params: Request["params"],
    patience: Patience,
    options: CallOptions = {},
  ): Promise<unknown> {
    let auth = this.#auth;
    for (let isSecond = false; ; isSecond = true) {
      const { error, result } = await this.#ask({ method, params, auth }, patience, options);
      if (!error) return result;
      if (error.code !== UNAUTHORIZED) throw new RpcRefused(error.code, error.message);
      const challenge = challengeOf(error.message);
      const { password, random } = this.#deps;
      if (isSecond || !challenge || !password) {
        const wrong = new WrongPassword(password !== undefined);
        this.#lose(wrong);
        throw wrong;
      }
      auth = authOf(challenge, password.reveal(), randomInteger(random, 2 ** 31));
      this.#auth = auth;
    }
  }

  /** Open requests end without an answer. Safe to repeat. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#alive.cancel();
    this.#socket.close();
    for (const { gate } of this.#open.values()) gate.release();
  }

  async #ask(
    asked: Pick<Request, "method" | "params" | "auth">,
    patience: Patience,
    options: CallOptions,
  ): Promise<Answer> {
    const { clock, src, dst } = this.#deps;
    if (this.#isClosed) throw new Unanswered("The connection to the device was lost.");
    if (this.#open.size >= MOST_OPEN) throw new Unanswered("Too many requests to the device are open.");
    this.#lastId += 1;
    const id = this.#lastId;
    const gate = new Gate(clock);
    let given: Answer | undefined;
    const take = (answer: Answer) => {
      given = answer;
      if (!answer.error) options.answered?.(answer.result);
      gate.open();
    };
    this.#open.set(id, { gate, take });
    try {
      const request: Request = { id, src, dst: dst(), ...asked };
      const send = () => this.#socket.send(JSON.stringify(request));
      if (options.touch) options.touch(send);
      else send();
      await gate.wait(patience);
    } finally {
      this.#open.delete(id);
    }
    if (given) return given;
    throw new Unanswered(
      this.#isClosed ? "The connection to the device was lost." : "The device has not answered in time.",
    );
  }

  #take(text: string): void {
    if (this.#isClosed) return;
    this.#lives();
    const { counters, heard } = this.#deps;
    const frame = frameOf(text);
    switch (frame.kind) {
      case "notice":
        heard(frame.notice);
        return;
      case "answer": {
        const question = this.#open.get(frame.answer.id);
        if (question) question.take(frame.answer);
        else counters.unasked += 1;
        return;
      }
      default:
        counters[frame.kind] += 1;
    }
  }

  #lives(): void {
    this.#isPinged = false;
  }

  #watch(): void {
    if (this.#isPinged) {
      this.#lose(new Error("the device does not answer any more"));
      return;
    }
    this.#isPinged = true;
    this.#socket.ping();
  }

  #lose(why: Error): void {
    if (this.#isClosed) return;
    this.close();
    this.#deps.closed(why);
  }
}

/** The device rejected the request and did nothing. */
export class RpcRefused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(`The device refused: ${message}`);
    this.code = code;
  }
}

export class WrongPassword extends RpcRefused {
  /** Whether the hub has sent a password at all. */
  readonly wasGiven: boolean;

  constructor(wasGiven: boolean) {
    super(UNAUTHORIZED, wasGiven ? "the password is wrong." : "it needs its password.");
    this.wasGiven = wasGiven;
  }
}

/** No answer arrived; the device may or may not have acted. */
export class Unanswered extends Error {}

/** Digest authentication (RFC 7616, SHA-256) inside frames: the device's challenge and the response to it. */
const challenge = z.object({
  realm: z.string().max(128),
  nonce: z.union([z.number(), z.string().max(128)]),
  nc: z.number().default(1),
  algorithm: z.literal("SHA-256").default("SHA-256"),
});
type Challenge = z.output<typeof challenge>;

/** The only user name of a device. */
const USER = "admin";
/** Replaces the method and URI of HTTP, which frames do not have. */
const REQUEST = "dummy_method:dummy_uri";

/** @param message of the error 401. @returns undefined when it is not a challenge */
export function challengeOf(message: string): Challenge | undefined {
  try {
    return challenge.safeParse(JSON.parse(message)).data;
  } catch {
    return undefined;
  }
}

/** Member `auth` of the frames that follow. @param cnonce an unpredictable number */
export function authOf({ realm, nonce, nc, algorithm }: Challenge, password: string, cnonce: number) {
  const secret = sha256(`${USER}:${realm}:${password}`);
  const response = sha256([secret, nonce, nc, cnonce, "auth", sha256(REQUEST)].join(":"));
  return { realm, username: USER, nonce, cnonce, response, algorithm };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Largest accepted frame, characters; a device with every feature sends about 30 KiB at once. */
export const LARGEST_FRAME = 256 * 1024;

const MOST_EVENTS = 100;

const answer = z.object({
  id: z.int(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string().max(4096) }).optional(),
});
const event = z.object({ component: z.string().max(64), event: z.string().max(64) });
const json = z.record(z.string().max(64), z.unknown());
const notice = z.discriminatedUnion("method", [
  z.object({ method: z.literal("NotifyStatus"), src: z.string().max(128), params: json }),
  z.object({ method: z.literal("NotifyFullStatus"), src: z.string().max(128), params: json }),
  z.object({
    method: z.literal("NotifyEvent"),
    src: z.string().max(128),
    params: z.object({ events: z.array(event).max(MOST_EVENTS) }),
  }),
]);

type Answer = z.output<typeof answer>;
export type Notice = z.output<typeof notice>;
export type ShellyEvent = z.output<typeof event>;

type Frame =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "notice"; readonly notice: Notice }
  | { readonly kind: "tooLarge" | "notJson" | "notUnderstood" };

export function frameOf(text: string): Frame {
  if (text.length > LARGEST_FRAME) return { kind: "tooLarge" };
  let parsed: unknown;
  try {
    parsed = parseRawJson(text);
  } catch {
    return { kind: "notJson" };
  }
  const reported = notice.safeParse(parsed);
  if (reported.success) return { kind: "notice", notice: reported.data };
  const answered = answer.safeParse(parsed);
  return answered.success ? { kind: "answer", answer: answered.data } : { kind: "notUnderstood" };
}

interface Request {
  readonly id: number;
  /** A device sends notices only to a peer with a name. */
  readonly src: string;
  /** Firmware 2.0.0 ignores frames without a receiver. */
  readonly dst: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly auth?: object | undefined;
}
