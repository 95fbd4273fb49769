/** `porchlight login`: an authentication token, which does not expire, for e-mail and password; shown once, and kept. */

import type { Args } from "../../session/args.ts";
import type { Action } from "../../session/command.ts";
import type { Context } from "../../session/context.ts";
import { UsageError } from "../../session/failure.ts";
import type { Profile } from "../../settings/settings-file.ts";

const PASSWORD_INSTEAD = "--password-stdin, and the password on stdin";

export const login: Action = {
  options: [
    { name: "email", value: "EMAIL", summary: "Of the account; asked for when it is left out" },
    { name: "password-stdin", summary: "Takes the password from stdin instead of asking" },
  ],
  examples: [
    "porchlight login --api-url https://porchlight.example",
    "porchlight login --email ada@example.com --password-stdin < password.txt",
    "porchlight login --profile work --api-url https://porchlight.example",
  ],
  notes: [
    "The token is shown and kept in the settings file, which only you can read. It does not expire: `porchlight logout` ends it, and `porchlight accounts logins` lists all that there are.",
  ],
  async run(context, args) {
    const { output, connection, settings, anonymous } = context;
    if (connection.tokenFrom === "PORCHLIGHT_TOKEN")
      output.note("PORCHLIGHT_TOKEN is set, and goes before what is kept here as long as it is.");
    const { email, password } = await credentials(context, args);
    const made = await anonymous.accounts.logIn({ email, password, console: true });
    const { token = "", accountId, id: tokenId } = made;
    // First: a file that cannot be written is not to cost the token.
    if (output.isJson) output.json(made);
    else output.line(token);
    const former = settings.read().profiles[connection.profile];
    settings.change((before) => ({
      ...before,
      current: connection.profile,
      profiles: {
        ...before.profiles,
        [connection.profile]: {
          ...placesOf(before.profiles[connection.profile], connection.apiUrl, accountId),
          ...{ apiUrl: connection.apiUrl, token, tokenId, accountId, email },
        },
      },
    }));
    output.note(`Logged in as ${email} at ${connection.apiUrl} (profile ${connection.profile}).`);
    output.note(`This authentication token does not expire. It is kept in ${settings.path}.`);
    if (former?.token !== undefined && former.apiUrl === connection.apiUrl && former.tokenId !== undefined)
      output.note(`The one that was kept before is still good: porchlight accounts end-login ${former.tokenId}`);
  },
};

/** What a profile said of places holds on for the same account only. */
function placesOf(before: Profile | undefined, apiUrl: string, accountId: string) {
  if (before?.apiUrl !== apiUrl || before.accountId !== accountId) return {};
  return { environment: before.environment, ecosystem: before.ecosystem };
}

async function credentials(context: Context, args: Args): Promise<{ email: string; password: string }> {
  const { prompts, connection, output } = context;
  const isPiped = args.has("password-stdin");
  if (isPiped && args.text("email") === undefined)
    throw new UsageError("--email is missing.", "With --password-stdin nothing is asked.", "give --email EMAIL");
  if (isInClear(connection.apiUrl))
    output.note(`${connection.apiUrl} is plain http: anyone on the network path can read the password.`);
  const email = args.text("email") ?? (await prompts.ask("E-mail: ", "--email EMAIL and --password-stdin"));
  const password = isPiped ? await prompts.piped() : await prompts.askHidden("Password: ", PASSWORD_INSTEAD);
  return { email: email.trim(), password };
}

/** Whether what is sent leaves this machine for all to read. */
function isInClear(apiUrl: string): boolean {
  const { protocol, hostname } = new URL(apiUrl);
  return protocol === "http:" && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
