/** `porchlight-sim new [KIND]`: a commented example that runs, for a file of one's own. */
import { Command } from "commander";
import { exampleFile } from "../devices/example-file.ts";
import { KINDS } from "../devices/kinds.ts";
import { unknownWord } from "../devices/suggestion.ts";
import { UsageError } from "./usage.ts";

/** The command, for the program's list. */
export function newCommand(): Command {
  return new Command("new")
    .argument("[kind]", "a ready-made device, or `custom` for one that you describe yourself", "colour-light")
    .description(
      "Print a commented example file: porchlight-sim new KIND > FILE.yaml, then porchlight-sim run FILE.yaml.",
    )
    .addHelpText("after", `\nKinds: custom, ${[...KINDS.keys()].join(", ")}`)
    .action((kind: string) => {
      const file = exampleFile(kind);
      if (file === undefined) throw new UsageError(unknownWord("kind", kind, ["custom", ...KINDS.keys()]));
      process.stdout.write(file);
    });
}
