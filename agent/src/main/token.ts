/** `porchlight-agent token`: makes, lists and revokes the tokens by which programs in the home use the hub's own API. */
import { z } from "zod";
import { askExactly, askRunning } from "./asking.ts";
import { type AddCommand, CommandFailed, onDataFolder } from "./command.ts";

const shown = z.object({ id: z.string(), label: z.string(), createdAt: z.string() });
const made = shown.extend({ token: z.string() });

interface Given {
  readonly data: string;
  readonly json?: boolean;
}

export const addToken: AddCommand = (program, around) => {
  const { out, err } = around;
  const token = program.command("token").description("manage tokens of the API at home");
  onDataFolder(token.command("create"), around)
    .description("create a token; it is shown only once")
    .option("--name <name>", "name of the token", "")
    .option("--json", "print JSON")
    .action(async ({ data, name, json }: Given & { readonly name: string }) => {
      const ask = json ? askExactly : askRunning;
      const answer = understood(made, await ask(data, { ask: "token create", about: { label: name } }, around));
      out(`${json ? JSON.stringify(answer) : answer.token}\n`);
      if (!json)
        err(
          `The ID of this token is ${answer.id}. The token is shown only now. It can do everything that a user of the home can do.\n`,
        );
    });
  onDataFolder(token.command("list"), around)
    .description("list the tokens, oldest first")
    .option("--json", "print JSON")
    .action(async ({ data, json }: Given) => {
      const ask = json ? askExactly : askRunning;
      const answer = understood(z.array(shown), await ask(data, { ask: "token list" }, around));
      const lines = answer.map(({ id, createdAt, label }) => `${id}  ${createdAt}  ${label}`.trimEnd());
      out(json ? `${JSON.stringify(answer)}\n` : lines.map((line) => `${line}\n`).join(""));
    });
  onDataFolder(token.command("revoke <id>"), around)
    .description("revoke a token at once")
    .action(async (id: string, { data }: Given) => {
      await askRunning(data, { ask: "token revoke", about: { id } }, around);
      out(`${id} is revoked\n`);
    });
};

/** @throws CommandFailed when the agent speaks other words */
function understood<T>(schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new CommandFailed("an agent of another version runs on this data folder: restart it");
  return parsed.data;
}
