/** `/api/pairings`: a hub requests its token, and its owner approves it by the code that the hub shows. */
import {
  client,
  newPairing,
  pairedHub,
  pairing,
  pairingApproval,
  pairingPoll,
  startedPairing,
} from "@porchlight/shared/api";
import type { Approvals, Pairings } from "../../../pairing/index.ts";
import type { Clients } from "../../../places/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { A_S_U, created, defineOpenRoute, defineRoute, done, ok, type Route } from "../../routing/route.ts";

const PATH = "/api/pairings";

export interface PairingRoutesDeps {
  readonly pairings: Pairings;
  readonly approvals: Approvals;
  readonly clients: Clients;
}

export function pairingRoutes({ pairings, approvals, clients }: PairingRoutesDeps): Route[] {
  return [
    defineOpenRoute({
      method: "POST",
      whenFull: { goesOn: "a hub without an account has no quota; pairings are bounded in number, and expire" },
      path: PATH,
      operationId: "createPairing",
      tag: "pairings",
      summary: "Start the pairing of a hub",
      limit: "pairing",
      body: bodyOf(newPairing),
      answers: { 201: startedPairing },
      location: 201,
      handle: async (call) => {
        const started = await pairings.begin(call.body, call.address);
        return created(started, `${PATH}/${started.userCode}`);
      },
    }),
    defineOpenRoute({
      method: "POST",
      whenFull: { goesOn: "a hub without an account has no quota; a pairing gives one token" },
      path: `${PATH}/poll`,
      operationId: "pollPairing",
      tag: "pairings",
      summary: "Poll the state of a pairing; once it is approved, get the hub's token",
      body: bodyOf(pairingPoll),
      answers: { 200: pairedHub },
      errors: [
        "Pairing Pending",
        "Pairing Slow Down",
        "Pairing Denied",
        "Pairing Expired",
        "Pairing Code Invalid",
        "Service Unavailable",
      ],
      handle: async (call) => ok(await pairings.poll(call.body, call.address)),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:userCode`,
      operationId: "getPairing",
      tag: "pairings",
      summary: "Show the hub that waits for approval with a code",
      tokens: A_S_U,
      answers: { 200: pairing },
      errors: ["Pairing Code Invalid", "Pairing Expired", "Rate Limit Exceeded"],
      handle: async (call) => ok(await approvals.get(call.caller, call.params.userCode)),
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${PATH}/:userCode/approve`,
      operationId: "approvePairing",
      tag: "pairings",
      summary: "Approve a pairing: add the hub to an environment",
      tokens: A_S_U,
      needsVerifiedAddress: true,
      takesIdempotencyKey: true,
      body: bodyOf(pairingApproval),
      answers: { 200: client },
      errors: [
        "Pairing Code Invalid",
        "Pairing Expired",
        "Environment Not Found",
        "Access Denied",
        "Alias Exists",
        "Rate Limit Exceeded",
      ],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await approvals.approve(call.caller, call.params.userCode, call.body);
        return ok(clients.resource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: { goesOn: "it refuses access, once for each pairing" },
      path: `${PATH}/:userCode/deny`,
      operationId: "denyPairing",
      tag: "pairings",
      summary: "Deny a pairing",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      answers: { 200: undefined },
      errors: ["Pairing Code Invalid", "Pairing Expired", "Rate Limit Exceeded"],
      handle: async (call) => {
        await approvals.deny(call.caller, call.params.userCode);
        return done();
      },
    }),
  ];
}
