/** `…/services/:selector/why`: explains the present value of a property. */
import { why as whyResource } from "@porchlight/shared/api";
import type { References } from "../../../access/index.ts";
import type { Why } from "../../../why/index.ts";
import { A_S_U, defineRoute, ok, type Route } from "../../routing/route.ts";

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
