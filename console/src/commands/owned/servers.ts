/** `porchlight servers`: your own programs with unrestricted access to an ecosystem. */
import { server } from "@porchlight/shared/api";
import { ECOSYSTEM } from "../../session/places.ts";
import { ALIAS, CREATED, ID } from "../listing.ts";
import { objectCommands } from "../objects.ts";

export const servers = objectCommands({
  noun: "servers",
  one: "server",
  kind: "server",
  columns: [ID, ALIAS, CREATED],
  schema: server,
  example: "backend",
  calls: ({ servers }) => servers,
  list: { options: [ECOSYSTEM], filter: async (places) => ({ ecosystemId: await places.chosenEcosystem() }) },
  create: {
    options: [ECOSYSTEM],
    body: async (common, places) => ({ ...common, ecosystemId: await places.chosenEcosystem() }),
    examples: ["porchlight servers create --alias backend"],
  },
  update: {},
  deleteNote: "Its tokens end with it.",
});
