/**
 * `/api/devices`: list, create, show, change, delete; their services, and the properties of those, read, written and explained;
 * `/api/commands`: the state of a command.
 */
import {
  command,
  device,
  newDevice,
  type ObjectUpdate,
  page,
  propertyItem,
  propertyList,
  serviceList,
  why as whyResource,
} from "@porchlight/shared/api";
import { type ErrorName, NamedError } from "@porchlight/shared/kernel";
import { ifMatch, PAGING, READ_QUERY, readAsked } from "@porchlight/shared/rest";
import { type Caller, type References, type Resolved, reach, referenceNotFound } from "../../../access/index.ts";
import { commandResource, type DevicePlaceFilter, type Devices } from "../../../devices/index.ts";
import type { Why } from "../../../why/index.ts";
import { bodyOf, requireUnchanged } from "../../routing/body-rules.ts";
import type { Call } from "../../routing/call.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A_S_U, COMMANDS_GO_ON, created, defineRoute, done, ok, type Route, unlessMatch } from "../../routing/route.ts";
import { updateBody } from "../object-routes.ts";
import { answerProperties, answerWrite, PROPERTY_BODY } from "./properties.ts";

interface DeviceRouteDeps {
  readonly devices: Devices;
  readonly references: References;
  readonly pager: Pager;
}

const PATH = "/api/devices";
const REFERENCE_ERRORS: readonly ErrorName[] = ["Device Invalid", "Device Not Found", "Access Denied"];
const HUB_ERRORS: readonly ErrorName[] = ["Hub Offline", "Hub Timeout", "Device Unreachable", "Device Rejected"];

