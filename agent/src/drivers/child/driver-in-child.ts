/**
 * A driver in its child process, at the child's end of the channel: it starts, answers and ends on the agent's messages.
 *
 * Invariants: no incoming message throws; each question is answered once, before `ended`; each touch of a device needs a new permission.
 */
import {
  type Admissions,
  type AskClaims,
  attemptOf,
  type DriverResult,
  type DriverStore,
  type SharedHost,
  type StatedDriver,
  unknownOutcome,
} from "@porchlight/driver-kit";
import { type Clock, type Log, type LogFields, type Random, TaskSet } from "@porchlight/shared/kernel";
import { HostInChild } from "./host-in-child.ts";
import { chooseIpcVersion } from "./ipc-version.ts";
import type { ChildChannel } from "./line-channel.ts";
import { driverResult } from "./message-parts.ts";
import { type FromChild, type ToChild, type ToChildOf, toChild } from "./messages.ts";
import { Questions } from "./questions.ts";
import { SetupsInChild } from "./setup-in-child.ts";
import { StateTeller } from "./state-teller.ts";

/** The surroundings of a driver in a child. */
export interface AroundDriver {
  readonly name: string;
  /** The file with its code. */
  readonly entry: string;
  readonly settings: unknown;
  readonly host: SharedHost;
  readonly store: DriverStore;
  readonly admissions: Admissions;
  readonly askClaims: AskClaims;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

export interface DriverInChildDeps {
  readonly channel: ChildChannel;
  readonly clock: Clock;
  readonly random: Random;
  readonly start: (around: AroundDriver) => StatedDriver | Promise<StatedDriver>;
}

/** Resolves with the reason when the channel is closed and the driver has ended. Never rejects. */
export function serveDriver(deps: DriverInChildDeps): Promise<string> {
  const ended = Promise.withResolvers<string>();
  const child = new DriverInChild(deps);
  deps.channel.listen({
    received: (message) => child.received(message),
    closed: (why) => void child.gone().then(() => ended.resolve(why)),
  });
  return ended.promise;
}

class DriverInChild {
  readonly #deps: DriverInChildDeps;
  readonly #send: (message: FromChild) => void;
  readonly #questions: Questions;
  readonly #host: HostInChild;
  readonly #admissions: AdmissionsInChild;
  readonly #setups: SetupsInChild;
  readonly #log: Log;
  readonly #aborts = new Map<number, AbortController>();
  readonly #tasks = new TaskSet();
  #driver: StatedDriver | undefined;
  #teller: StateTeller | undefined;
  #starting: Promise<void> | undefined;
  #ending: Promise<void> | undefined;

  constructor(deps: DriverInChildDeps) {
    this.#deps = deps;
    this.#send = (message) => {
      deps.channel.send(message);
      if (message.type !== "state" && message.type !== "pong") this.#teller?.look();
    };
    this.#log = logOver(this.#send);
    this.#questions = new Questions(this.#send);
    this.#host = new HostInChild({ ...deps, log: this.#log, send: this.#send, questions: this.#questions });
    this.#admissions = new AdmissionsInChild((edgeId) => this.#send({ type: "watch_admission", edgeId }));
    this.#setups = new SetupsInChild(this.#send);
  }

  received(given: unknown): void {
    const parsed = toChild.safeParse(given);
    if (!parsed.success) {
      this.#deps.channel.close("the agent violates the protocol");
      return;
    }
    try {
      this.#take(parsed.data);
    } catch (failure) {
      this.#fail(failure);
    }
  }

  /** The agent is gone: open questions to it get no answer. */
  gone(): Promise<void> {
    this.#questions.end();
    return this.end();
  }

