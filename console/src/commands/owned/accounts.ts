/** `porchlight accounts`: sign-up, the account itself, its log-ins, and the user's side of a log-in by code. */
import { type CodeLogIn, loginEntry } from "@porchlight/shared/api";
import { styled } from "../../render/style.ts";
import { type Column, padded } from "../../render/table.ts";
import type { Option } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";
import { confirm, PASSWORD_STDIN, secrets, YES } from "../../session/questions.ts";
import { fieldsOfSchema } from "../../session/where.ts";
import { CREATED, ID, LISTING, pageSizeOf, showAll } from "../listing.ts";
import { exportAccount } from "./account-export.ts";
import { endGrant, endGrants, GRANT_COLUMNS, listGrants } from "./account-grants.ts";

const EMAIL: Option = { name: "email", value: "EMAIL", summary: "E-mail address" };
const NAME: Option = { name: "name", value: "NAME", summary: "Your name, as the portal shows it" };

const LOGIN_COLUMNS: readonly Column[] = [
  ID,
  { heading: "type", path: "type" },
  CREATED,
  { heading: "last used", path: "lastUsedAt" },
  { heading: "expires", path: "expiresAt" },
  { heading: "address", path: "address" },
  { heading: "program", path: "userAgent" },
];

const CODE = { name: "CODE", summary: "Code that the program shows: BCDF-GHJK" } as const;

const approveLogIn: Command = {
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

const denyLogIn: Command = {
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

export const accounts: readonly Command[] = [
  {
    name: "create",
    summary: "Signs up: an account with an ecosystem, an environment and you as a user",
    options: [{ ...EMAIL, isRequired: true }, NAME, PASSWORD_STDIN],
    examples: [
      "porchlight accounts create --email ada@example.com",
      "porchlight accounts create --email ada@example.com --password-stdin < password.txt",
    ],
    async run(context, args) {
      const [password = ""] = await secrets(context, args, ["Password"]);
      const name = args.text("name");
      const body = { email: args.text("email") ?? "", password, ...(name !== undefined && { name }) };
      context.output.record(await context.anonymous.accounts.create(body));
      context.output.note(`Log in with: porchlight login --api-url ${context.connection.apiUrl}`);
    },
  },
  {
    name: "get",
    summary: "Shows your account",
    examples: ["porchlight accounts get"],
    async run({ output, porchlight }) {
      output.record(await porchlight.account.get());
    },
  },
  {
    name: "update",
    summary: "Changes your account; asks for the current password",
    options: [
      NAME,
      { name: "no-name", summary: "Removes the name" },
      EMAIL,
      { name: "new-password", summary: "Also asks for a new password, which ends all other log-ins" },
      PASSWORD_STDIN,
    ],
    examples: ["porchlight accounts update --name Ada", "porchlight accounts update --new-password"],
    async run(context, args) {
      const isNew = args.has("new-password");
      const [name, email] = [args.has("no-name") ? null : args.text("name"), args.text("email")];
      if (name === undefined && email === undefined && !isNew)
        throw new UsageError("There is nothing to change.", "No field was given.", "porchlight help accounts update");
      const questions = ["Current password", ...(isNew ? ["New password"] : [])];
      const [currentPassword = "", password] = await secrets(context, args, questions);
      const changed = { ...(name !== undefined && { name }), ...(email !== undefined && { email }) };
      await context.porchlight.account.update({ ...changed, ...(isNew && { password }), currentPassword });
      context.output.note("Changed your account.");
    },
  },
  {
    name: "delete",
    summary: "Deletes your account and everything that it owns; asks for the password",
    options: [YES, PASSWORD_STDIN],
    examples: ["porchlight accounts delete"],
    async run(context, args) {
      await confirm(context, args, "Permanently delete the account with all its homes, devices, users and tokens?");
      const [currentPassword = ""] = await secrets(context, args, ["Password"]);
      await context.porchlight.account.delete(currentPassword);
      context.output.note("The account is deleted.");
    },
  },
  exportAccount,
  {
    name: "verify",
    summary: "Verifies your e-mail address with the code from the e-mail",
    options: [PASSWORD_STDIN],
    examples: ["porchlight accounts verify"],
    notes: [
      "Log in first, if tokens, servers or webhooks of the account exist: without a log-in of the account, everything that had access before ends.",
    ],
    async run(context, args) {
      const [code = ""] = await secrets(context, args, ["Code"]);
      const isLoggedIn = context.connection.token !== undefined;
      await (isLoggedIn ? context.porchlight : context.anonymous).accounts.verify(code.trim());
      context.output.note("The e-mail address is verified.");
    },
  },
  {
    name: "reset-password",
    summary: "Sends a code by e-mail to replace a forgotten password",
    options: [{ ...EMAIL, isRequired: true }],
    examples: ["porchlight accounts reset-password --email ada@example.com"],
    async run({ anonymous, output }, args) {
      const email = args.text("email") ?? "";
      await anonymous.accounts.requestPasswordReset(email);
      output.note(`If ${email} has an account, a code is on its way. Next: porchlight accounts confirm-reset`);
    },
  },
  {
    name: "confirm-reset",
    summary: "Sets a new password with that code, and ends all log-ins",
    options: [PASSWORD_STDIN],
    examples: ["porchlight accounts confirm-reset"],
    async run(context, args) {
      const [code = "", password = ""] = await secrets(context, args, ["Code", "New password"]);
      const result = await context.anonymous.accounts.confirmPasswordReset({ code: code.trim(), password });
      if (context.output.isJson) context.output.json(result);
      else if (result.left.length > 0) context.output.list(GRANT_COLUMNS, result.left);
      context.output.note("The password is changed. Log in with: porchlight login");
      if (result.leftCount > 0)
        context.output.note(
          `${result.leftCount} tokens, webhooks and sinks still have access: porchlight accounts grants`,
        );
    },
  },
  {
    name: "logins",
    summary: "Lists your log-ins: portal, console and programs",
    options: LISTING,
    examples: ["porchlight accounts logins"],
    async run(context, args) {
      const logIns = context.porchlight.account.logIns(pageSizeOf(args));
      const fields = fieldsOfSchema(loginEntry);
      await showAll(context, args, logIns, { columns: LOGIN_COLUMNS, fields, noun: "log-ins" });
    },
  },
  {
    name: "end-login",
    summary: "Ends one of your log-ins",
    parameters: [{ name: "LOGIN", summary: "ID of the log-in (`tok_…`), as `accounts logins` lists it" }],
    options: [YES],
    examples: ["porchlight accounts end-login tok_01h455vb4pex5vsknk084sn02q"],
    async run(context, args) {
      const id = args.word("LOGIN");
      await confirm(context, args, `End the log-in ${id}?`);
      await context.porchlight.account.endLogIn(id);
      context.output.note(`Ended ${id}.`);
    },
  },
  listGrants,
  endGrant,
  endGrants,
  approveLogIn,
  denyLogIn,
];
