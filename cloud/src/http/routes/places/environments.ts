/** `/api/environments`: create, list, show, change and delete; and the services of all their devices. */
import {
  deviceServicesList,
  environment,
  environmentUpdate,
  newEnvironment,
  page,
  propertyList,
  writeList,
} from "@porchlight/shared/api";
import { ifMatch, PAGING, READ_QUERY, readAsked } from "@porchlight/shared/rest";
import type { Caller, References } from "../../../access/index.ts";
import type { Devices } from "../../../devices/index.ts";
import { type Environments, environmentResource } from "../../../places/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import {
  A_S,
  A_S_U,
  COMMANDS_GO_ON,
  created,
  defineRoute,
  done,
  ok,
  type Route,
  unlessMatch,
} from "../../routing/route.ts";
import { answerProperties, answerWideWrite, itemsAnswer, WIDE_BODY } from "../devices/properties.ts";
import { readChange, requireReadBack } from "../object-routes.ts";

const PATH = "/api/environments";

export function environmentRoutes(deps: { environments: Environments; pager: Pager }): Route[] {
  const { environments, pager } = deps;
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listEnvironments",
      tag: "environments",
      summary: "List the environments",
      tokens: A_S_U,
      query: [...PAGING, "ecosystemId"],
      answers: { 200: page(environment) },
      errors: ["Ecosystem Invalid", "Ecosystem Not Found"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const list = ({ after, limit }: PagePart) =>
          environments.list(call.caller, call.query.ecosystemId, after, limit);
        return pager.answer(asked, list, (row) => environmentResource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createEnvironment",
      tag: "environments",
      summary: "Create an environment",
      tokens: A_S,
      takesIdempotencyKey: true,
      body: bodyOf(newEnvironment),
      answers: { 201: environment },
      location: 201,
      errors: ["Ecosystem Missing", "Ecosystem Invalid", "Ecosystem Not Found", "Alias Exists"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await environments.create(call.caller, call.body, metaPrefix);
        return created(environmentResource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getEnvironment",
      tag: "environments",
      summary: "Show an environment",
      tokens: A_S_U,
      answers: { 200: environment },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await environments.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(environmentResource(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateEnvironment",
      tag: "environments",
      summary: "Change the alias, metadata, time zone and location of an environment",
      tokens: A_S_U,
      body: bodyOf(environmentUpdate, { readOnly: ["id", "createdAt", "ecosystemId"] }),
      answers: { 200: undefined },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied", "Alias Exists", "Precondition Failed"],
      handle: async (call) => {
        const { timeZone, location } = call.body;
        const change = { ...readChange(call), timeZone, location };
        const { id } = call.params;
        await requireReadBack(call, async () => environmentResource(await environments.get(call.caller, id)));
        return done((await environments.update(call.caller, id, change)).version);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteEnvironment",
      tag: "environments",
      summary: "Delete an environment with everything in it",
      tokens: A_S,
      answers: { 200: undefined },
      errors: ["Environment Invalid", "Environment Not Found", "Precondition Failed"],
      handle: async (call) => {
        await environments.delete(call.caller, call.params.id, ifMatch(call.header("if-match")));
        return done();
      },
    }),
  ];
}

interface EnvironmentServiceDeps {
  readonly devices: Devices;
  readonly references: References;
}

const SERVICES = "/api/environments/:id/services";
const PROPERTIES = `${SERVICES}/:selector` as const;

/** `/api/environments/:id/services`: the services of every device of an environment; with a selector their properties, read and written. */
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
      path: PROPERTIES,
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
      path: PROPERTIES,
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
