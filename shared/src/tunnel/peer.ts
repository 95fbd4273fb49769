/**
 * One end of a tunnel's conversation, the same on hub and cloud: sends requests with a deadline, answers, notifies, and never lets a
 * slow other end exhaust the memory. It does not know the meaning of the methods.
 *
 * Invariants: one reader and one writer per socket; messages leave in the order in which they were sent; once the tunnel is down, every
 * request fails at once and states whether any byte of it was handed to the socket.
 */
import { BoundedMap, BoundedOutbox, type Clock, Waiters } from "../kernel/index.ts";
import { CLOSE_CODES, type CloseReason, closeReason } from "./close-reasons.ts";
import type { MessageSocket, SocketEvents } from "./memory-socket.ts";
import {
  errorText,
  notificationText,
  parseMessage,
  RPC_ERRORS,
  type RpcError,
  requestText,
  resultText,
} from "./rpc.ts";
import { MAX_MESSAGE_BYTES } from "./version.ts";

/** Bytes handed to the socket and not yet sent, above which further messages wait in the outbox. */
const SOCKET_WINDOW = 128 * 1024;

/** The other end answered with a JSON-RPC error. */
export class PeerRefused extends Error {
  readonly error: RpcError;
  constructor(error: RpcError) {
    super(`the other end of the tunnel answered: ${error.message}`);
    this.error = error;
  }
}

/** The tunnel is down, or did not accept the message. */
export class PeerGone extends Error {
  /** Whether a byte of the request may have left. */
  readonly sent: boolean;
  constructor(sent: boolean) {
    super(sent ? "the tunnel went down after the request had been sent" : "the tunnel did not take the request");
    this.sent = sent;
  }
}

/** No answer in time. */
export class PeerTimeout extends Error {
  readonly sent: boolean;
  constructor(sent: boolean) {
    super("no answer through the tunnel in time");
    this.sent = sent;
  }
}

/**
 * - `unknown_method`: a request or notification that this end does not know
 * - `late_answer`: an answer that no caller waits for any more
 * - `failed_request`: this end failed to produce an answer; the error states why
 * - `unsent_answer`: an answer for which the full outbox had no room
 */
export type PeerDrop = "unknown_method" | "late_answer" | "failed_request" | "unsent_answer";

export interface PeerEvents {
  /**
   * Answers a request: the promise's value is the result. Throw `PeerRefused` for a JSON-RPC error. `id` identifies the request in a
   * cancel.
   */
  request(method: string, params: unknown, id: number): Promise<unknown> | undefined;
  /** Handles a notification; false when the method is unknown. */
  notification(method: string, params: unknown): boolean;
  /** Called once, at the end, whichever side ended the tunnel. */
  down(reason: CloseReason | "lost"): void;
  /** Called for every message before any check of it; also after the end, until the socket is closed. */
  heard?(text: string): void;
  /** Reports a dropped or rejected message by its name: counted, never fatal. */
  dropped?(what: PeerDrop, error?: unknown): void;
}

export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with the request's id as soon as it is assigned. */
  readonly onId?: (id: number) => void;
  /** Called with an answer that arrives, on the same tunnel, after the request failed with PeerTimeout. */
  readonly onLate?: ((result: unknown) => void) | undefined;
}

interface Outgoing {
  readonly text: string;
  readonly id?: number;
}

/** A service has one Peer for every hub, and most are idle: parts that few of them need are created on demand. */
export class Peer implements SocketEvents {
  readonly #socket: MessageSocket;
  readonly #clock: Clock;
  #events: PeerEvents;
  readonly #outboxBytes: number;
  #outbox: BoundedOutbox<Outgoing> | undefined;
  #asks: Asks | undefined;
  #inSocket = 0;
  #down = false;

  constructor(socket: MessageSocket, clock: Clock, events: PeerEvents, outboxBytes = 4 * 1024 * 1024) {
    this.#socket = socket;
    this.#clock = clock;
    this.#events = events;
    this.#outboxBytes = outboxBytes;
    socket.listen(this);
  }

  /** For the socket only. */
  message(text: string): void {
    this.#events.heard?.(text);
    this.#receive(text);
  }

  /** For the socket only. */
  closed(code: number): void {
    this.#end(closeReason(code));
  }

  /** Sends all further events of this tunnel to another receiver. */
  handOver(events: PeerEvents): void {
    this.#events = events;
  }

  get isDown(): boolean {
    return this.#down;
  }

