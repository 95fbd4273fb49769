/**
 * Questions of users to a hub that are neither commands nor reads: relayed to the hub, by this node or by the one that
 * has its tunnel. All kinds share one relay; a kind defines how its questions are sent through a tunnel, and how long
 * an answer may take.
 */
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import {
  type DriverAnswer,
  type DriverQuestion,
  driverAnswer,
  driverQuestion,
  type MaintenanceAnswer,
  type MaintenanceQuestion,
  maintenanceAnswer,
  maintenanceQuestion,
} from "@porchlight/shared/model";
import { PeerGone, PeerRefused, PeerTimeout, RPC_ERRORS } from "@porchlight/shared/tunnel";
import { z } from "zod";
import { NoAnswer, NotHere } from "../../nodes/index.ts";
import type { Store } from "../../store/index.ts";
import type { HubTunnel } from "../../tunnels/index.ts";
import { type HubView, hubOffline, lastSeenOf } from "../hub-view.ts";
import { askable } from "./hub-write.ts";
import type { TunnelLocator, TunnelNodes } from "./tunnel-locator.ts";

export interface HubQuestionsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly hubs: HubView;
  /** The other nodes, and the locator for the one that has a tunnel; undefined for a single node. */
  readonly elsewhere?: { readonly nodes: TunnelNodes; readonly search: TunnelLocator } | undefined;
}

/** A kind of question. */
export interface QuestionKind<Q, A> {
  /** Its name between nodes, and in the tunnel. */
  readonly method: string;
  readonly question: z.ZodType<Q>;
  readonly answer: z.ZodType<A>;
  /** Timeout for the hub's answer, ms. */
  readonly waitMs: (question: Q) => number;
  readonly ask: (
    tunnel: HubTunnel,
    question: Q,
    limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ) => Promise<A>;
  /** The error's text when no answer came: it states whether asking again does harm. */
  readonly unanswered: (question: Q) => string;
}

export interface HubRequest<Q> {
  readonly ecosystemId: string;
  readonly clientId: string;
  readonly question: Q;
  readonly signal?: AbortSignal | undefined;
}

export class HubQuestions<Q, A> {
  readonly #deps: HubQuestionsDeps;
  readonly #kind: QuestionKind<Q, A>;

  private constructor(deps: HubQuestionsDeps, kind: QuestionKind<Q, A>) {
    this.#deps = deps;
    this.#kind = kind;
  }

  /** Starts to answer other nodes for the hubs of this one. */
  static start<Q, A>(deps: HubQuestionsDeps, kind: QuestionKind<Q, A>): HubQuestions<Q, A> {
    const { clock, elsewhere } = deps;
    const questions = new HubQuestions(deps, kind);
    const asked = z.strictObject({ ecosystemId: z.string(), clientId: z.string(), question: kind.question });
    elsewhere?.nodes.calls.handle(kind.method, async (params, { answerBy, signal }) => {
      const { clientId, question } = asked.parse(params);
      const tunnel = askable(deps, clientId);
      if (!tunnel) throw new NotHere("the hub has no tunnel here");
      return questions.#askHub(tunnel, question, answerBy - clock.monotonic(), signal);
    });
    return questions;
  }

  /** @throws "Hub Offline", "Hub Timeout", "Hub Outdated", "Service Unavailable", the signal's reason */
  async ask(request: HubRequest<Q>): Promise<A> {
    const { clock, elsewhere } = this.#deps;
    const { method, answer, waitMs } = this.#kind;
    const { ecosystemId, clientId, question, signal } = request;
    const answerBy = clock.monotonic() + waitMs(question);
    const here = askable(this.#deps, clientId);
    if (here) return this.#askHub(here, question, waitMs(question), signal);
    if (!elsewhere) throw await this.#offline(ecosystemId, clientId);
    const { nodes, search } = elsewhere;
    const params = { ecosystemId, clientId, question };
    const ask = (nodeId: string) => nodes.calls.ask(nodeId, method, params, { answerBy, signal });
    const found = await search.ask(ecosystemId, clientId, answerBy, ask, signal).catch((failure: unknown) => {
      throw failure instanceof NoAnswer ? this.#noAnswer(question) : failure;
    });
    if (found.kind === "asked") return answer.parse(found.answer);
    const back = askable(this.#deps, clientId);
    if (back && !found.sent) return this.#askHub(back, question, answerBy - clock.monotonic(), signal);
    throw found.sent ? this.#noAnswer(question) : await this.#offline(ecosystemId, clientId);
  }

  async #offline(ecosystemId: string, clientId: string): Promise<NamedError> {
    const { store, hubs } = this.#deps;
    const lastSeenAt = await lastSeenOf(store, hubs, ecosystemId, clientId).catch(() => undefined);
    return hubOffline(lastSeenAt, "The hub is not connected: nothing was sent.", "not_sent");
  }

  /** @throws "Hub Offline", "Hub Timeout", "Hub Outdated", the signal's reason */
  async #askHub(tunnel: HubTunnel, question: Q, timeoutMs: number, signal: AbortSignal | undefined): Promise<A> {
    try {
      return await this.#kind.ask(tunnel, question, { timeoutMs: Math.max(0, timeoutMs), signal });
    } catch (failure) {
      if (failure instanceof PeerRefused && failure.error.code === RPC_ERRORS.unknownMethod.code)
        throw new NamedError("Hub Outdated");
      if (failure instanceof PeerGone && !failure.sent)
        throw hubOffline(undefined, "The hub's connection ended: nothing was sent.", "not_sent");
      if (failure instanceof PeerRefused || failure instanceof PeerGone || failure instanceof PeerTimeout)
        throw this.#noAnswer(question);
      throw failure;
    }
  }

  #noAnswer(question: Q): NamedError {
    const detail = `The hub did not answer. ${this.#kind.unanswered(question)}`;
    return new NamedError("Hub Timeout", detail, { outcome: "unknown" });
  }
}

/** Time for a hub's answer beyond the wait of the question itself, ms. */
const ANSWER_MS = 10_000;
/** Short, because a user waits for `why`, and the rest of the answer is ready. */
const JOURNAL_MS = 3_000;
/** Long enough for a large history on a slow card. */
const BACKUP_MS = 60_000;

const WAITS: Readonly<Partial<Record<MaintenanceQuestion["ask"], number>>> = { backup: BACKUP_MS, journal: JOURNAL_MS };

const HARMLESS = "It is safe to repeat the request.";

export const ABOUT_DRIVERS: QuestionKind<DriverQuestion, DriverAnswer> = {
  method: "drivers",
  question: driverQuestion,
  answer: driverAnswer,
  waitMs: (question) => ANSWER_MS + ("waitMs" in question ? question.waitMs : 0),
  ask: (tunnel, question, limits) => tunnel.drivers(question, limits),
  unanswered: () => HARMLESS,
};

export const ABOUT_ITSELF: QuestionKind<MaintenanceQuestion, MaintenanceAnswer> = {
  method: "maintenance",
  question: maintenanceQuestion,
  answer: maintenanceAnswer,
  waitMs: ({ ask }) => WAITS[ask] ?? ANSWER_MS,
  ask: (tunnel, question, limits) => tunnel.maintenance(question, limits),
  unanswered: ({ ask }) => {
    if (ask === "restart") return "It may have restarted: check its `uptimeMs`.";
    if (ask === "backup") return "It may have created the backup: list its backups.";
    return HARMLESS;
  },
};
