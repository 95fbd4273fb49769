/**
 * `porchlight ecosystems`: the ecosystems of an account, each with its environments, users and servers, and the database that receives
 * its property values.
 */
import { ecosystem, type SinkUpdate } from "@porchlight/shared/api";
import type { Args, Parameter } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import { readText } from "../../session/fields.ts";
import { Places } from "../../session/places.ts";
import { confirm, YES } from "../../session/questions.ts";
import { ALIAS, CREATED, ID } from "../listing.ts";
import { objectCommands } from "../objects.ts";

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

const ECOSYSTEM = { name: "ECOSYSTEM", summary: "ID or reference of the ecosystem" };
const EXAMPLE = "eco_01h455vb4pex5vsknk084sn02q";
const SET = "porchlight help ecosystems set-sink";

const ecosystemOf = (context: Context, args: Args) =>
  new Places(context, args).reference("ecosystem", args.word("ECOSYSTEM"));

/** @throws UsageError when nothing changes, or two options contradict each other */
function changeOf(args: Args): SinkUpdate {
  const [url, file, prefix] = [args.text("url"), args.text("token-file"), args.text("measurement-prefix")];
  const token = file === undefined ? undefined : readText(file, "--token-file").replace(/\r?\n$/, "");
  if (token !== undefined && args.has("no-token"))
    throw new UsageError("--token-file and --no-token contradict each other.", "Give one of them.", SET);
  if (args.has("enable") && args.has("disable"))
    throw new UsageError("--enable and --disable contradict each other.", "Give one of them.", SET);
  const change = {
    ...(url !== undefined && { url }),
    ...(token !== undefined && { token }),
    ...(args.has("no-token") && { token: null }),
    ...(prefix !== undefined && { measurementPrefix: prefix }),
    ...(args.has("enable") && { enabled: true }),
    ...(args.has("disable") && { enabled: false }),
  };
  if (Object.keys(change).length > 0) return change;
  throw new UsageError("There is nothing to change.", "No field was given.", SET);
}

const ecosystemSinks: readonly Command[] = [
  {
    name: "sink",
    summary: "Shows where the property values of an ecosystem are written to, and how far that has come",
    parameters: [ECOSYSTEM],
    examples: [`porchlight ecosystems sink ${EXAMPLE}`],
    async run(context, args) {
      context.output.record(await context.porchlight.ecosystems.sink(await ecosystemOf(context, args)));
    },
  },
  {
    name: "set-sink",
    summary: "Sets or changes where the property values of an ecosystem are written to",
    parameters: [ECOSYSTEM],
    options: [
      { name: "url", value: "URL", summary: "Address for writes in line protocol, with the database in its query" },
      { name: "token-file", value: "FILE", summary: "File with the token of the receiver; `-` is stdin" },
      { name: "no-token", summary: "Removes the stored token" },
      { name: "measurement-prefix", value: "TEXT", summary: "Stands before the service class in each measurement" },
      { name: "enable", summary: "Writes again, from now on" },
      { name: "disable", summary: "Writes nothing" },
    ],
    examples: [
      `porchlight ecosystems set-sink ${EXAMPLE} --url 'https://influx.example/api/v2/write?org=home&bucket=porchlight' --token-file token.txt`,
      `porchlight ecosystems set-sink ${EXAMPLE} --disable`,
    ],
    notes: [
      "Fields that you do not give stay unchanged. The token is sent as `authorization: Token …`, or as it is when it begins with `Bearer `, `Basic ` or `Token `.",
    ],
    async run(context, args) {
      await context.porchlight.ecosystems.setSink(await ecosystemOf(context, args), changeOf(args));
      context.output.note(`Set the sink of ${args.word("ECOSYSTEM")}.`);
    },
  },
  {
    name: "test-sink",
    summary: "Asks the receiver of a sink with a write that has no lines",
    parameters: [ECOSYSTEM],
    examples: [`porchlight ecosystems test-sink ${EXAMPLE}`],
    notes: ["The exit status is 1 when the receiver does not take it."],
    async run(context, args) {
      const result = await context.porchlight.ecosystems.testSink(await ecosystemOf(context, args));
      context.output.record(result);
      if (!result.taken)
        throw new Failure(
          "failed",
          "The receiver does not take writes.",
          `${result.error ?? "There is no reason"}.`,
          "check the URL and the token: porchlight help ecosystems set-sink",
        );
    },
  },
  {
    name: "delete-sink",
    summary: "Deletes the sink of an ecosystem; what was written stays with its receiver",
    parameters: [ECOSYSTEM],
    options: [YES],
    examples: [`porchlight ecosystems delete-sink ${EXAMPLE}`],
    async run(context, args) {
      const word = args.word("ECOSYSTEM");
      await confirm(context, args, `Delete the sink of ${word}?`);
      await context.porchlight.ecosystems.deleteSink(await ecosystemOf(context, args));
      context.output.note(`Deleted the sink of ${word}.`);
    },
  },
];

export const ecosystems: readonly Command[] = [...OBJECTS, ...HISTORY, ...ecosystemSinks];
