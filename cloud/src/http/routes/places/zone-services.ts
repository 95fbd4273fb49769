/** `/api/zones/:id/services/:selector`: properties of the devices in a zone and its nested zones, each device once, read and written. */
import { propertyList, writeList } from "@porchlight/shared/api";
import { READ_QUERY, readAsked } from "@porchlight/shared/rest";
import type { Caller, References } from "../../../access/index.ts";
import type { Devices } from "../../../devices/index.ts";
import { A_S_U, COMMANDS_GO_ON, defineRoute, type Route } from "../../routing/route.ts";
import { answerProperties, answerWideWrite } from "../devices/property-answers.ts";
import { WIDE_BODY } from "../devices/property-write.ts";

const PATH = "/api/zones/:id/services/:selector";

export function zoneServiceRoutes({ devices, references }: { devices: Devices; references: References }): Route[] {
  const scopeOf = async (caller: Caller, reference: string) =>
    devices.inZone(await references.resolve(caller, "zon", reference));
  return [
    defineRoute({
      method: "GET",
      path: PATH,
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
      path: PATH,
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
