/** `/api/environments/:id/services`: the services of every device of an environment; with a selector their properties, read and written. */
import { deviceServicesList, propertyList, writeList } from "@porchlight/shared/api";
import { READ_QUERY, readAsked } from "@porchlight/shared/rest";
import type { Caller, References } from "../../../access/index.ts";
import type { Devices } from "../../../devices/index.ts";
import { A_S_U, COMMANDS_GO_ON, defineRoute, type Route } from "../../routing/route.ts";
import { answerProperties, answerWideWrite, itemsAnswer } from "../devices/property-answers.ts";
import { WIDE_BODY } from "../devices/property-write.ts";

export interface EnvironmentServiceDeps {
  readonly devices: Devices;
  readonly references: References;
}

const SERVICES = "/api/environments/:id/services";
const PATH = `${SERVICES}/:selector` as const;

export function environmentServiceRoutes({ devices, references }: EnvironmentServiceDeps): Route[] {
  const scopeOf = async (caller: Caller, reference: string) => {
    const { ecosystemId, id } = await references.resolve(caller, "env", reference);
    return { ecosystemId, environmentId: id };
  };
  return [
    defineRoute({
      method: "GET",
      path: SERVICES,
      operationId: "listEnvironmentServices",
      tag: "environments",
      summary: "List the services of all devices of an environment, with their values",
      tokens: A_S_U,
      answers: { 200: deviceServicesList },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied"],
      handle: async (call) => {
        const { texts } = await devices.allServices(await scopeOf(call.caller, call.params.id));
        return itemsAnswer(texts, () => call.turn());
      },
    }),
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "getEnvironmentProperties",
      tag: "environments",
      summary: "Read properties of all devices of an environment",
      tokens: A_S_U,
      query: READ_QUERY,
      answers: { 200: propertyList },
      waitsForDevices: true,
      errors: [
        "Environment Invalid",
        "Environment Not Found",
        "Access Denied",
        "Query Parameter Invalid",
        "Service Not Found",
        "Service Property Invalid",
      ],
      handle: async (call) => {
        const asked = readAsked(call.query);
        const scope = await scopeOf(call.caller, call.params.id);
        return answerProperties(devices, call, scope, call.params.selector, asked);
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: COMMANDS_GO_ON,
      path: PATH,
      operationId: "setEnvironmentProperties",
      tag: "environments",
      summary: "Set a property on all devices of an environment",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: WIDE_BODY,
      answers: { 200: writeList },
      waitsForDevices: true,
      commandId: "sometimes",
      errors: [
        "Environment Invalid",
        "Environment Not Found",
        "Access Denied",
        "Service Not Found",
        "Service Property Invalid",
      ],
      handle: async (call) => {
        const scope = await scopeOf(call.caller, call.params.id);
        return answerWideWrite(devices, call, scope, call.params.selector);
      },
    }),
  ];
}
