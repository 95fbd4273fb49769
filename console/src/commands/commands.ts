/** `porchlight commands`: the state or outcome of a write. */
import type { Command } from "../session/command.ts";

export const commands: readonly Command[] = [
  {
    name: "get",
    summary: "Shows the result of a write",
    parameters: [{ name: "COMMAND", summary: "ID of the command (`cmd_…`)" }],
    examples: ["porchlight commands get cmd_01h455vb4pex5vsknk084sn02q"],
    async run({ output, porchlight }, args) {
      output.record(await porchlight.commands.get(args.word("COMMAND")));
    },
  },
];
