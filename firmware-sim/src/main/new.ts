/**
 * `porchlight-sim new [KIND]`: prints a commented example that runs, as the start of your own file; with `--c`, the firmware's tables
 * for a file.
 */
import { Command } from "commander";
import { cTables } from "../simulator/devices/c-tables.ts";
import { exampleFile } from "../simulator/devices/example-file.ts";
import { KINDS } from "../simulator/devices/kinds.ts";
import { unknownWord } from "../simulator/devices/schema-problems.ts";
import { nodesOf, UsageError } from "./command-line.ts";

/** The `new` command. */
export function newCommand(): Command {
  return new Command("new")
    .argument("[kind]", "a ready-made device, or `custom` for one that you describe yourself", "colour-light")
    .description(
      "Print a commented example file: porchlight-sim new KIND > FILE.yaml, then porchlight-sim run FILE.yaml.",
    )
    .option("--c <file>", "print the tables of the one node in this file for porchlight.c, instead of an example")
    .addHelpText("after", `\nKinds: custom, ${[...KINDS.keys()].join(", ")}`)
    .action((kind: string, { c }: { readonly c?: string }) => {
      if (c !== undefined) {
        process.stdout.write(tablesOf(c));
        return;
      }
      const file = exampleFile(kind);
      if (file === undefined) throw new UsageError(unknownWord("kind", kind, ["custom", ...KINDS.keys()]));
      process.stdout.write(file);
    });
}

function tablesOf(file: string): string {
  const [node, ...more] = nodesOf(file);
  if (!node || more.length > 0) throw new UsageError(`${file}: it must have one node`);
  return cTables(node);
}
