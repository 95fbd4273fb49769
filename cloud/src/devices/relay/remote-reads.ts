/** Reads of devices whose hubs have their tunnels on other nodes: sent there in one request, and stored there. */
import type { ReadFailure } from "@porchlight/shared/rest";
import { z } from "zod";
import { NoAnswer, NotHere } from "../../nodes/index.ts";
import type { EnvironmentCache } from "../environment-cache.ts";
import type { Selected } from "../environment-state.ts";
import type { HubView } from "../hub-view.ts";
import type { ReadCall, SharedReads } from "../shared-reads.ts";
import type { TunnelLocator, TunnelNodes } from "./tunnel-locator.ts";

const METHOD = "read";

const question = z.strictObject({
  ecosystemId: z.string(),
  environmentId: z.string(),
  clientId: z.string(),
  items: z.array(z.strictObject({ deviceId: z.string(), key: z.string() })),
  tokenId: z.string(),
  maxAgeMs: z.number().optional(),
  version: z.number(),
});
const failure = z.strictObject({
  name: z.enum(["Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected"]),
  detail: z.string(),
});
const answer = z.strictObject({
  /** For each item, in order, why it could not be read. */
  failures: z.array(failure.nullable()),
  version: z.number(),
});

export interface RemoteReadsDeps {
  readonly cache: EnvironmentCache;
  readonly hubs: HubView;
  readonly reads: SharedReads;
  readonly nodes: TunnelNodes;
  readonly search: TunnelLocator;
}

export interface PlaceOfReads {
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly clientId: string;
}

const TIMED_OUT: ReadFailure = {
  name: "Hub Timeout",
  detail: "The node that the hub is connected to did not answer in time.",
};
const UNREACHABLE: ReadFailure = {
  name: "Hub Timeout",
  detail: "The node that the hub is connected to did not answer.",
};
const GONE: ReadFailure = { name: "Device Unreachable", detail: "The device is connected to another hub now." };

export class RemoteReads {
  readonly #deps: RemoteReadsDeps;

  private constructor(deps: RemoteReadsDeps) {
    this.#deps = deps;
  }

  /** Starts to answer other nodes' reads. */
  static start(deps: RemoteReadsDeps): RemoteReads {
    deps.nodes.calls.handle(METHOD, (params, limits) => readHere(deps, question.parse(params), limits));
    return new RemoteReads(deps);
  }

  /**
   * @returns for each item why it could not be read; "here" when the hub's tunnel has moved to this node, "away" when
   * no node has it
   * @throws "Service Unavailable", the signal's reason
   */
  async read(
    place: PlaceOfReads,
    items: readonly Selected[],
    { answerBy, tokenId, maxAgeMs, signal }: ReadCall,
  ): Promise<readonly (ReadFailure | undefined)[] | "here" | "away"> {
    const { search, nodes } = this.#deps;
    const { ecosystemId, clientId } = place;
    const wanted = items.map(({ device, property }) => ({ deviceId: device.id, key: property.key }));
    try {
      const found = await search.ask(
        ecosystemId,
        clientId,
        answerBy,
        (nodeId) => {
          const age = maxAgeMs === undefined ? {} : { maxAgeMs };
          const params = { ...place, ...age, items: wanted, tokenId, version: nodes.versionOf(ecosystemId) };
          return nodes.calls.ask(nodeId, METHOD, params, { answerBy, signal });
        },
        signal,
      );
      if (found.kind === "unreachable") return items.map(() => UNREACHABLE);
      if (found.kind !== "asked") return found.kind;
      const { failures, version } = answer.parse(found.answer);
      nodes.atLeast(ecosystemId, version);
      return items.map((_, index) => failures[index] ?? undefined);
    } catch (error) {
      if (error instanceof NoAnswer || signal.aborted) return items.map(() => TIMED_OUT);
      throw error;
    }
  }
}

/** Reads at the node that has the tunnel. @throws NotHere, "Service Unavailable" */
async function readHere(
  { cache, hubs, reads, nodes }: RemoteReadsDeps,
  { ecosystemId, environmentId, clientId, items, tokenId, maxAgeMs, version }: z.infer<typeof question>,
  call: Pick<ReadCall, "answerBy" | "signal">,
): Promise<z.input<typeof answer>> {
  nodes.atLeast(ecosystemId, version);
  const environment = await cache.get(ecosystemId, environmentId);
  const tunnel = hubs.live(clientId);
  if (!tunnel || tunnel.isLeaving) throw new NotHere("the hub has no tunnel here");
  const known: Selected[] = [];
  const places = items.map(({ deviceId, key }) => {
    const device = environment.device(deviceId);
    const property = device?.described.byKey.get(key);
    return device && property && device.clientId === clientId ? known.push({ device, property }) - 1 : undefined;
  });
  const results = await reads.read(tunnel, known, { ...call, tokenId, maxAgeMs });
  const failures = places.map((place) => (place === undefined ? GONE : (results[place] ?? null)));
  return { failures, version: nodes.versionOf(ecosystemId) };
}
