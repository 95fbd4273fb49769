/** `porchlight accounts approve-login` and `deny-login`: the user's side of a log-in by code. */
import type { CodeLogIn } from "@porchlight/shared/api";
import { styled } from "../../render/style.ts";
import { padded } from "../../render/table.ts";
import type { Command } from "../../session/command.ts";
import { confirm, YES } from "../../session/confirm.ts";
import type { Context } from "../../session/context.ts";

const CODE = { name: "CODE", summary: "Code that the program shows: BCDF-GHJK" } as const;

export const approveLogIn: Command = {
  name: "approve-login",
  summary: "Lets the program that shows a code log in to your account",
  parameters: [CODE],
  options: [YES],
  examples: ["porchlight accounts approve-login BCDF-GHJK"],
  notes: [
    "It shows which program asks, and its address, then asks you to confirm. The program can then do everything that you can: approve only a code that you requested yourself, for example with `porchlight login --browser`.",
  ],
  async run(context, args) {
    const code = args.word("CODE");
    show(context, await context.porchlight.account.codeLogIn(code));
    await confirm(context, args, "Did you start this log-in, and is the code the same?");
    await context.porchlight.account.approveCodeLogIn(code);
    context.output.note("Approved: the program is logged in at its next poll.");
  },
};

export const denyLogIn: Command = {
  name: "deny-login",
  summary: "Refuses the program that shows a code",
  parameters: [CODE],
  examples: ["porchlight accounts deny-login BCDF-GHJK"],
  async run({ output, porchlight }, args) {
    await porchlight.account.denyCodeLogIn(args.word("CODE"));
    output.note("Denied.");
  },
};

/** Writes to stderr, as part of the question. */
function show({ output }: Context, { userCode, userAgent, address, expiresAt }: CodeLogIn): void {
  output.note("A program asks to log in to your account:");
  const facts = { code: userCode, program: userAgent ?? "unknown", address, "valid until": expiresAt };
  for (const [name, value] of Object.entries(facts)) output.note("  ", styled("dim", padded(name, 13)), value);
  output.note("If somebody else gave you this code, do not approve it: they would be logged in as you.");
}
