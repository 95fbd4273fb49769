/** `porchlight login`: with a browser, with e-mail and password, or with an existing token. The token is stored. */
import { isPorchlightError, type PorchlightError } from "@porchlight/sdk";
import type { Login, StartedCodeLogIn } from "@porchlight/shared/api";
import { sleep } from "@porchlight/shared/kernel";
import type { Args } from "../../session/args.ts";
import type { Action, Context } from "../../session/command.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import type { Profile } from "../../settings/settings-file.ts";

const PASSWORD_INSTEAD = "--password-stdin, and the password on stdin";
const WAYS = ["browser", "password", "token"] as const;
type Way = (typeof WAYS)[number];

export const login: Action = {
  options: [
    { name: "browser", summary: "Shows a code, which you approve in a browser where you are logged in" },
    { name: "email", value: "EMAIL", summary: "E-mail address of the account; asks for the password" },
    { name: "password-stdin", summary: "Reads the password from stdin instead of asking" },
    { name: "with-token", summary: "Reads a token from stdin, and stores it" },
  ],
  examples: [
    "porchlight login --api-url https://porchlight.example",
    "porchlight login --browser",
    "porchlight login --email ada@example.com --password-stdin < password.txt",
    "porchlight login --with-token --profile backend < token.txt",
  ],
  notes: [
    "On a terminal it asks whether to use a browser or a password. The token is stored in the settings file, which only you can read. It does not expire: `porchlight logout` ends it, and `porchlight accounts logins` lists all log-ins.",
    "--browser does not open a browser. It shows an address and a code. Open the address on any machine, compare the code, and approve it. Approve only a code that you requested yourself: a person who sends you a code wants to be logged in as you.",
    "--with-token takes an account, authentication, server or user token. The token is checked, and never shown.",
  ],
  async run(context, args) {
    const { connection, output } = context;
    if (connection.tokenFrom !== undefined && connection.tokenFrom !== "profile")
      output.note(`${connection.tokenFrom} is set. While it is set, it is used instead of the stored token.`);
    const way = await wayOf(context, args);
    if (isInClear(connection.apiUrl)) {
      const secret = way === "password" ? "password" : "token";
      output.note(`${connection.apiUrl} is plain http: anyone on the network path can read the ${secret}.`);
    }
    if (way === "token") await withToken(context);
    else if (way === "browser") await keep(context, await browserLogIn(context));
    else {
      const { email, password } = await credentials(context, args);
      await keep(context, await context.anonymous.accounts.logIn({ email, password, console: true }), email);
    }
  },
};

/** @throws UsageError when two ways are given, or none without a terminal */
async function wayOf({ prompts }: Context, args: Args): Promise<Way> {
  const isPassword = args.text("email") !== undefined || args.has("password-stdin");
  const given = { browser: args.has("browser"), password: isPassword, token: args.has("with-token") };
  const [way, another] = WAYS.filter((each) => given[each]);
  if (another !== undefined)
    throw new UsageError(
      "Only one way to log in can be used.",
      "--browser, --with-token, and --email with --password-stdin exclude each other.",
      "give one of them",
    );
  if (way !== undefined) return way;
  const instead = "--browser, --with-token, or --email EMAIL and --password-stdin";
  const answer = (await prompts.ask("Log in with a [b]rowser or a [p]assword? [B/p] ", instead)).trim();
  if (/^(p|password)$/i.test(answer)) return "password";
  if (/^(b|browser|)$/i.test(answer)) return "browser";
  throw new UsageError(
    `\`${answer}\` is not a way to log in.`,
    "The answers are b and p.",
    "porchlight login, and b or p",
  );
}

/** Prints the token first, so that it is not lost if the settings file cannot be written. */
async function keep(context: Context, made: Login, email?: string): Promise<void> {
  const { token = "", accountId, id: tokenId } = made;
  if (context.output.isJson) context.output.json(made);
  else context.output.line(token);
  const known = email ?? (await context.as(token).account.get()).email;
  keepLogIn(context, { token, tokenId, accountId, email: known }, known);
  context.output.note("It does not expire. To end it: porchlight logout");
}

/** @throws UsageError for a text that is no token; PorchlightError when the service rejects it */
async function withToken(context: Context): Promise<void> {
  const { prompts, output } = context;
  const token = (prompts.isPossible ? await prompts.askHidden("Token: ", "it on stdin") : await prompts.piped()).trim();
  if (!/^plt_[a-z]+_[0-9A-Za-z]+$/.test(token))
    throw new UsageError(
      "stdin has no token.",
      "A token begins with `plt_`.",
      "porchlight login --with-token < token.txt",
    );
  const client = context.as(token);
  const presented = await client.account.token();
  const { id: tokenId, type, accountId, userId } = presented;
  const email = accountId && !userId ? (await client.account.get()).email : undefined;
  if (output.isJson) output.json(presented);
  keepLogIn(context, { token, tokenId, accountId, email }, email ?? `a ${type}`);
}

