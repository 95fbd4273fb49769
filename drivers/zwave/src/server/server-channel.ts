/**
 * One connection to the server: commands with their answers, events, and a check that the server still answers.
 *
 * Invariants: each command ends by its deadline, with its answer, or with the connection; events and answers are handled in the order in
 * which they were sent; the size of incoming messages and the number of open commands are bounded.
 */
import { Gate, LoopTurns, type Patience, type Work } from "@porchlight/driver-kit";
import type { TextSocket } from "@porchlight/driver-kit/links";
import { type Clock, every, type Timer } from "@porchlight/shared/kernel";
import { type Greeting, type ResultMessage, type ServerEvent, serverMessage } from "./messages.ts";
import { NoZwaveServer, type OpenServer } from "./ws-socket.ts";

/** Counters of dropped messages. */
export interface MessageCounters {
  notJson: number;
  notUnderstood: number;
  /** Answers without an open command; most of them arrive too late. */
  unasked: number;
}

export interface ServerChannelDeps {
  readonly clock: Clock;
  readonly counters: MessageCounters;
  readonly heard: (event: ServerEvent) => Work;
  /** Called once when the connection is lost, but not after `close`. */
  readonly closed: (why: Error) => void;
}

/** Interval of pings, ms; a server that is silent for two intervals is considered gone. */
const ALIVE_MS = 15_000;
const MOST_OPEN = 1000;
/** Maximum characters of messages that wait for earlier ones: the size of the largest message. */
const MOST_WAITING = 32 * 1024 * 1024;
/** Steps of work for a message beside parsing: finding what it changes, and reporting that. */
const STEPS_OF_MESSAGE = 10;
/** Timeout of the greeting, ms. */
const GREETING_MS = 10_000;

interface OpenCommand {
  readonly gate: Gate;
  answer: ResultMessage | undefined;
  /** Called with a good result before any later message is handled. */
  readonly answered: ((result: unknown) => Work) | undefined;
}

export interface ServerCommandOptions {
  /** Wraps the sending; it can throw instead of sending. */
  readonly touch?: (<T>(send: () => T) => T) | undefined;
  readonly answered?: ((result: unknown) => Work) | undefined;
}

export class ServerChannel {
  readonly #deps: ServerChannelDeps;
  readonly #open = new Map<string, OpenCommand>();
  readonly #greeted: Gate;
  readonly #turns = new LoopTurns();
  #waitingLength = 0;
  #alive: Timer | undefined;
  #socket: TextSocket | undefined;
  #greeting: Greeting | undefined;
  #isPinged = false;
  #lost: Error | undefined;
  #isClosed = false;
  #lastId = 0;

  private constructor(deps: ServerChannelDeps) {
    this.#deps = deps;
    this.#greeted = new Gate(deps.clock);
  }

