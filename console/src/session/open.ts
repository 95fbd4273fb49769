/** Opens a session: reads the settings, selects service and credential, and creates the context of commands. */
import { readFileSync } from "node:fs";
import { type Fetch, Porchlight } from "@porchlight/sdk";
import { Output } from "../render/output.ts";
import { type Connection, connectionOf, isAddress } from "../settings/connection.ts";
import { SettingsFile, settingsPath } from "../settings/settings-file.ts";
import { CONSOLE_VERSION } from "../settings/version.ts";
import type { Context, GlobalOptions } from "./command.ts";
import { Failure, UsageError } from "./failure.ts";
import { Prompts, type Surroundings } from "./prompts.ts";

/** @throws SettingsUnusable, UsageError */
export function openSession(around: Surroundings, options: GlobalOptions): Context {
  const { stdout, stderr, env, clock, random } = around;
  const settings = new SettingsFile(settingsPath(env, around.home), random);
  const kept = settings.read();
  const isJson = options.json || kept.output === "json";
  const output = new Output({ stdout, stderr, env, clock, isJson, colour: options.colour });
  const connection = connectionOf(options, env, kept, tokenOfFile(env));
  checkAddress(connection.apiUrl);
  if (settings.isOpenToOthers)
    output.note(`${settings.path} can be read by other users, and it contains tokens: chmod 600 ${settings.path}`);
  const fetch = watched(around.fetch ?? ((url, init) => globalThis.fetch(url, init)), around, {
    note: (text) => output.note({ style: "dim", text }),
    isDebug: options.debug,
  });
  const client = (token?: string) => clientOf(connection.apiUrl, token, fetch, around);
  return {
    ...around,
    ...{ output, settings, connection, fetch },
    prompts: new Prompts(around),
    get porchlight() {
      return client(tokenOf(connection));
    },
    get anonymous() {
      return client();
    },
    as: client,
  };
}

/** The token in the file that a variable names, in the way that services receive secrets. @throws UsageError */
function tokenOfFile(env: Surroundings["env"]): string | undefined {
  const path = env.PORCHLIGHT_TOKEN_FILE;
  if (path === undefined || path === "") return undefined;
  const wrong = (why: string) =>
    new UsageError("PORCHLIGHT_TOKEN_FILE cannot be used.", why, "set it to a file that has a token, or unset it");
  if (env.PORCHLIGHT_TOKEN) throw wrong("PORCHLIGHT_TOKEN is set too.");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw wrong(`${path} cannot be read (${cause instanceof Error && "code" in cause ? cause.code : cause}).`);
  }
  const token = text.trim();
  if (token === "" || /\s/.test(token)) throw wrong(`${path} does not have one token.`);
  return token;
}

function clientOf(baseUrl: string, token: string | undefined, fetch: Fetch, { clock, random }: Surroundings) {
  return new Porchlight({ baseUrl, token, fetch }, { clock, random });
}

function tokenOf({ token, isTokenWithheld, profile, apiUrl }: Connection): string {
  if (token !== undefined) return token;
  if (isTokenWithheld)
    throw new Failure(
      "notAllowed",
      `You are not logged in at ${apiUrl}.`,
      `The token of the profile \`${profile}\` is for another service, and is not sent to this one.`,
      `porchlight login --api-url ${apiUrl} --profile NAME`,
    );
  throw new Failure(
    "notAllowed",
    `You are not logged in at ${apiUrl}.`,
    `The profile \`${profile}\` has no token, and PORCHLIGHT_TOKEN is not set.`,
    "porchlight login",
  );
}

function checkAddress(apiUrl: string): void {
  if (isAddress(apiUrl)) return;
  throw new UsageError(
    "The address of the service is not valid.",
    `\`${apiUrl}\` must be like https://porchlight.example, without a path to the API, a query or a password.`,
    "give the right address with --api-url, PORCHLIGHT_API_URL or porchlight config set api-url",
  );
}

/**
 * Output of `--debug` for each request: its line, its headers without the credential, and the answer. Never a body, which may contain a
 * secret.
 */
interface Watch {
  readonly isDebug: boolean;
  readonly note: (text: string) => void;
}

/** Headers that contain a secret. */
const SECRET = /^(authorization|x-current-password|(set-)?cookie)$/i;

/** A `fetch` that identifies the console, ends with the session, and logs its requests on demand. */
export function watched(
  fetch: Fetch,
  { clock, signal, machine }: Pick<Surroundings, "clock" | "signal" | "machine">,
  watch: Watch,
): Fetch {
  // A header accepts no other characters.
  const agent = `porchlight/${CONSOLE_VERSION} (${machine.replace(/[^\w.-]/g, "") || "unknown"})`;
  return async (url, init) => {
    const both = init.signal ? AbortSignal.any([init.signal, signal]) : signal;
    const headers = new Headers(init.headers);
    headers.set("user-agent", agent);
    const sent = { ...init, headers, signal: both };
    if (!watch.isDebug) return fetch(url, sent);
    watch.note(`> ${init.method ?? "GET"} ${url}`);
    for (const [name, value] of headers) watch.note(`> ${name}: ${shown(name, value)}`);
    const began = clock.monotonic();
    try {
      const response = await fetch(url, sent);
      watch.note(`< ${response.status} in ${Math.round(clock.monotonic() - began)} ms`);
      for (const [name, value] of response.headers) watch.note(`< ${name}: ${shown(name, value)}`);
      return response;
    } catch (failure) {
      watch.note(`< no answer after ${Math.round(clock.monotonic() - began)} ms: ${reasonOf(failure)}`);
      throw failure;
    }
  };
}

/** The kind of a token is no secret, and identifies the type of its owner. */
function shown(name: string, value: string): string {
  return SECRET.test(name) ? `${/(?:Bearer )?(?:plt_[a-z]+_)?/.exec(value)?.[0] ?? ""}…` : value;
}

function reasonOf(failure: unknown): string {
  const cause = failure instanceof Error ? failure.cause : undefined;
  const inner = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return `${failure instanceof Error ? failure.message : String(failure)}${inner}`;
}
