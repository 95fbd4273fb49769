/** `/api/zones`: named groups of devices and zones of an environment. */
import { newZone, page, zone, zoneUpdate } from "@porchlight/shared/api";
import { newZoneResource, type Zones, zoneResource } from "../../../places/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { ifMatch, unlessMatch } from "../../routing/conditions.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { PAGING } from "../../routing/query.ts";
import { A_S_U, created, defineRoute, done, ok, type Route } from "../../routing/route.ts";
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
