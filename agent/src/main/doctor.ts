/** `porchlight-agent doctor`: looks at all that a hub needs, and says of what is wrong how to cure it. */
import { type Check, examine, type Verdict } from "../ops/index.ts";
import { type AddCommand, EXIT } from "./command.ts";
import { runSettings, withRunFlags } from "./run-flags.ts";

const WORDS: Readonly<Record<Verdict, string>> = { good: "good", look: "look", bad: "BAD " };

export const addDoctor: AddCommand = (program, around) => {
  withRunFlags(program.command("doctor"))
    .description("look for what is wrong with this hub, and say how to cure it")
    .option("--json", "as JSON, for programs")
    .action(async ({ json, ...flags }: Record<string, unknown>) => {
      const checks: Check[] = [];
      for await (const check of examine(runSettings(flags, around), around.clock)) {
        checks.push(check);
        if (!json) around.out(lines(check));
      }
      if (json) around.out(`${JSON.stringify(checks)}\n`);
      if (checks.some(({ verdict }) => verdict === "bad")) around.endWith(EXIT.failed);
    });
};

function lines({ name, verdict, says, cure }: Check): string {
  return `${WORDS[verdict]}  ${name}: ${says}\n${cure === undefined ? "" : `      ${cure}\n`}`;
}
