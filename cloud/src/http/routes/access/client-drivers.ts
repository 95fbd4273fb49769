/** `/api/clients/:id/drivers`, `…/admissions`, `…/setups`: devices that a hub's drivers discover, and a person's answers and setups. */
import { hubDriverList, newSetup, setupAnswer } from "@porchlight/shared/api";
import type { ErrorName } from "@porchlight/shared/kernel";
import { type DriverAnswer, type DriverQuestion, hubSetup } from "@porchlight/shared/model";
import {
  admitQuestion,
  answerQuestion,
  driverListAnswered,
  lookQuestion,
  preferenceApplied,
  requireAdmitted,
  SETUP_QUERY,
  setupAnswered,
} from "@porchlight/shared/rest";
import type { Caller } from "../../../access/index.ts";
import type { Devices } from "../../../devices/index.ts";
import type { Clients } from "../../../places/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { A_S_U, created, defineRoute, done, ok, type Route } from "../../routing/route.ts";

const PATH = "/api/clients/:id";
const CLIENT_ERRORS: readonly ErrorName[] = ["Client Invalid", "Client Not Found", "Access Denied"];
const HUB_ERRORS: readonly ErrorName[] = ["Hub Offline", "Hub Timeout", "Hub Outdated"];

interface AskedBy {
  readonly caller: Caller;
  readonly params: { readonly id: string };
}

export function clientDriverRoutes({ clients, devices }: { clients: Clients; devices: Devices }): Route[] {
  /** @param signal aborts a question that waits */
  const ask = async (
    { caller, params }: AskedBy,
    question: DriverQuestion,
    signal?: AbortSignal,
  ): Promise<DriverAnswer> => {
    const { ecosystemId, id: clientId } = await clients.resolve(caller, params.id);
    return devices.askDrivers({ ecosystemId, clientId, question, signal });
  };
  const admit = async (call: AskedBy & { readonly params: { readonly edgeId: string } }, admitted: boolean) => {
    const question = admitQuestion(call.params.edgeId, admitted);
    // Recorded before it is done: an action that cannot be recorded is not done.
    const { caller, params } = call;
    const action = admitted ? "device.admitted" : "device.dismissed";
    await clients.note(caller, params.id, action, { edgeId: params.edgeId });
    requireAdmitted(await ask(call, question));
    return done();
  };
  return [
    defineRoute({
      method: "GET",
      path: `${PATH}/drivers`,
      operationId: "listDrivers",
      tag: "clients",
      summary: "List the drivers of a hub, the devices that they see, and the setups that they offer",
      tokens: A_S_U,
      answers: { 200: hubDriverList },
      errors: [...CLIENT_ERRORS, ...HUB_ERRORS],
      handle: async (call) => ok(driverListAnswered(await ask(call, { ask: "drivers" }))),
    }),
    defineRoute({
      method: "PUT",
      whenFull: "reserve",
      path: `${PATH}/admissions/:edgeId`,
      operationId: "admitDevice",
      tag: "clients",
      summary: "Admit a device: allow the hub to use it",
      tokens: A_S_U,
      answers: { 200: undefined },
      errors: [...CLIENT_ERRORS, "Device Invalid", ...HUB_ERRORS],
      handle: (call) => admit(call, true),
    }),
    defineRoute({
      method: "DELETE",
      // A repeat deletes nothing, but adds an audit entry.
      whenFull: "reserve",
      path: `${PATH}/admissions/:edgeId`,
      operationId: "withdrawAdmission",
      tag: "clients",
      summary: "Withdraw the admission of a device; devices that the hub's settings admit stay admitted",
      tokens: A_S_U,
      answers: { 200: undefined },
      errors: [...CLIENT_ERRORS, "Device Invalid", ...HUB_ERRORS],
      handle: (call) => admit(call, false),
    }),
    defineRoute({
      method: "POST",
      whenFull: "reserve",
      path: `${PATH}/setups`,
      operationId: "startSetup",
      tag: "clients",
      summary: "Start a setup: let a device join, pair a bridge",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: bodyOf(newSetup),
      answers: { 201: hubSetup },
      location: 201,
      errors: [...CLIENT_ERRORS, "Setup Kind Invalid", "Setup In Use", ...HUB_ERRORS],
      handle: async (call) => {
        const { kind } = call.body;
        await clients.note(call.caller, call.params.id, "setup.started", { kind });
        const setup = setupAnswered(await ask(call, { ask: "setup start", kind }));
        return created(setup, `/api/clients/${call.params.id}/setups/${setup.id}`);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/setups/:setupId`,
      operationId: "getSetup",
      tag: "clients",
      summary: "Show a setup; with `after`, wait for a newer version of it",
      tokens: A_S_U,
      query: SETUP_QUERY,
      waitsForDevices: true,
      answers: { 200: hubSetup },
      errors: [...CLIENT_ERRORS, "Setup Not Found", "Query Parameter Invalid", ...HUB_ERRORS],
      handle: async (call) => {
        const { question, applied } = lookQuestion(call.params.setupId, call.query.after, call.header("prefer"));
        const setup = setupAnswered(await ask(call, question, call.signal));
        return { ...ok(setup), headers: preferenceApplied(applied) };
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: { goesOn: "the service stores nothing of it" },
      path: `${PATH}/setups/:setupId/answers/:number`,
      operationId: "answerSetup",
      tag: "clients",
      summary: "Answer a question of a setup; the same answer again has no further effect",
      tokens: A_S_U,
      body: bodyOf(setupAnswer),
      answers: { 200: hubSetup },
      errors: [...CLIENT_ERRORS, "Setup Not Found", "Setup Answer Invalid", ...HUB_ERRORS],
      handle: async (call) => {
        const { setupId, number } = call.params;
        return ok(setupAnswered(await ask(call, answerQuestion(setupId, number, call.body.answer))));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/setups/:setupId`,
      operationId: "cancelSetup",
      tag: "clients",
      summary: "End a setup; a setup that has ended does not change",
      tokens: A_S_U,
      answers: { 200: hubSetup },
      errors: [...CLIENT_ERRORS, "Setup Not Found", ...HUB_ERRORS],
      handle: async (call) => ok(setupAnswered(await ask(call, { ask: "setup cancel", id: call.params.setupId }))),
    }),
  ];
}