async function credentials(context: Context, args: Args): Promise<{ email: string; password: string }> {
  const { prompts } = context;
  const isPiped = args.has("password-stdin");
  if (isPiped && args.text("email") === undefined)
    throw new UsageError("--email is missing.", "With --password-stdin nothing is asked.", "give --email EMAIL");
  const email = args.text("email") ?? (await prompts.ask("E-mail: ", "--email EMAIL and --password-stdin"));
  const password = isPiped ? await prompts.piped() : await prompts.askHidden("Password: ", PASSWORD_INSTEAD);
  return { email: email.trim(), password };
}

/** Whether requests leave this machine unencrypted. */
function isInClear(apiUrl: string): boolean {
  const { protocol, hostname } = new URL(apiUrl);
  return protocol === "http:" && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** A token that the service has accepted or created, with its owner. */
interface KeptToken {
  readonly token: string;
  readonly tokenId: string;
  readonly accountId?: string | undefined;
  readonly email?: string | undefined;
}

/** Writes the profile, and prints what was stored where. @param who the owner, for the message @throws SettingsUnusable, SystemError */
function keepLogIn({ output, connection, settings }: Context, kept: KeptToken, who: string): void {
  const { apiUrl, profile: name } = connection;
  const former = settings.read().profiles[name];
  settings.change((before) => ({
    ...before,
    current: name,
    profiles: { ...before.profiles, [name]: profileOf(before.profiles[name], apiUrl, kept) },
  }));
  output.note(`Logged in as ${who} at ${apiUrl} (profile ${name}).`);
  output.note(`The token is stored in ${settings.path}.`);
  const isLeft = former?.token !== undefined && former.apiUrl === apiUrl && former.tokenId !== undefined;
  if (isLeft && former.tokenId !== kept.tokenId)
    output.note(`The previous token is still valid. To end it: porchlight accounts end-login ${former.tokenId}`);
}

/** The profile keeps its places only for the same account. */
function profileOf(before: Profile | undefined, apiUrl: string, { accountId, email, ...kept }: KeptToken): Profile {
  const isSame = before?.apiUrl === apiUrl && accountId !== undefined && before.accountId === accountId;
  return {
    ...(isSame && { environment: before.environment, ecosystem: before.ecosystem }),
    ...{ apiUrl, ...kept },
    ...(accountId !== undefined && { accountId }),
    ...(email !== undefined && { email }),
  };
}

/** Increase of the interval after a poll that was too early, s (RFC 8628, section 3.5). */
const SLOWER_BY = 5;

/**
 * The log-in by code (RFC 8628): shows a code and an address, and waits until a logged-in user has approved it there.
 * @throws Failure when it is denied or not approved in time; PorchlightError; the signal's reason
 */
async function browserLogIn(context: Context): Promise<Login> {
  const { anonymous, clock, signal } = context;
  const started = await anonymous.accounts.beginCodeLogIn();
  show(context, started);
  const end = clock.monotonic() + started.expiresIn * 1000;
  let interval = started.interval;
  while (clock.monotonic() < end) {
    await sleep(clock, "log-in by code", interval * 1000, signal);
    try {
      return await anonymous.accounts.pollCodeLogIn(started.deviceCode, { signal });
    } catch (failure) {
      if (!isPorchlightError(failure)) throw failure;
      if (failure.name === "Login Slow Down") interval += SLOWER_BY;
      else if (!isWaitedFor(failure)) throw refusalOf(failure);
    }
  }
  throw tooLate();
}

/** Whether a further poll can succeed: a broken connection is no refusal. */
function isWaitedFor({ name, status }: PorchlightError): boolean {
  return name === "Login Pending" || name === "Rate Limit Exceeded" || status === 0 || status >= 500;
}

function show({ output, machine }: Context, { userCode, verificationUri, expiresIn, ...rest }: StartedCodeLogIn): void {
  output.note("Open this page in a browser, on any machine:");
  output.note("");
  output.note(`  ${verificationUri}`);
  output.note("");
  output.note("and enter this code there:");
  output.note("");
  output.note("  ", { style: "bold", text: userCode });
  output.note("");
  output.note(`This address contains the code: ${rest.verificationUriComplete}`);
  output.note(
    `The page must show the same code, and ${machine} as the machine. The code is valid for ${Math.round(expiresIn / 60)} minutes; Ctrl-C cancels.`,
  );
}

function refusalOf(error: PorchlightError): unknown {
  if (error.name === "Login Expired") return tooLate();
  if (error.name === "Login Denied")
    return new Failure("notAllowed", "The log-in was denied.", error.message, "porchlight login --browser");
  return error;
}

function tooLate(): Failure {
  return new Failure(
    "notAllowed",
    "The log-in was not approved in time.",
    "The code is no longer valid.",
    "porchlight login --browser, which shows a new code",
  );
}
