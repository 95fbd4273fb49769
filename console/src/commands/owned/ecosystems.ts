/** `porchlight ecosystems`: the ecosystems of an account, each with its environments, users and servers. */
import { ecosystem } from "@porchlight/shared/api";
import type { Command, Parameter } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";
import { Places } from "../../session/places.ts";
import { ALIAS, CREATED, ID } from "../columns.ts";
import { objectCommands } from "../objects.ts";
import { ecosystemSinks } from "./ecosystem-sinks.ts";

const SUBJECT: Parameter = { name: "ECOSYSTEM", summary: "ID of the ecosystem, or its alias" };

const DAYS = [1, 36_600] as const;

const HISTORY: readonly Command[] = [
  {
    name: "history",
    summary: "Shows how long an ecosystem keeps history",
    parameters: [SUBJECT],
    examples: ["porchlight ecosystems history eco_01h455vb4pex5vsknk084sn02q"],
    async run(context, args) {
      const reference = await new Places(context, args).reference("ecosystem", args.word("ECOSYSTEM"));
      context.output.record(await context.porchlight.ecosystems.historySettings(reference));
    },
  },
  {
    name: "set-history",
    summary: "Changes how long an ecosystem keeps history, or turns it on or off",
    parameters: [SUBJECT],
    options: [
      { name: "on", summary: "Changes are recorded" },
      { name: "off", summary: "Changes are no longer recorded; what was recorded stays" },
      { name: "raw-days", value: "DAYS", summary: "For how many days each change is kept", number: DAYS },
      { name: "statistics-days", value: "DAYS", summary: "For how many days statistics are kept", number: DAYS },
    ],
    examples: [
      "porchlight ecosystems set-history eco_01h455vb4pex5vsknk084sn02q --raw-days 30",
      "porchlight ecosystems set-history eco_01h455vb4pex5vsknk084sn02q --off",
    ],
    async run(context, args) {
      const [rawDays, statisticsDays] = [args.number("raw-days"), args.number("statistics-days")];
      if (args.has("on") && args.has("off"))
        throw new UsageError(
          "--on and --off exclude each other.",
          "History is recorded or not.",
          "give only one of them",
        );
      const change = {
        ...((args.has("on") || args.has("off")) && { enabled: args.has("on") }),
        ...(rawDays !== undefined && { rawDays }),
        ...(statisticsDays !== undefined && { statisticsDays }),
      };
      if (Object.keys(change).length === 0)
        throw new UsageError("There is nothing to change.", "No option says what.", "give --raw-days 30");
      const reference = await new Places(context, args).reference("ecosystem", args.word("ECOSYSTEM"));
      const { ecosystems } = context.porchlight;
      await ecosystems.updateHistorySettings(reference, change);
      context.output.record(await ecosystems.historySettings(reference));
    },
  },
];

const OBJECTS = objectCommands({
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

export const ecosystems: readonly Command[] = [...OBJECTS, ...HISTORY, ...ecosystemSinks];
