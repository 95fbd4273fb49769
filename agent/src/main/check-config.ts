/** `porchlight-agent check-config`: says whether the settings are valid, before a restart finds that they are not. */
import { readFileSync } from "node:fs";
import { tokenFile } from "../config/index.ts";
import { type AddCommand, CommandFailed, EXIT } from "./command.ts";
import { runSettings, withRunFlags } from "./run-flags.ts";

export const addCheckConfig: AddCommand = (program, around) => {
  withRunFlags(program.command("check-config"))
    .description("check the settings of `run`")
    .action((flags) => {
      const settings = runSettings(flags, around);
      tokenFile(settings).read();
      if (settings.ca !== undefined) certificates(settings.ca);
      around.out("the settings are valid\n");
    });
};

function certificates(path: string): void {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (failure) {
    throw new CommandFailed(`the CA file ${path} cannot be read (${(failure as NodeJS.ErrnoException).code})`);
  }
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new CommandFailed(`the CA file ${path} contains no certificate`, EXIT.refused);
}
