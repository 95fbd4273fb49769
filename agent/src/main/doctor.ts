/** `porchlight-agent doctor`: looks at all that a hub needs, and says of what is wrong how to cure it. */
import { printableValue } from "@porchlight/shared/model";
import { type Check, examine } from "../ops/index.ts";
import { type AddCommand, EXIT } from "./command.ts";
import { runSettings, withRunFlags } from "./run-flags.ts";

/** Width of the longest verdict. */
const WIDTH = "warning".length;

export const addDoctor: AddCommand = (program, around) => {
  withRunFlags(program.command("doctor"))
    .description("check everything that this hub needs, and say how to fix it; exit status 1 when a check failed")
    .option("--json", "print JSON")
    .action(async ({ json, ...flags }: Record<string, unknown>) => {
      const checks: Check[] = [];
      for await (const check of examine(runSettings(flags, around), around.clock)) {
        checks.push(check);
        if (!json) around.out(lines(printableValue(check)));
      }
      if (json) around.out(`${JSON.stringify(checks)}\n`);
      if (checks.some(({ verdict }) => verdict === "failed")) around.endWith(EXIT.failed);
    });
};

function lines({ name, verdict, says, cure }: Check): string {
  const margin = " ".repeat(WIDTH + 2);
  return `${verdict.padEnd(WIDTH)}  ${name}: ${says}\n${cure === undefined ? "" : `${margin}${cure}\n`}`;
}