export function deviceRoutes(deps: DeviceRouteDeps): Route[] {
  const { devices, references, pager } = deps;
  const named = (caller: Caller, reference: string) => references.resolve(caller, "dev", reference);
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listDevices",
      tag: "devices",
      summary: "List the devices",
      tokens: A_S_U,
      query: [...PAGING, "environmentId", "zoneId", "type"],
      answers: { 200: page(device) },
      errors: [
        "Environment Invalid",
        "Environment Not Found",
        "Zone Invalid",
        "Zone Not Found",
        "Access Denied",
        "Query Parameter Invalid",
      ],
      handle: async (call) => {
        const { metaPrefix } = call;
        const type = readType(call.query.type);
        const asked = pager.read(call);
        const places = await placesOf(references, call.caller, call.query);
        const list = ({ after, limit }: PagePart) => devices.list({ places, type, after, limit });
        return pager.answer(asked, list, (row) => devices.show(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createDevice",
      tag: "devices",
      summary: "Create a virtual device; the service stores its values",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: bodyOf(newDevice),
      answers: { 201: device },
      location: 201,
      errors: [
        "Environment Invalid",
        "Environment Not Found",
        "Access Denied",
        "Property Value Invalid",
        "Alias Exists",
      ],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await devices.create(call.caller, call.body, metaPrefix);
        return created(devices.show(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getDevice",
      tag: "devices",
      summary: "Show a device and its connection",
      tokens: A_S_U,
      answers: { 200: device },
      errors: REFERENCE_ERRORS,
      handle: async (call) => {
        const { metaPrefix } = call;
        const { ecosystemId, id } = await named(call.caller, call.params.id);
        const row = await devices.get(ecosystemId, id);
        return unlessMatch(call.header("if-none-match"), ok(devices.show(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateDevice",
      tag: "devices",
      summary: "Change the alias and metadata of a device",
      tokens: A_S_U,
      body: updateBody(["ecosystemId", "environmentId", "type", "edgeId", "clientId"], ["connection"]),
      answers: { 200: undefined },
      errors: [...REFERENCE_ERRORS, "Alias Exists", "Precondition Failed"],
      handle: async (call) => {
        const target = await named(call.caller, call.params.id);
        return done(await devices.change(call.caller, target, changeOf(call)));
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteDevice",
      tag: "devices",
      summary: "Delete a device; a physical device returns if its hub announces it again",
      tokens: A_S_U,
      answers: { 200: undefined },
      errors: [...REFERENCE_ERRORS, "Precondition Failed"],
      handle: async (call) => {
        await devices.delete(call.caller, await named(call.caller, call.params.id), ifMatch(call.header("if-match")));
        return done();
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id/services`,
      operationId: "listDeviceServices",
      tag: "devices",
      summary: "List the services of a device with their values",
      tokens: A_S_U,
      answers: { 200: serviceList },
      errors: REFERENCE_ERRORS,
      handle: async (call) => ok(await devices.services(scopeOf(await named(call.caller, call.params.id)))),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id/services/:selector`,
      operationId: "getDeviceProperties",
      tag: "devices",
      summary: "Read properties of a device",
      tokens: A_S_U,
      query: READ_QUERY,
      answers: { 200: propertyList },
      waitsForDevices: true,
      errors: [
        ...REFERENCE_ERRORS,
        "Query Parameter Invalid",
        "Service Not Found",
        "Service Property Invalid",
        ...HUB_ERRORS,
      ],
      handle: async (call) => {
        const asked = readAsked(call.query);
        return answerProperties(
          devices,
          call,
          scopeOf(await named(call.caller, call.params.id)),
          call.params.selector,
          asked,
        );
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: COMMANDS_GO_ON,
      path: `${PATH}/:id/services/:selector`,
      operationId: "setDeviceProperties",
      tag: "devices",
      summary: "Set a property; wait for the device to confirm it, or follow the command",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: PROPERTY_BODY,
      answers: { 200: propertyItem, 202: command },
      location: 202,
      waitsForDevices: true,
      commandId: "always",
      isTraced: true,
      errors: [
        ...REFERENCE_ERRORS,
        "Service Not Found",
        "Service Property Invalid",
        "Property Not Writable",
        "Property Value Invalid",
        "Quota Exceeded",
        ...HUB_ERRORS,
      ],
      handle: (call) =>
        answerWrite(devices, call, call.params.selector, async () => scopeOf(await named(call.caller, call.params.id))),
    }),
  ];
}

function changeOf<P extends string>(call: Call<Caller, ObjectUpdate, P>) {
  return {
    ...call.body,
    prefix: call.metaPrefix,
    matches: ifMatch(call.header("if-match")),
    verify: (stored: object) => requireUnchanged(call.readBack, stored),
  };
}

/** A device is always in an environment. */
function scopeOf({ ecosystemId, environmentId, id }: Resolved<"dev">) {
  return { ecosystemId, environmentId: environmentId ?? "", deviceId: id };
}

/** @throws "Query Parameter Invalid" */
function readType(type: string | undefined): "physical" | "virtual" | undefined {
  if (type === undefined || type === "physical" || type === "virtual") return type;
  throw new NamedError("Query Parameter Invalid", "`type` must be `physical` or `virtual`.");
}

/** Whole ecosystems, or the environments and zones to which a user's access or a filter restricts the list. */
async function placesOf(
  references: References,
  caller: Caller,
  { environmentId, zoneId }: Readonly<Record<string, string>>,
): Promise<DevicePlaceFilter[]> {
  const environment = environmentId === undefined ? undefined : await references.resolve(caller, "env", environmentId);
  if (zoneId !== undefined) {
    const zone = await references.resolve(caller, "zon", zoneId);
    const { ecosystemId } = zone;
    const inside = environment?.id ?? zone.environmentId ?? undefined;
    return [{ ecosystemId, environmentId: inside, zoneId: zone.id }];
  }
  if (environment) return [{ ecosystemId: environment.ecosystemId, environmentId: environment.id }];
  if (caller.kind !== "user") return reach(caller).map((ecosystemId) => ({ ecosystemId }));
  return [...caller.environmentIds].map((each) => ({ ecosystemId: caller.ecosystemId, environmentId: each }));
}

export function whyRoutes({ why, references }: { readonly why: Why; readonly references: References }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/devices/:id/services/:selector/why",
      operationId: "explainDeviceProperty",
      tag: "devices",
      summary: "Explain why a property is as it is: who or what changed it, and what is in the way of what was asked",
      tokens: A_S_U,
      answers: { 200: whyResource },
      errors: [
        ...(["Device Invalid", "Device Not Found", "Access Denied"] as const),
        ...(["Service Not Found", "Service Property Invalid"] as const),
      ],
      handle: async ({ caller, params }) =>
        ok(await why.of(caller, await references.resolve(caller, "dev", params.id), params.selector)),
    }),
  ];
}

export function commandRoutes({ devices, references }: { devices: Devices; references: References }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/commands/:id",
      operationId: "getCommand",
      tag: "commands",
      summary: "Show a command and its result",
      tokens: A_S_U,
      answers: { 200: command },
      errors: ["Command Invalid", "Command Not Found", "Access Denied"],
      handle: async (call) => {
        const { ecosystemId, id } = await references.resolve(call.caller, "cmd", call.params.id);
        const row = await devices.command(ecosystemId, id);
        if (!row) throw referenceNotFound("cmd");
        return ok(commandResource(row));
      },
    }),
  ];
}
