/** `porchlight ecosystems`: what an account owns, each with its environments, users and servers. */
import { ecosystem } from "@porchlight/shared/api";
import { ALIAS, CREATED, ID } from "../objects/columns.ts";
import { objectCommands } from "../objects/objects.ts";

export const ecosystems = objectCommands({
  noun: "ecosystems",
  one: "ecosystem",
  kind: "ecosystem",
  columns: [ID, ALIAS, CREATED],
  schema: ecosystem,
  example: "eco_01h455vb4pex5vsknk084sn02q",
  calls: ({ ecosystems }) => ecosystems,
  list: { options: [], filter: async () => ({}) },
  create: {
    options: [],
    body: async (common) => common,
    examples: ["porchlight ecosystems create --alias north"],
  },
  update: {},
  deleteNote: "Everything in it is deleted too.",
});
