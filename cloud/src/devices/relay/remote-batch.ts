/** Writes of one call for a hub whose tunnel is on another node: sent to that node in one request, and answered one by one. */
import { type Id, isNamed, NamedError } from "@porchlight/shared/kernel";
import { z } from "zod";
import { errorOfNode, NotHere, nodeRefusal, nodeRefusalOf } from "../../nodes/index.ts";
import { remoteOrigin } from "../commands/command-origin.ts";
import type { Write } from "./accepted-write.ts";
import type { TunnelNodes } from "./tunnel-locator.ts";
import { type Asked, type BatchMember, type NodeAsk, WriteBatch } from "./write-batch.ts";

const METHOD = "writes";

const question = z.strictObject({
  ecosystemId: z.string(),
  environmentId: z.string(),
  tokenId: z.string(),
  clientId: z.string(),
  requestId: z.string().optional(),
  origin: remoteOrigin,
  announced: z.boolean(),
  version: z.number(),
  scene: z.strictObject({ sceneId: z.string(), commandId: z.string() }),
  writes: z.array(
    z.strictObject({ commandId: z.string(), deviceId: z.string(), selector: z.string(), value: z.json() }),
  ),
});
type Question = z.infer<typeof question>;
const answer = z.strictObject({
  results: z.array(
    z.union([
      z.strictObject({ ok: z.unknown() }),
      z.strictObject({ notHere: z.string(), sent: z.boolean() }),
      z.strictObject({ error: nodeRefusal }),
    ]),
  ),
});
type Result = z.infer<typeof answer>["results"][number];

/** The request for one of them, at the node that has the tunnel. */
export interface BatchedWrite extends Omit<Question, "writes"> {
  readonly commandId: Id<"cmd">;
  readonly deviceId: string;
  readonly selector: string;
  readonly value: Question["writes"][number]["value"];
  readonly member: BatchMember;
}

/** Starts to answer other nodes' batches. @param write executes one write @returns its answer, as `askBatch` returns it */
export function answerBatches(
  { calls }: Pick<TunnelNodes, "calls">,
  write: (write: BatchedWrite, answerBy: number) => Promise<unknown>,
): void {
  calls.handle(METHOD, async (params, { answerBy }) => {
    const { writes, ...common } = question.parse(params);
    const members = WriteBatch.of(writes.length);
    const results = members.map(async (member, at): Promise<Result | undefined> => {
      const each = writes[at];
      if (!each) return undefined;
      try {
        // The asking node made the ID, as this program makes them.
        const commandId = each.commandId as Id<"cmd">;
        return { ok: await write({ ...common, ...each, commandId, member }, answerBy) };
      } catch (error) {
        if (error instanceof NotHere) return { notHere: error.message, sent: error.sent };
        if (!isNamed(error)) throw error;
        return { error: nodeRefusalOf(error) };
      } finally {
        member.leave();
      }
    });
    return { results: await Promise.all(results) };
  });
}

/**
 * Settles each write: with the answer of the node, NotHere or a NamedError; or all with the failure of `Calls.ask`.
 * @param of one of them
 */
export async function askBatch(
  nodes: TunnelNodes,
  nodeId: string,
  of: Write,
  clientId: string,
  asked: readonly Asked<NodeAsk, unknown>[],
): Promise<void> {
  const { ecosystemId, environmentId, tokenId, requestId, origin, answerBy, scene } = of;
  const params = {
    ...{ ecosystemId, environmentId, tokenId, clientId, requestId, origin },
    ...{ announced: of.keeper !== undefined, version: nodes.versionOf(ecosystemId), scene },
    writes: asked.map(({ ask }) => ask),
  };
  try {
    const { results } = answer.parse(await nodes.calls.ask(nodeId, METHOD, params, { answerBy }));
    for (const [at, each] of asked.entries()) settle(each, results[at]);
  } catch (failure) {
    for (const each of asked) each.reject(failure);
  }
}

function settle({ resolve, reject }: Asked<NodeAsk, unknown>, result: Result | undefined): void {
  if (!result) reject(new NamedError("Internal Error"));
  else if ("error" in result) reject(errorOfNode(result.error));
  else if ("notHere" in result) reject(new NotHere(result.notHere, result.sent));
  else resolve(result.ok);
}
