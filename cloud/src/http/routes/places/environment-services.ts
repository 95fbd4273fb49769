/** `/api/environments/:id/services/:selector`: properties of every device of an environment, read and set. */
import { propertyList, writeList } from "@porchlight/shared/api";
import { READ_QUERY, readAsked } from "@porchlight/shared/rest";
import type { Caller, References } from "../../../access/index.ts";
import type { Devices } from "../../../devices/index.ts";
import { A_S_U, defineRoute, type Route } from "../../routing/route.ts";
import { answerProperties, answerWideWrite } from "../devices/property-answers.ts";
import { WIDE_BODY } from "../devices/property-body.ts";

export interface EnvironmentServiceDeps {
  readonly devices: Devices;
  readonly references: References;
}

const PATH = "/api/environments/:id/services/:selector";

export function environmentServiceRoutes({ devices, references }: EnvironmentServiceDeps): Route[] {
  const scopeOf = async (caller: Caller, reference: string) => {
    const { ecosystemId, id } = await references.resolve(caller, "env", reference);
    return { ecosystemId, environmentId: id };
  };
  return [
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
