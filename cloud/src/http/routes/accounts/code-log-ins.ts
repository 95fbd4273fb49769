/** `/api/accounts/login/code`: a program logs in by a code that a logged-in person approves (RFC 8628). */
import { codeLogIn, codeLogInPoll, login, newCodeLogIn, startedCodeLogIn } from "@porchlight/shared/api";
import type { CodeLogInApprovals, CodeLogIns } from "../../../pairing/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { A, created, defineOpenRoute, defineRoute, done, LOG_INS_GO_ON, ok, type Route } from "../../routing/route.ts";

const PATH = "/api/accounts/login/code";

export interface CodeLogInRoutesDeps {
  readonly codeLogIns: CodeLogIns;
  readonly approvals: CodeLogInApprovals;
}

export function codeLogInRoutes({ codeLogIns, approvals }: CodeLogInRoutesDeps): Route[] {
  return [
    defineOpenRoute({
      method: "POST",
      whenFull: { goesOn: "it belongs to no account yet; codes are bounded in number, and expire" },
      path: PATH,
      operationId: "createCodeLogIn",
      tag: "accounts",
      summary: "Start a log-in by code",
      limit: "log-in",
      body: bodyOf(newCodeLogIn, { optional: true }),
      answers: { 201: startedCodeLogIn },
      location: 201,
      handle: async (call) => {
        const from = { address: call.address, userAgent: call.header("user-agent")?.slice(0, 255) };
        const started = await codeLogIns.begin(from);
        return created(started, `${PATH}/${started.userCode}`);
      },
    }),
    defineOpenRoute({
      method: "POST",
      whenFull: LOG_INS_GO_ON,
      path: `${PATH}/poll`,
      operationId: "pollCodeLogIn",
      tag: "accounts",
      summary: "Poll the state of a log-in by code; once it is approved, get the token",
      body: bodyOf(codeLogInPoll),
      answers: { 201: login },
      errors: [
        "Login Pending",
        "Login Slow Down",
        "Login Denied",
        "Login Expired",
        "Login Code Invalid",
        "Service Unavailable",
      ],
      handle: async (call) => created(await codeLogIns.poll(call.body, call.address)),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:userCode`,
      operationId: "getCodeLogIn",
      tag: "accounts",
      summary: "Show the program that waits for approval with a code",
      tokens: A,
      answers: { 200: codeLogIn },
      errors: ["Login Code Invalid", "Login Expired", "Rate Limit Exceeded"],
      handle: async (call) => ok(await approvals.get(call.caller, call.params.userCode)),
    }),
    defineRoute({
      method: "POST",
      whenFull: LOG_INS_GO_ON,
      path: `${PATH}/:userCode/approve`,
      operationId: "approveCodeLogIn",
      tag: "accounts",
      summary: "Approve a log-in by code: log the program in to the account",
      tokens: A,
      needsVerifiedAddress: true,
      takesIdempotencyKey: true,
      answers: { 200: undefined },
      errors: ["Login Code Invalid", "Login Expired", "Rate Limit Exceeded"],
      handle: async (call) => {
        await approvals.approve(call.caller, call.params.userCode);
        return done();
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: { goesOn: "it refuses access, once for each code" },
      path: `${PATH}/:userCode/deny`,
      operationId: "denyCodeLogIn",
      tag: "accounts",
      summary: "Deny a log-in by code",
      tokens: A,
      takesIdempotencyKey: true,
      answers: { 200: undefined },
      errors: ["Login Code Invalid", "Login Expired", "Rate Limit Exceeded"],
      handle: async (call) => {
        await approvals.deny(call.caller, call.params.userCode);
        return done();
      },
    }),
  ];
}
