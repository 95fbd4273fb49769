/** `/api/commands`: the state of a command. */
import { command } from "@porchlight/shared/api";
import { type References, referenceNotFound } from "../../../access/index.ts";
import { commandResource, type Devices } from "../../../devices/index.ts";
import { A_S_U, defineRoute, ok, type Route } from "../../routing/route.ts";

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
