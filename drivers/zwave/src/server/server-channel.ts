/**
 * One connection to the server: commands with their answers, events, and whether the other end still answers.
 *
 * Invariants: each command ends by its deadline, with its answer, or with the connection; events and answers are handled in the order
 * in which they were sent; what comes in is bounded in size, and in number of open commands.
 */
import { Gate, LoopTurns, type Patience, type Work } from "@porchlight/driver-kit";
import type { TextSocket } from "@porchlight/driver-kit/links";
import { type Clock, every, type Timer } from "@porchlight/shared/kernel";
import { type Greeting, type ResultMessage, type ServerEvent, serverMessage } from "./messages.ts";
import { NoZwaveServer, type OpenServer } from "./ws-socket.ts";

/** What was left aside of what the server sent. */
export interface MessageCounters {
  notJson: number;
  notUnderstood: number;
  /** Answers to no open command: most of them came too late. */
  unasked: number;
}

export interface ServerChannelDeps {
  readonly clock: Clock;
  readonly counters: MessageCounters;
  readonly heard: (event: ServerEvent) => Work;
  /** Called once, when the connection is gone, unless it was closed by `close`. */
  readonly closed: (why: Error) => void;
}

/** How often the server must answer a ping, ms: one that is silent for two of them is gone. */
const ALIVE_MS = 15_000;
const MOST_OPEN = 1000;
/** Characters of messages that wait until those before them are read: as many as the largest message has. */
const MOST_WAITING = 32 * 1024 * 1024;
/** Steps of a message beside reading its text: finding what it changes, and telling that. */
const STEPS_OF_MESSAGE = 10;
/** How long the server may take to greet, ms. */
const GREETING_MS = 10_000;

interface OpenCommand {
  readonly gate: Gate;
  answer: ResultMessage | undefined;
  /** Called with a good result before anything that the server sends after it is heard. */
  readonly answered: ((result: unknown) => Work) | undefined;
}

export interface ServerCommandOptions {
  /** Runs what sends: it may throw instead. */
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

  /** Settles when the server has greeted. @throws NoZwaveServer, what `open` throws */
  static async over(deps: ServerChannelDeps, open: OpenServer, signal: AbortSignal): Promise<ServerChannel> {
    const channel = new ServerChannel(deps);
    const events = {
      text: (text: string) => channel.#receive(text),
      pong: () => channel.#lives(),
      closed: (why: string) => channel.#lose(new Error(why)),
    };
    channel.#socket = await open(events, signal);
    // It may be lost already, before there was a socket to close.
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

  /** What the server says of itself. */
  get greeting(): Greeting {
    if (!this.#greeting) throw new Error("The server has not greeted.");
    return this.#greeting;
  }

  /**
   * What the server answers.
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

  /** Open commands end without an answer. Can be called twice. */
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
        // What does not begin with a greeting is something else.
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
    // Before the greeting it is `over` that tells.
    if (hasGreeted) this.#deps.closed(why);
  }
}

/** Errors of the server that are found before anything is sent by radio. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  ...["node_not_found", "endpoint_not_found", "unknown_command", "invalid_params_passed_to_command"],
  ...["schema_incompatible", "no_longer_supported"],
]);
/**
 * `ZWaveErrorCodes` of Z-Wave JS: no keys, a feature, node, endpoint, command class or argument that there is not, a message that is too
 * large, an insecure node; and 1100: the device says that it has failed.
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

/** The server, or the device, refuses it: nothing was done. */
export class CommandRefused extends Error {
  readonly code: number | undefined;

  constructor(message: string, code: number | undefined) {
    super(message);
    this.code = code;
  }
}

/** It was tried, and failed: a device may have acted. */
export class CommandNotDone extends Error {}

/** No answer came: nobody knows what was done. */
export class NoAnswer extends Error {}
