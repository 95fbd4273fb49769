/** `porchlight clients` and `porchlight hubs`: the same objects under the API's and the users' name; hubs are added by pairing. */
import { client } from "@porchlight/shared/api";
import type { Column } from "../../render/table.ts";
import { ENVIRONMENT } from "../../session/places.ts";
import { hubsPair } from "../access/hubs-pair.ts";
import { ALIAS, ID } from "../columns.ts";
import { objectCommands } from "../objects.ts";
import { hubDrivers } from "./hub-drivers.ts";
import { hubMaintenance } from "./hub-maintenance.ts";

const COLUMNS: readonly Column[] = [
  ID,
  ALIAS,
  { heading: "state", path: "connection.state" },
  { heading: "since", path: "connection.since" },
  { heading: "agent", path: "connection.agentVersion" },
  { heading: "ms", path: "connection.roundTripMs", isExtra: true },
  { heading: "edge ID", path: "edgeId", isExtra: true },
];

/** @param isMadeHere whether there is a `create` command; hubs are added by pairing instead */
function clientCommands(noun: "clients" | "hubs", one: "client" | "hub", isMadeHere: boolean) {
  return objectCommands({
    ...{ noun, one },
    kind: "client",
    columns: COLUMNS,
    schema: client,
    example: "'home;hub'",
    calls: ({ clients }) => clients,
    list: {
      options: [ENVIRONMENT],
      filter: async (places) => ({ environmentId: await places.chosenEnvironment() }),
    },
    ...(isMadeHere && {
      create: {
        options: [ENVIRONMENT],
        body: async (common, places) => ({ environmentId: await places.environment(), ...common }),
        examples: ["porchlight clients create --environment home --alias bridge"],
      },
    }),
    update: {},
    deleteNote: "The devices on it are deleted too.",
  });
}

export const clients = clientCommands("clients", "client", true);
export const hubs = [...clientCommands("hubs", "hub", false), hubsPair, ...hubDrivers, ...hubMaintenance];
