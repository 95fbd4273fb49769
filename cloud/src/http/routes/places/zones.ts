/** `/api/zones`: named groups of devices and zones of an environment, and the properties of their devices. */
import { newZone, page, propertyList, writeList, zone, zoneUpdate } from "@porchlight/shared/api";
import { ifMatch, PAGING, READ_QUERY, readAsked } from "@porchlight/shared/rest";
import type { Caller, References } from "../../../access/index.ts";
import type { Devices } from "../../../devices/index.ts";
import { newZoneResource, type Zones, zoneResource } from "../../../places/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A_S_U, COMMANDS_GO_ON, created, defineRoute, done, ok, type Route, unlessMatch } from "../../routing/route.ts";
import { answerProperties, answerWideWrite, WIDE_BODY } from "../devices/properties.ts";
import { readChange, requireReadBack } from "../object-routes.ts";

const PATH = "/api/zones";

export function zoneRoutes({ zones, pager }: { zones: Zones; pager: Pager }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "listZones",
      tag: "zones",
      summary: "List the zones",
      tokens: A_S_U,
      query: [...PAGING, "environmentId"],
      answers: { 200: page(zone) },
      errors: ["Environment Invalid", "Environment Not Found", "Access Denied"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const asked = pager.read(call);
        const list = (part: PagePart) => zones.list(call.caller, call.query.environmentId, part);
        return pager.answer(asked, list, (row) => zoneResource(row, metaPrefix));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: PATH,
      operationId: "createZone",
      tag: "zones",
      summary: "Create a zone",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: bodyOf(newZone),
      answers: { 201: zone },
      location: 201,
      errors: ["Environment Not Found", "Access Denied", "Zone Item Invalid", "Zone Item Not Found", "Alias Exists"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await zones.create(call.caller, call.body, metaPrefix);
        return created(newZoneResource(row, metaPrefix), `${PATH}/${row.id}`, row.version);
      },
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/:id`,
      operationId: "getZone",
      tag: "zones",
      summary: "Show a zone and its items",
      tokens: A_S_U,
      answers: { 200: zone },
      errors: ["Zone Invalid", "Zone Not Found", "Access Denied"],
      handle: async (call) => {
        const { metaPrefix } = call;
        const row = await zones.get(call.caller, call.params.id);
        return unlessMatch(call.header("if-none-match"), ok(zoneResource(row, metaPrefix), row.version));
      },
    }),
    defineRoute({
      method: "PUT",
      whenFull: "refused",
      path: `${PATH}/:id`,
      operationId: "updateZone",
      tag: "zones",
      summary: "Change the alias, metadata and items of a zone",
      tokens: A_S_U,
      body: bodyOf(zoneUpdate, { readOnly: ["id", "createdAt", "ecosystemId", "environmentId"] }),
      answers: { 200: undefined },
      errors: [
        "Zone Invalid",
        "Zone Not Found",
        "Access Denied",
        "Zone Item Invalid",
        "Zone Item Not Found",
        "Alias Exists",
        "Precondition Failed",
      ],
      handle: async (call) => {
        const change = { ...readChange(call), items: call.body.items };
        const { id } = call.params;
        await requireReadBack(call, async () => zoneResource(await zones.get(call.caller, id)));
        return done((await zones.update(call.caller, id, change)).version);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${PATH}/:id`,
      operationId: "deleteZone",
      tag: "zones",
      summary: "Delete a zone; its items are not deleted",
      tokens: A_S_U,
      answers: { 200: undefined },
      errors: ["Zone Invalid", "Zone Not Found", "Access Denied", "Precondition Failed"],
      handle: async (call) => {
        await zones.delete(call.caller, call.params.id, ifMatch(call.header("if-match")));
        return done();
      },
    }),
  ];
}

const SERVICES = "/api/zones/:id/services/:selector";

/** `/api/zones/:id/services/:selector`: properties of the devices in a zone and its nested zones, each device once, read and written. */
export function zoneServiceRoutes({ devices, references }: { devices: Devices; references: References }): Route[] {
  const scopeOf = async (caller: Caller, reference: string) =>
    devices.inZone(await references.resolve(caller, "zon", reference));
  return [
    defineRoute({
      method: "GET",
      path: SERVICES,
      operationId: "getZoneProperties",
      tag: "zones",
      summary: "Read properties of all devices in a zone and its zones",
      tokens: A_S_U,
      query: READ_QUERY,
      answers: { 200: propertyList },
      waitsForDevices: true,
      errors: [
        "Zone Invalid",
        "Zone Not Found",
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
      path: SERVICES,
      operationId: "setZoneProperties",
      tag: "zones",
      summary: "Set a property on all devices in a zone and its zones",
      tokens: A_S_U,
      takesIdempotencyKey: true,
      body: WIDE_BODY,
      answers: { 200: writeList },
      waitsForDevices: true,
      commandId: "sometimes",
      errors: ["Zone Invalid", "Zone Not Found", "Access Denied", "Service Not Found", "Service Property Invalid"],
      handle: async (call) => {
        const scope = await scopeOf(call.caller, call.params.id);
        return answerWideWrite(devices, call, scope, call.params.selector);
      },
    }),
  ];
}
