/** `/api/devices`: listed, shown, changed; their services, and the properties of those, read and set. */
import {
  device,
  type ObjectUpdate,
  type PropertyUpdate,
  page,
  propertyItem,
  propertyList,
  propertyUpdate,
  serviceList,
} from "@porchlight/shared/api";
import { type ErrorName, type FieldProblem, NamedError } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { type Caller, type References, type Resolved, reach } from "../../access/index.ts";
import { type DevicePlaceFilter, type Devices, readPrefer } from "../../devices/index.ts";
import { type BodyRule, requireUnchanged } from "../body-rules.ts";
import type { Call } from "../call.ts";
import { ifMatch, unlessMatch } from "../conditions.ts";
import type { Pager } from "../page.ts";
import { PAGING } from "../query.ts";
import { A_S_U, defineRoute, done, ok, type Route } from "../route.ts";
import { answerProperties, READ_QUERY, readAsked } from "./environment-services.ts";
import { updateBody } from "./object-routes.ts";

export interface DeviceRouteDeps {
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
      summary: "List the devices",
      tokens: A_S_U,
      query: [...PAGING, "environmentId", "type"],
      answers: { 200: page(device) },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied", "Query Parameter Invalid"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const type = readType(call.query.type);
        const { after, limit, ...asked } = pager.read(call);
        const places = await placesOf(references, call.caller, call.query.environmentId);
        const rows = await devices.list({ places, type, after, limit });
        return pager.answer({ after, limit, ...asked }, rows, (row) => devices.show(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
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
      path: `${PATH}/:id`,
      summary: "Change alias and metadata of a device",
      tokens: A_S_U,
      body: updateBody(["ecosystemId", "environmentId", "type", "edgeId", "clientId"], ["connection"]),
      answers: { 200: undefined },
      errors: [...REFERENCE_ERRORS, "Alias Exists", "Precondition Failed"],
      handle: async (call) => done(await devices.change(await named(call.caller, call.params.id), changeOf(call))),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id/services`,
      summary: "List the services of a device with their values",
      tokens: A_S_U,
      answers: { 200: serviceList },
      errors: REFERENCE_ERRORS,
      handle: async (call) => ok(await devices.services(scopeOf(await named(call.caller, call.params.id)))),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id/services/:selector`,
      summary: "Read properties of a device",
      tokens: A_S_U,
      query: READ_QUERY,
      answers: { 200: propertyList },
      errors: [
        ...REFERENCE_ERRORS,
        "Query Parameter Invalid",
        "Service Not Found",
        "Service Property Invalid",
        ...HUB_ERRORS,
      ],
      handle: async (call) => {
        const asked = readAsked(call);
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
      path: `${PATH}/:id/services/:selector`,
      summary: "Set a property and wait until the device has confirmed it",
      tokens: A_S_U,
      body: PROPERTY_BODY,
      answers: { 200: propertyItem },
      errors: [
        ...REFERENCE_ERRORS,
        "Service Not Found",
        "Service Property Invalid",
        "Property Not Writable",
        "Property Value Invalid",
        ...HUB_ERRORS,
      ],
      handle: async (call) => {
        const { waitMs, applied } = readPrefer(call.header("prefer"));
        const { selector } = call.params;
        const { tokenId } = call.caller;
        const { value } = call.body;
        const scope = scopeOf(await named(call.caller, call.params.id));
        const { item, commandId } = await devices.set({
          ...scope,
          selector,
          value,
          waitMs,
          tokenId,
        });
        const headers = { "x-command-id": commandId, ...(applied !== undefined && { "preference-applied": applied }) };
        return { status: 200, body: item, headers };
      },
    }),
  ];
}

/** Checked without its schema: this body is read thousands of times a second. */
const PROPERTY_BODY: BodyRule<{ readonly value: Value }> = {
  schema: propertyUpdate,
  check: (raw) => {
    const problems: FieldProblem[] = [];
    for (const key in raw) {
      if (key === "value") continue;
      const message =
        key === "ttlSeconds" ? "is taken together with `Prefer: respond-async` only" : "is not known here";
      problems.push({ pointer: `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, message });
    }
    if (!Object.hasOwn(raw, "value"))
      throw new NamedError("Body Parameters Missing", "`value` is missing.", {
        errors: [{ pointer: "/value", message: "is missing" }],
      });
    const [problem] = problems;
    if (problem)
      throw new NamedError("Body Parameters Invalid", `\`${problem.pointer}\` ${problem.message}.`, {
        errors: problems,
      });
    // It was parsed from JSON.
    return { value: raw.value as PropertyUpdate["value"] };
  },
};

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
  throw new NamedError("Query Parameter Invalid", "`type` is `physical` or `virtual`.");
}

/** Whole ecosystems, or single environments where a user or a filter confines the list to them. */
async function placesOf(
  references: References,
  caller: Caller,
  filter: string | undefined,
): Promise<DevicePlaceFilter[]> {
  if (filter !== undefined) {
    const { ecosystemId, id } = await references.resolve(caller, "env", filter);
    return [{ ecosystemId, environmentId: id }];
  }
  if (caller.kind !== "user") return reach(caller).map((ecosystemId) => ({ ecosystemId }));
  return [...caller.environmentIds].map((environmentId) => ({ ecosystemId: caller.ecosystemId, environmentId }));
}
