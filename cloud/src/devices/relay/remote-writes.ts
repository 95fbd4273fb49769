/**
 * Writes to hubs whose tunnels are on other nodes: the requests of this node, and its answers to theirs.
 *
 * Invariants: the node that has the tunnel executes a command completely, in the order of arrival there; when its
 * answer is lost, the outcome of the command is read from the store, and reported once it is there.
 */

import type { PropertyItem } from "@porchlight/shared/api";
import { type Id, isNamed, sleep, TimingBreakdown } from "@porchlight/shared/kernel";
import { PeerTimeout } from "@porchlight/shared/tunnel";
import { z } from "zod";
import { NoAnswer, NotHere } from "../../nodes/index.ts";
import { remoteOrigin } from "../commands/command-origin.ts";
import { type CommandResolution, resolutionOfFailure } from "../commands/command-outcome.ts";
import { whatBecameOf } from "../commands/command-result.ts";
import { readCommand } from "../commands/command-store.ts";
import { accept, type SetPropertyRequest, type SetPropertyResult, type Write } from "./accepted-write.ts";
import { askable, type HubWriteDeps, passGate, refusal, writeThrough } from "./hub-write.ts";
import { answerBatches, askBatch } from "./remote-batch.ts";
import type { TunnelLocator, TunnelNodes } from "./tunnel-locator.ts";
import type { Asked, NodeAsk } from "./write-batch.ts";

const METHOD = "write";

const question = z.strictObject({
  commandId: z.string(),
  ecosystemId: z.string(),
  environmentId: z.string(),
  deviceId: z.string(),
  selector: z.string(),
  value: z.json(),
  tokenId: z.string(),
  clientId: z.string(),
  requestId: z.string().optional(),
  origin: remoteOrigin,
  trace: z.boolean(),
  /** Whether the command is stored already. */
  announced: z.boolean(),
  /** Version of the ecosystem, as it was known where the write was accepted. */
  version: z.number(),
});
const answer = z.strictObject({
  /** As this program returns it everywhere. */
  item: z.custom<PropertyItem>((item) => typeof item === "object" && item !== null),
  version: z.number(),
  hops: z.record(z.string(), z.number()).optional(),
});

export interface RemoteWritesDeps extends HubWriteDeps {
  readonly nodes: TunnelNodes;
  readonly search: TunnelLocator;
}

export type RemoteWriteResult =
  | { readonly kind: "written"; readonly result: SetPropertyResult }
  /** The outcome cannot be determined. */
  | { readonly kind: "unknown"; readonly resolution: CommandResolution }
  /** `sent`: the hub may have got the command already. */
  | { readonly kind: "here" | "away" | "unreachable"; readonly sent: boolean };

/** Interval of looks at the store when an answer is late, ms. */
const LOOK_MS = 1_000;

export class RemoteWrites {
  readonly #deps: RemoteWritesDeps;

  private constructor(deps: RemoteWritesDeps) {
    this.#deps = deps;
  }

  /** Starts to answer other nodes' writes. */
  static start(deps: RemoteWritesDeps): RemoteWrites {
    deps.nodes.calls.handle(METHOD, (params, { answerBy }) => writeHere(deps, question.parse(params), answerBy));
    answerBatches(deps.nodes, (write, answerBy) => writeHere(deps, { ...write, trace: false }, answerBy));
    return new RemoteWrites(deps);
  }

  /** @throws the error of the node that executed it */
  async write(write: Write, clientId: string): Promise<RemoteWriteResult> {
    const { search, nodes } = this.#deps;
    const { ecosystemId, commandId, hops } = write;
    try {
      const found = await search.ask(ecosystemId, clientId, write.hubDeadline, (nodeId) =>
        this.#ask(nodeId, write, clientId),
      );
      if (found.kind !== "asked") return found;
      if ("result" in found.answer) return { kind: "written", result: found.answer.result };
      const given = answer.parse(found.answer.given);
      nodes.atLeast(ecosystemId, given.version);
      hops.step("node");
      for (const [name, ms] of Object.entries(given.hops ?? {})) hops.add(`node-${name}`, ms);
      return { kind: "written", result: { commandId, item: given.item } };
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      nodes.invalidations.tell(ecosystemId, { kind: "recover", clientId });
      return { kind: "unknown", resolution: resolutionOfFailure(new PeerTimeout(true)) };
    }
  }