  /** Resolves when the server has greeted. @throws NoZwaveServer, what `open` throws */
  static async over(deps: ServerChannelDeps, open: OpenServer, signal: AbortSignal): Promise<ServerChannel> {
    const channel = new ServerChannel(deps);
    const events = {
      text: (text: string) => channel.#receive(text),
      pong: () => channel.#lives(),
      closed: (why: string) => channel.#lose(new Error(why)),
    };
    channel.#socket = await open(events, signal);
    // The connection can be lost before there is a socket to close.
    if (channel.#isClosed) channel.#socket.close();
    await channel.#greeted.wait({ deadline: deps.clock.monotonic() + GREETING_MS, signal });
    const failure =
      channel.#lost ?? (channel.#greeting ? undefined : new NoZwaveServer("it does not greet as zwave-js-server does"));
    if (failure || signal.aborted) {
      channel.close();
      throw signal.aborted ? signal.reason : failure;
    }
    channel.#alive = every(deps.clock, "server that must show that it answers", ALIVE_MS, () => channel.#watch());
    return channel;
  }

  /** The server's versions and limits. */
  get greeting(): Greeting {
    if (!this.#greeting) throw new Error("The server has not greeted.");
    return this.#greeting;
  }

  /**
   * Sends a command and returns the server's result.
   * @throws CommandRefused, CommandNotDone, NoAnswer; what `touch` throws
   */
  async ask(command: string, args: object, patience: Patience, options: ServerCommandOptions = {}): Promise<unknown> {
    if (this.#isClosed) throw new NoAnswer("The connection to the Z-Wave server is gone.");
    if (this.#open.size >= MOST_OPEN) throw new NoAnswer("Too much is asked of the Z-Wave server at once.");
    this.#lastId += 1;
    const messageId = String(this.#lastId);
    const open: OpenCommand = { gate: new Gate(this.#deps.clock), answer: undefined, answered: options.answered };
    this.#open.set(messageId, open);
    try {
      const send = () => this.#socket?.send(JSON.stringify({ messageId, command, ...args }));
      if (options.touch) options.touch(send);
      else send();
      await open.gate.wait(patience);
    } finally {
      this.#open.delete(messageId);
    }
    if (open.answer) return resultOf(open.answer);
    throw new NoAnswer(
      this.#isClosed ? "The connection to the Z-Wave server is gone." : "The Z-Wave server has not answered in time.",
    );
  }

  /** Open commands end without an answer. Safe to repeat. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#turns.clear();
    this.#alive?.cancel();
    this.#socket?.close();
    this.#greeted.release();
    for (const { gate } of this.#open.values()) gate.release();
  }

  #receive(text: string): void {
    if (this.#isClosed) return;
    this.#lives();
    if (this.#waitingLength > MOST_WAITING) {
      this.#lose(new Error("the server sends more than the hub can read"));
      return;
    }
    this.#waitingLength += text.length;
    this.#turns.run(this.#take(text));
  }

  *#take(text: string): Work {
    this.#waitingLength -= text.length;
    const { counters, heard } = this.#deps;
    const message = yield* serverMessage(text);
    yield STEPS_OF_MESSAGE;
    switch (message.kind) {
      case "greeting":
        this.#greeting ??= message.greeting;
        this.#greeted.open();
        return;
      case "event":
        yield* heard(message.event);
        return;
      case "result":
        yield* this.#answer(message.result);
        return;
      default:
        counters[message.kind] += 1;
        // A server that does not begin with a greeting is not zwave-js-server.
        if (!this.#greeting) this.#lose(new NoZwaveServer("it does not greet as zwave-js-server does"));
    }
  }

  *#answer(result: ResultMessage): Work {
    const open = this.#open.get(result.messageId);
    if (!open || open.answer) {
      this.#deps.counters.unasked += 1;
      return;
    }
    open.answer = result;
    if (result.success && open.answered) yield* open.answered(result.result);
    open.gate.open();
  }

  #lives(): void {
    this.#isPinged = false;
  }

  #watch(): void {
    if (this.#isPinged) {
      this.#lose(new Error("the server does not answer any more"));
      return;
    }
    this.#isPinged = true;
    this.#socket?.ping();
  }

  #lose(why: Error): void {
    if (this.#isClosed) return;
    this.#lost = why;
    const hasGreeted = this.#alive !== undefined;
    this.close();
    // Before the greeting, `over` reports the loss.
    if (hasGreeted) this.#deps.closed(why);
  }
}

/** Server errors that precede any radio traffic. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  ...["node_not_found", "endpoint_not_found", "unknown_command", "invalid_params_passed_to_command"],
  ...["schema_incompatible", "no_longer_supported"],
]);
/**
 * `ZWaveErrorCodes` of Z-Wave JS: missing keys, an unknown feature, node, endpoint, command class or argument, an oversized message, an
 * insecure node; and 1100: the device reports a failure.
 */
const REFUSALS: ReadonlySet<number | undefined> = new Set([
  ...[109, 209, 211, 212, 217, 302, 303, 304, 322, 1100, 1402, 1403],
]);

function resultOf(answer: ResultMessage): unknown {
  if (answer.success) return answer.result;
  const { errorCode, zwaveErrorCode, zwaveErrorMessage, message } = answer;
  const words = (zwaveErrorMessage || message || errorCode.replaceAll("_", " ")).slice(0, 300);
  if (BEFORE_SENDING.has(errorCode) || REFUSALS.has(zwaveErrorCode)) throw new CommandRefused(words, zwaveErrorCode);
  throw new CommandNotDone(words);
}

/** The server or the device refused the command: nothing was done. */
export class CommandRefused extends Error {
  readonly code: number | undefined;

  constructor(message: string, code: number | undefined) {
    super(message);
    this.code = code;
  }
}

/** The command was tried and failed: the device may have acted. */
export class CommandNotDone extends Error {}

/** No answer arrived: the effect is unknown. */
export class NoAnswer extends Error {}