  /** Number of bytes that wait for the other end. */
  get waitingBytes(): number {
    return (this.#outbox?.bytes ?? 0) + this.#inSocket;
  }

  /**
   * Sends a request and waits for the answer.
   * @param params plain, or as `JsonText`
   * @throws PeerGone when the tunnel is or goes down or its outbox is full, PeerTimeout, PeerRefused, or the signal's reason
   */
  ask(method: string, params: unknown, options: AskOptions): Promise<unknown> {
    if (this.#down) return Promise.reject(new PeerGone(false));
    this.#asks ??= new Asks(this.#clock);
    const { waiters } = this.#asks;
    const id = this.#asks.nextId();
    const outgoing = { text: requestText(id, method, params), id };
    options.onId?.(id);
    const answer = waiters.wait(id, {
      timeoutMs: options.timeoutMs,
      onTimeout: () => this.#timedOut(id, options.onLate),
      signal: options.signal,
    });
    if (!this.#send(outgoing)) waiters.fail(id, new PeerGone(false));
    return answer;
  }

  /** Sends a notification; false when the tunnel is down or its outbox is full. */
  notify(method: string, params: unknown): boolean {
    return !this.#down && this.#send({ text: notificationText(method, params) });
  }

  /** Closes the tunnel with that reason, on both ends. */
  close(reason: CloseReason): void {
    if (this.#down) return;
    this.#socket.close(CLOSE_CODES[reason], reason);
    this.#end(reason);
  }

  #receive(text: string): void {
    if (this.#down) return;
    const message = text.length > MAX_MESSAGE_BYTES ? malformed : parseMessage(text);
    switch (message.kind) {
      case "request":
        this.#answer(message.id, message.method, message.params);
        return;
      case "notification":
        if (!this.#events.notification(message.method, message.params)) this.#events.dropped?.("unknown_method");
        return;
      case "result":
        if (!this.#asks?.waiters.settle(message.id, message.result)) this.#answeredLate(message.id, message.result);
        return;
      case "error":
        if (!this.#asks?.waiters.fail(message.id, new PeerRefused(message.error)))
          this.#events.dropped?.("late_answer");
        return;
      case "malformed":
        this.close("malformed");
        return;
    }
  }

  #timedOut(id: number, onLate: AskOptions["onLate"]): PeerTimeout {
    const sent = this.#asks?.wasSent(id) ?? false;
    if (sent && onLate) this.#asks?.awaitLate(id, onLate);
    return new PeerTimeout(sent);
  }

  #answeredLate(id: number, result: unknown): void {
    const onLate = this.#asks?.takeLate(id);
    if (onLate) onLate(result);
    else this.#events.dropped?.("late_answer");
  }

  #answer(id: number, method: string, params: unknown): void {
    let work: Promise<unknown> | undefined;
    try {
      work = this.#events.request(method, params, id);
    } catch (error) {
      this.#answerFailed(id, error);
      return;
    }
    if (!work) {
      this.#events.dropped?.("unknown_method");
      this.#reply(errorText(id, RPC_ERRORS.unknownMethod));
      return;
    }
    work.then(
      (result) => this.#reply(resultText(id, result)),
      (error) => this.#answerFailed(id, error),
    );
  }

  #answerFailed(id: number, error: unknown): void {
    if (!(error instanceof PeerRefused)) this.#events.dropped?.("failed_request", error);
    this.#reply(errorText(id, error instanceof PeerRefused ? error.error : RPC_ERRORS.internal));
  }

  #reply(text: string): void {
    if (!this.#send({ text }) && !this.#down) this.#events.dropped?.("unsent_answer");
  }

  #send(outgoing: Outgoing): boolean {
    if (this.#down) return false;
    if (this.#inSocket < SOCKET_WINDOW && !this.#outbox?.length) {
      this.#write(outgoing);
      return true;
    }
    this.#outbox ??= new BoundedOutbox(this.#outboxBytes);
    return this.#outbox.push(outgoing, outgoing.text.length);
  }

  #write(outgoing: Outgoing): void {
    const { text, id } = outgoing;
    // Its caller has stopped waiting, or has got the error that it was not sent: it must not leave any more.
    if (id !== undefined && !this.#asks?.sends(id)) return;
    this.#inSocket += text.length;
    this.#socket.send(text, () => {
      this.#inSocket -= text.length;
      this.#drain();
    });
  }

  #drain(): void {
    while (!this.#down && this.#inSocket < SOCKET_WINDOW) {
      const next = this.#outbox?.shift();
      if (!next) return;
      this.#write(next);
    }
  }

  #end(reason: CloseReason | "lost"): void {
    if (this.#down) return;
    this.#down = true;
    this.#outbox?.clear();
    const asks = this.#asks;
    asks?.waiters.failAll((id) => new PeerGone(asks.wasSent(id)));
    asks?.forgetLate();
    this.#events.down(reason);
  }
}

const malformed = { kind: "malformed", why: "too long" } as const;

type OnLate = (result: unknown) => void;

/** Number of timed-out requests whose late answers are awaited; beyond it the oldest is forgotten. */
const MOST_LATE = 10_000;

class Asks {
  readonly waiters: Waiters<number, unknown>;
  /** Timed-out requests with the callbacks for their late answers. */
  #late: BoundedMap<number, OnLate> | undefined;
  #lastId = 0;
  /** Requests are handed to the socket in the order of their ids. */
  #lastSent = 0;

  constructor(clock: Clock) {
    this.waiters = new Waiters(clock, "tunnel answer");
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Records that the request is about to be sent; false, and it must not be sent, when no caller waits for its answer any more. */
  sends(id: number): boolean {
    this.#lastSent = id;
    return this.waiters.has(id);
  }

  wasSent(id: number): boolean {
    return id <= this.#lastSent;
  }

  awaitLate(id: number, onLate: OnLate): void {
    this.#late ??= new BoundedMap(MOST_LATE);
    this.#late.set(id, onLate);
  }

  /** Removes and returns the callback for a late answer. */
  takeLate(id: number): OnLate | undefined {
    const onLate = this.#late?.get(id);
    this.#late?.delete(id);
    return onLate;
  }

  forgetLate(): void {
    this.#late?.clear();
  }
}
