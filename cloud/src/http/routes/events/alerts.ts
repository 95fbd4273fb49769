/** `/api/alerts` and `/api/account/alerts`: the alerts, and which of them an account receives. */
import {
  alert,
  alertSettings,
  alertSettingsUpdate,
  alertTestAnswer,
  alertTestRequest,
  page,
} from "@porchlight/shared/api";
import { NamedError } from "@porchlight/shared/kernel";
import { PAGING } from "@porchlight/shared/rest";
import { type AlertQuery, type Alerts, alertResource } from "../../../alerts/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { Pager } from "../../routing/page.ts";
import { A, A_S, defineRoute, done, ok, type Route } from "../../routing/route.ts";

const SETTINGS = "/api/account/alerts";

export function alertRoutes({ alerts, pager }: { alerts: Alerts; pager: Pager }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/alerts",
      operationId: "listAlerts",
      tag: "alerts",
      summary: "List the alerts, open and ended",
      tokens: A_S,
      query: [...PAGING, "order", "state", "ecosystemId", "environmentId"],
      answers: { 200: page(alert) },
      errors: [
        "Query Parameter Invalid",
        "Ecosystem Invalid",
        "Ecosystem Not Found",
        "Environment Invalid",
        "Environment Not Found",
      ],
      handle: async (call) => {
        const asked = pager.read(call);
        const { ecosystemId, environmentId } = call.query;
        const query = { state: readState(call.query.state), ecosystemId, environmentId };
        return pager.answer(asked, (part) => alerts.list(call.caller, query, part), alertResource);
      },
    }),
    defineRoute({
      method: "GET",
      path: SETTINGS,
      operationId: "getAlertSettings",
      tag: "alerts",
      summary: "Show the alert settings of the account",
      tokens: A,
      answers: { 200: alertSettings },
      handle: async (call) => ok(await alerts.settings(call.caller)),
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: SETTINGS,
      operationId: "updateAlertSettings",
      tag: "alerts",
      summary: "Change the alert settings of the account",
      tokens: A,
      body: bodyOf(alertSettingsUpdate),
      answers: { 200: undefined },
      handle: async (call) => {
        await alerts.change(call.caller, call.body);
        return done();
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${SETTINGS}/test`,
      operationId: "testAlerts",
      tag: "alerts",
      summary: "Send a test e-mail and a test event",
      tokens: A,
      takesIdempotencyKey: true,
      body: bodyOf(alertTestRequest, { optional: true }),
      answers: { 202: alertTestAnswer },
      errors: ["Ecosystem Missing", "Ecosystem Invalid", "Ecosystem Not Found", "Rate Limit Exceeded"],
      handle: async (call) => ({ status: 202, body: await alerts.test(call.caller, call.body) }),
    }),
  ];
}

function readState(text: string | undefined): AlertQuery["state"] {
  if (text === undefined || text === "open" || text === "ended") return text;
  throw new NamedError("Query Parameter Invalid", "`state` must be open or ended.");
}
