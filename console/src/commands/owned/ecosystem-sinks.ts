/** `porchlight ecosystems sink`, `set-sink`, `test-sink` and `delete-sink`: the database that receives the property values. */
import type { SinkUpdate } from "@porchlight/shared/api";
import type { Args } from "../../session/args.ts";
import type { Command } from "../../session/command.ts";
import { confirm, YES } from "../../session/confirm.ts";
import type { Context } from "../../session/context.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import { readText } from "../../session/fields.ts";
import { Places } from "../../session/places.ts";

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

export const ecosystemSinks: readonly Command[] = [
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
