/** `/api/ecosystems/:id/sink` (A14): the target that the property values of an ecosystem are written to, and its progress. */
import { SINK_STATUS, sink, sinkTestResult, sinkUpdate } from "@porchlight/shared/api";
import type { Sinks } from "../../../sinks/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { A_S, defineRoute, done, ok, type Route } from "../../routing/route.ts";

const PATH = "/api/ecosystems/:id/sink";
const COMMON = { tag: "ecosystems", tokens: A_S } as const;
const ECOSYSTEM = ["Ecosystem Invalid", "Ecosystem Not Found"] as const;
const EXISTING = [...ECOSYSTEM, "Sink Not Found"] as const;

export function sinkRoutes({ sinks }: { sinks: Sinks }): Route[] {
  return [
    defineRoute({
      ...COMMON,
      method: "GET",
      path: PATH,
      operationId: "getSink",
      summary: "Show the sink of an ecosystem, and how far it has come",
      answers: { 200: sink },
      errors: EXISTING,
      handle: async (call) => ok(await sinks.get(call.caller, call.params.id)),
    }),
    defineRoute({
      ...COMMON,
      method: "PUT",
      whenFull: "refused",
      path: PATH,
      operationId: "setSink",
      needsVerifiedAddress: true,
      summary: "Set or change the sink of an ecosystem: where its property values are written to",
      body: bodyOf(sinkUpdate, { ignored: SINK_STATUS }),
      answers: { 200: undefined },
      errors: ECOSYSTEM,
      handle: async (call) => {
        await sinks.set(call.caller, call.params.id, call.body);
        return done();
      },
    }),
    defineRoute({
      ...COMMON,
      method: "DELETE",
      path: PATH,
      operationId: "deleteSink",
      summary: "Delete the sink of an ecosystem; what was written stays with its receiver",
      answers: { 200: undefined },
      errors: EXISTING,
      handle: async (call) => {
        await sinks.delete(call.caller, call.params.id);
        return done();
      },
    }),
    defineRoute({
      ...COMMON,
      method: "POST",
      whenFull: "refused",
      path: `${PATH}/test`,
      operationId: "testSink",
      summary: "Ask the receiver of a sink with a write that has no lines",
      takesIdempotencyKey: true,
      answers: { 200: sinkTestResult },
      errors: EXISTING,
      handle: async (call) => ok(await sinks.test(call.caller, call.params.id, call.signal)),
    }),
  ];
}