  /** Ends the driver and all timers. Safe to repeat. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  #take(message: ToChild): void {
    switch (message.type) {
      case "hello":
        this.#hello(message);
        break;
      case "start":
        this.#starting ??= this.#start(message);
        break;
      case "ping":
        this.#send({ type: "pong", n: message.n });
        this.#teller?.tell();
        break;
      case "read":
      case "write":
        void this.#tasks.add(this.#carryOut(message));
        break;
      case "abort":
        this.#aborts.get(message.id)?.abort(new Error("The caller has gone."));
        break;
      case "yield":
        this.#driver?.yield?.(message.edgeIds);
        break;
      case "granted":
        this.#host.granted(message);
        break;
      case "refused":
        this.#host.refused(message);
        break;
      case "answer":
        this.#questions.answered(message);
        break;
      case "admission":
        this.#admissions.answered(message);
        break;
      case "setup":
        if (this.#driver) void this.#tasks.add(this.#setups.run(message, this.#driver));
        else this.#send({ type: "setup_ended", id: message.id, failure: "The driver is not running yet." });
        break;
      case "setup_abort":
        this.#setups.abort(message.id);
        break;
      case "setup_answer":
        this.#setups.answered(message);
        break;
      case "end":
        void this.end().then(() => this.#send({ type: "ended" }));
        break;
    }
  }

  #hello({ oldest, newest }: ToChildOf<"hello">): void {
    const version = chooseIpcVersion(oldest, newest);
    if (version === undefined) this.#fail(new Error("the agent has a different version: restart it"));
    else this.#send({ type: "hello", version });
  }

  async #start({ name, entry, settings }: ToChildOf<"start">): Promise<void> {
    const { clock, random, start } = this.#deps;
    const questions = this.#questions;
    const store: DriverStore = {
      get: (key) => questions.get(key),
      all: (prefix) => questions.all(prefix),
      set: (key, value) => questions.set(key, value),
    };
    try {
      const driver = await start({
        name,
        entry,
        settings,
        store,
        clock,
        random,
        log: this.#log,
        host: this.#host,
        admissions: this.#admissions,
        askClaims: (edgeIds) => questions.claims(edgeIds),
      });
      this.#driver = driver;
      this.#teller = new StateTeller(clock, driver, this.#send);
      driver.failed?.then(
        (why) => this.#fail(why),
        (why: unknown) => this.#fail(why),
      );
      this.#teller.tell();
      this.#send({ type: "started" });
    } catch (failure) {
      this.#fail(failure);
    }
  }

  async #carryOut(asked: ToChildOf<"read" | "write">): Promise<void> {
    const { id, device, service, index, property, msLeft } = asked;
    const { clock, channel } = this.#deps;
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    const address = { service, index, property };
    const attempt = attemptOf(clock, {
      deadline: clock.monotonic() + msLeft,
      mayTouch: () => channel.mayTouch(id),
      signal: abort.signal,
    });
    try {
      const driver = this.#driver;
      if (!driver) throw new Error("the driver does not run");
      const result =
        asked.type === "read"
          ? await driver.read(device, address, attempt)
          : await driver.write(device, address, asked.value, attempt);
      this.#send({ type: "result", id, result: soundResult(result) });
    } catch (failure) {
      // A driver throws only for its author's mistakes: the agent derives the outcome from the permissions it gave.
      this.#fail(failure);
    } finally {
      this.#aborts.delete(id);
    }
  }

  #fail(failure: unknown): void {
    if (this.#ending !== undefined) return;
    const why = (failure instanceof Error ? failure.message : String(failure)).slice(0, 1024);
    this.#send({ type: "failed", why });
  }

  async #end(): Promise<void> {
    this.#setups.end();
    await this.#starting;
    try {
      await this.#driver?.[Symbol.asyncDispose]();
    } catch (failure) {
      this.#log.error({ failure: String(failure) }, "a driver ended with an error");
    }
    // The driver's remaining reads and writes have been answered by now.
    this.#questions.end();
    await this.#tasks.idle();
    this.#teller?.end();
    this.#host.end();
  }
}

/** Replaces a result that does not fit the schema, because callers decide by it whether to repeat a command. */
function soundResult(result: DriverResult) {
  const cut = result.kind === "failed" ? { ...result, detail: result.detail.slice(0, 1024) } : result;
  return driverResult.safeParse(cut).data ?? driverResult.parse(unknownOutcome("The answer of the driver is invalid."));
}

function logOver(send: (message: FromChild) => void): Log {
  const write = (level: keyof Log) => (fields: LogFields, text: string) =>
    send({ type: "log", level, fields: loggable(fields), text: String(text).slice(0, 1024) });
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

/** The fields in a form that JSON can represent: an error becomes its message. */
function loggable(fields: LogFields): Record<string, unknown> {
  const entries = Object.entries(fields).slice(0, 32);
  return Object.fromEntries(
    entries.map(([key, field]) => [key.slice(0, 64), field instanceof Error ? field.message : field]),
  );
}

/** Maximum devices that a child watches. */
const MOST_WATCHED = 1000;

/** The admissions of users for a driver in a child: it asks the agent about each device once, and the agent reports changes. */
class AdmissionsInChild implements Admissions {
  readonly #watch: (edgeId: string) => void;
  readonly #known = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();

  /** @param watch subscribes to the admission of a device at the agent */
  constructor(watch: (edgeId: string) => void) {
    this.#watch = watch;
  }

  /** False until the agent has answered; then the listeners are called. */
  isAdmitted(edgeId: string): boolean {
    const known = this.#known.get(edgeId);
    if (known === undefined && this.#known.size < MOST_WATCHED) {
      this.#known.set(edgeId, false);
      this.#watch(edgeId);
    }
    return known ?? false;
  }

  listen(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  answered({ edgeId, admitted }: ToChildOf<"admission">): void {
    if (this.#known.get(edgeId) === admitted) return;
    this.#known.set(edgeId, admitted);
    for (const changed of [...this.#listeners]) changed();
  }
}