  /** The node's answer or, when that is late, the stored outcome. */
  async #ask(
    nodeId: string,
    write: Write,
    clientId: string,
  ): Promise<{ readonly given: unknown } | { readonly result: SetPropertyResult }> {
    const { nodes } = this.#deps;
    const { commandId, ecosystemId, environmentId, deviceId, property, value, tokenId, requestId, origin, answerBy } =
      write;
    const place = { commandId, ecosystemId, environmentId, deviceId, clientId };
    const asked = { ...place, selector: property.key, value, tokenId, requestId, origin };
    const announced = write.keeper !== undefined;
    const params = { ...asked, announced, trace: true, version: nodes.versionOf(ecosystemId) };
    const asking = () => {
      const ask = { commandId, deviceId, selector: property.key, value };
      const together = (all: readonly Asked<NodeAsk, unknown>[]) => void askBatch(nodes, nodeId, write, clientId, all);
      return write.member?.askNode(nodeId, ask, together) ?? nodes.calls.ask(nodeId, METHOD, params, { answerBy });
    };
    const done = new AbortController();
    try {
      return await Promise.race([asking().then((given) => ({ given })), this.#stored(write, done.signal)]);
    } finally {
      done.abort(new Error("the answer has come"));
    }
  }

  /** Resolves when the command has ended in the store; until then it stays pending. */
  async #stored(write: Write, signal: AbortSignal): Promise<{ readonly result: SetPropertyResult }> {
    const { store, clock } = this.#deps;
    const { ecosystemId, commandId, property } = write;
    try {
      for (;;) {
        await sleep(clock, "answer of another node", LOOK_MS, signal);
        const row = await readCommand(store.of(ecosystemId).sql, ecosystemId, commandId).catch(() => undefined);
        if (!row || row.completed_at === null) continue;
        const became = await whatBecameOf(store, write, property, commandId);
        if (became.kind === "done") return { result: became.result };
        throw await refusal(this.#deps, write, became);
      }
    } catch (error) {
      if (signal.aborted) return new Promise(() => undefined);
      throw error;
    }
  }
}

/** Executes a write at the node that has the tunnel. @throws NotHere while nothing was done; and as `writeThrough` */
async function writeHere(
  deps: RemoteWritesDeps,
  asked: z.infer<typeof question> & Pick<SetPropertyRequest, "scene" | "member">,
  answerBy: number,
): Promise<z.input<typeof answer>> {
  const { clock, deadlines, nodes, log } = deps;
  const { clientId, ecosystemId, version, trace, announced, commandId: id, ...request } = asked;
  if (deps.store.outage?.work === "writes") throw new NotHere("the store takes no writes");
  if (!askable(deps, clientId)) throw new NotHere("the hub has no tunnel here");
  nodes.atLeast(ecosystemId, version);
  const hops = new TimingBreakdown(clock);
  // Whole ms: the command's expiry is stored.
  const waitMs = Math.floor(answerBy - clock.monotonic());
  // The asking node made the ID, as this program makes them.
  const commandId = id as Id<"cmd">;
  const write = await accept(deps, { ...request, ecosystemId, waitMs, hops, isElsewhere: true }, commandId).catch(
    (error: unknown) => {
      if (isNamed(error, "Service Unavailable")) throw new NotHere("the store did not say what the device is");
      throw error;
    },
  );
  if (write.device.clientId !== clientId) throw new NotHere("the device is on another hub");
  log.debug({ command: commandId, requestId: request.requestId }, "another node asked this node to carry out a write");
  using _watched = announced ? deadlines.watch(commandId) : undefined;
  if (announced) deadlines.set(commandId, write.hubDeadline, clock.monotonic());
  hops.step("check");
  await asked.member?.assembled();
  await passGate(deps, clientId);
  hops.step("queue");
  const tunnel = askable(deps, clientId);
  const written = tunnel && (await writeThrough(deps, tunnel, write));
  if (written?.kind !== "written")
    throw new NotHere("the hub has just left", written?.sent || deadlines.wasAsked(commandId));
  return { item: written.result.item, version: nodes.versionOf(ecosystemId), ...(trace && { hops: hops.ms }) };
}
