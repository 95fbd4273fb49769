/**
 * Requests between nodes: with a deadline that both read from the same wall clock (the database's, see SteeredClock),
 * and with cancellation. A request that arrives after its deadline is not started.
 */
import {
  type Clock,
  ERRORS,
  type ErrorExtras,
  type ErrorName,
  isNamed,
  type Log,
  NamedError,
} from "@porchlight/shared/kernel";
import { z } from "zod";
import { type Bus, NoAnswer, NoResponder } from "../bus/index.ts";

/** A named error in transit between nodes: in its own file, because an answer can contain several. */
export const nodeRefusal = z.strictObject({
  name: z.string().refine((name): name is ErrorName => Object.hasOwn(ERRORS, name)),
  detail: z.string(),
  extras: z.looseObject({}),
});

export function nodeRefusalOf({ name, message, outcome, errors, retryAfter, members, headers, status }: NamedError) {
  return { name, detail: message, extras: { outcome, errors, retryAfter, members, headers, status } };
}

/** Rebuilds the other node's error. */
export function errorOfNode({ name, detail, extras }: z.infer<typeof nodeRefusal>): NamedError {
  return new NamedError(name, detail, extras as ErrorExtras);
}

/** The asked node no longer has the object of the request, or did not start in time: the caller must look for it elsewhere. */
export class NotHere extends Error {
  /** Whether the request may have been started nevertheless. */
  readonly sent: boolean;

  constructor(why: string, sent = false) {
    super(`to be asked for elsewhere: ${why}`);
    this.sent = sent;
  }
}

export { NoAnswer, NoResponder };

/** When the asking node stops waiting. */
interface CallLimits {
  /** Monotonic ms of this process. */
  readonly answerBy: number;
  readonly signal?: AbortSignal | undefined;
}

/** @throws NotHere, NamedError */
type CallHandler = (
  params: unknown,
  limits: Required<Pick<CallLimits, "answerBy">> & { readonly signal: AbortSignal },
) => Promise<unknown>;

const question = z.strictObject({
  id: z.string(),
  method: z.string(),
  /** Wall clock of the service, ms. */
  deadline: z.number(),
  params: z.unknown(),
});
const cancel = z.strictObject({ id: z.string() });
const answer = z.union([
  z.strictObject({ ok: z.unknown() }),
  z.strictObject({ notHere: z.string(), sent: z.boolean() }),
  z.strictObject({ error: nodeRefusal }),
]);

interface CallsDeps {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** Changes when this node has lost its lease and takes a new one. */
  readonly nodeId: () => string;
}

/** Extra time for an answer, ms: the answering node stores the outcome after its own deadline. */
const GRACE_MS = 500;

export class Calls implements Disposable {
  readonly #deps: CallsDeps;
  readonly #handlers = new Map<string, CallHandler>();
  readonly #underWay = new Map<string, AbortController>();
  #stops: (() => void)[] = [];
  #count = 0;

  private constructor(deps: CallsDeps) {
    this.#deps = deps;
  }

  static start(deps: CallsDeps): Calls {
    return new Calls(deps);
  }

  /** Listens under that node's ID, and no other. */
  listenAs(nodeId: string): void {
    const { bus } = this.#deps;
    for (const stop of this.#stops) stop();
    this.#stops = [
      bus.answer(subjectOf(nodeId, "ask"), (message) => this.#answer(message)),
      bus.subscribe(subjectOf(nodeId, "cancel"), (message) => this.#cancel(message)),
    ];
  }

  /** Registers this node's handler for requests of others. */
  handle(method: string, handler: CallHandler): void {
    this.#handlers.set(method, handler);
  }

  /** Requests of other nodes in progress. */
  get underWay(): number {
    return this.#underWay.size;
  }

  /**
   * Sends a request to a node.
   * @throws NoResponder, NotHere when nothing was done; NoAnswer when that is unknown; NamedError as the node threw it;
   * the signal's reason
   */
  async ask(node: string, method: string, params: unknown, { answerBy, signal }: CallLimits): Promise<unknown> {
    const { bus, clock, nodeId } = this.#deps;
    signal?.throwIfAborted();
    const left = answerBy - clock.monotonic();
    if (left <= 0) throw new NoResponder();
    const id = `${nodeId()}.${++this.#count}`;
    const onAbort = () => bus.publish(subjectOf(node, "cancel"), { id });
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const asked = { id, method, deadline: clock.now() + left, params };
      const given = answer.safeParse(await bus.ask(subjectOf(node, "ask"), asked, left + GRACE_MS));
      if (!given.success) throw new NoAnswer(given.error);
      const { data } = given;
      if ("error" in data) throw errorOfNode(data.error);
      if ("notHere" in data) throw new NotHere(data.notHere, data.sent);
      return data.ok;
    } finally {
      signal?.removeEventListener("abort", onAbort);
    }
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
    for (const abort of this.#underWay.values()) abort.abort(new Error("the node is ending"));
  }

  async #answer(message: unknown): Promise<z.input<typeof answer>> {
    const { clock, log } = this.#deps;
    const { id, method, deadline, params } = question.parse(message);
    const left = deadline - clock.now();
    if (left <= 0) return { notHere: "the question came after its deadline", sent: false };
    const handler = this.#handlers.get(method);
    if (!handler) return { notHere: `the method ${method} is not known to this version`, sent: false };
    const abort = new AbortController();
    this.#underWay.set(id, abort);
    try {
      return { ok: await handler(params, { answerBy: clock.monotonic() + left, signal: abort.signal }) };
    } catch (error) {
      if (error instanceof NotHere) return { notHere: error.message, sent: error.sent };
      if (!isNamed(error)) {
        log.error({ error, method }, "a call from another node failed");
        return { error: nodeRefusalOf(new NamedError("Internal Error")) };
      }
      return { error: nodeRefusalOf(error) };
    } finally {
      this.#underWay.delete(id);
    }
  }

  #cancel(message: unknown): void {
    const parsed = cancel.safeParse(message);
    if (parsed.success) this.#underWay.get(parsed.data.id)?.abort(new Error("the caller has gone"));
  }
}

function subjectOf(node: string, what: "ask" | "cancel"): string {
  return `porchlight.node.${node}.${what}`;
}
