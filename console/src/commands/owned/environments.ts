/** `porchlight environments`: homes and other places with devices, and one property over all of a place's devices. */
import { environment } from "@porchlight/shared/api";
import { ECOSYSTEM } from "../../session/places.ts";
import { ALIAS, CREATED, ID } from "../objects/columns.ts";
import { objectCommands } from "../objects/objects.ts";
import { environmentServices } from "../values/services.ts";
import { widePropertyCommands } from "../values/wide-properties.ts";

export const environments = [
  ...objectCommands({
    noun: "environments",
    one: "environment",
    kind: "environment",
    columns: [ID, ALIAS, { heading: "ecosystem", path: "ecosystemId", isWhole: true }, CREATED],
    schema: environment,
    example: "home",
    calls: ({ environments }) => environments,
    list: {
      options: [ECOSYSTEM],
      filter: async (places) => ({ ecosystemId: await places.chosenEcosystem() }),
    },
    create: {
      options: [ECOSYSTEM],
      body: async (common, places) => ({ ...common, ecosystemId: await places.chosenEcosystem() }),
      examples: ["porchlight environments create --alias home"],
    },
    update: {},
    deleteNote: "All zones, devices and hubs in it are deleted too.",
  }),
  environmentServices,
  ...widePropertyCommands({
    noun: "environments",
    kind: "environment",
    example: "home",
    calls: ({ environments }) => environments,
  }),
];
