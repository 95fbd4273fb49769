/** What a person asks of a hub's drivers through the cloud: relayed to the hub, by this node or by the one that has its tunnel. */
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { type DriverAnswer, type DriverQuestion, driverAnswer, driverQuestion } from "@porchlight/shared/model";
import { PeerGone, PeerRefused, PeerTimeout, RPC_ERRORS } from "@porchlight/shared/tunnel";
import { z } from "zod";
import { NoAnswer, NotHere } from "../../nodes/index.ts";
import type { Store } from "../../store/index.ts";
import type { HubTunnel } from "../../tunnels/index.ts";
import { type HubView, hubOffline, lastSeenOf } from "../device/hub-view.ts";
import { askable } from "./hub-write.ts";
import type { TunnelLocator, TunnelNodes } from "./tunnel-locator.ts";

const METHOD = "drivers";
const asked = z.strictObject({ ecosystemId: z.string(), clientId: z.string(), question: driverQuestion });

export interface HubDriversDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly hubs: HubView;
  /** The other nodes, and how the one is found that has a tunnel; a lone node has none. */
  readonly elsewhere?: { readonly nodes: TunnelNodes; readonly search: TunnelLocator } | undefined;
}

export interface DriverRequest {
  readonly ecosystemId: string;
  readonly clientId: string;
  readonly question: DriverQuestion;
  readonly signal?: AbortSignal | undefined;
}

/** How long a hub may take beyond what the question itself has it wait, ms. */
const ANSWER_MS = 10_000;

export class HubDrivers {
  readonly #deps: HubDriversDeps;

  private constructor(deps: HubDriversDeps) {
    this.#deps = deps;
  }

  /** From now on other nodes may ask for the hubs of this one. */
  static start(deps: HubDriversDeps): HubDrivers {
    const { clock, elsewhere } = deps;
    elsewhere?.nodes.calls.handle(METHOD, async (params, { answerBy, signal }) => {
      const { clientId, question } = asked.parse(params);
      const tunnel = askable(deps, clientId);
      if (!tunnel) throw new NotHere("the hub has no tunnel here");
      return askHub(tunnel, question, answerBy - clock.monotonic(), signal);
    });
    return new HubDrivers(deps);
  }

  /** @throws "Hub Offline", "Hub Timeout", "Hub Outdated", "Service Unavailable", the signal's reason */
  async ask(request: DriverRequest): Promise<DriverAnswer> {
    const { clock, elsewhere } = this.#deps;
    const { ecosystemId, clientId, question, signal } = request;
    const waitMs = ANSWER_MS + ("waitMs" in question ? question.waitMs : 0);
    const answerBy = clock.monotonic() + waitMs;
    const here = askable(this.#deps, clientId);
    if (here) return askHub(here, question, waitMs, signal);
    if (!elsewhere) throw await this.#offline(ecosystemId, clientId);
    const { nodes, search } = elsewhere;
    const params = { ecosystemId, clientId, question };
    const ask = (nodeId: string) => nodes.calls.ask(nodeId, METHOD, params, { answerBy, signal });
    const found = await search.ask(ecosystemId, clientId, answerBy, ask, signal).catch((failure: unknown) => {
      throw failure instanceof NoAnswer ? noAnswer() : failure;
    });
    if (found.kind === "asked") return driverAnswer.parse(found.answer);
    const back = askable(this.#deps, clientId);
    if (back && !found.sent) return askHub(back, question, answerBy - clock.monotonic(), signal);
    throw found.sent ? noAnswer() : await this.#offline(ecosystemId, clientId);
  }

  async #offline(ecosystemId: string, clientId: string): Promise<NamedError> {
    const { store, hubs } = this.#deps;
    const lastSeenAt = await lastSeenOf(store, hubs, ecosystemId, clientId).catch(() => undefined);
    return hubOffline(lastSeenAt, "The hub is not connected: nothing was asked of it.", "not_sent");
  }
}

/** @throws "Hub Offline", "Hub Timeout", "Hub Outdated", the signal's reason */
async function askHub(
  tunnel: HubTunnel,
  question: DriverQuestion,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<DriverAnswer> {
  try {
    return await tunnel.drivers(question, { timeoutMs: Math.max(0, timeoutMs), signal });
  } catch (failure) {
    if (failure instanceof PeerRefused && failure.error.code === RPC_ERRORS.unknownMethod.code)
      throw new NamedError("Hub Outdated");
    if (failure instanceof PeerGone && !failure.sent)
      throw hubOffline(undefined, "The hub's connection has ended: nothing was asked of it.", "not_sent");
    if (failure instanceof PeerRefused || failure instanceof PeerGone || failure instanceof PeerTimeout)
      throw noAnswer();
    throw failure;
  }
}

/** All of these questions may be asked again. */
function noAnswer(): NamedError {
  return new NamedError("Hub Timeout", "The hub has not answered. Asking again does no harm.", { outcome: "unknown" });
}
