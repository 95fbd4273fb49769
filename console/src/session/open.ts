/** Opens a session: reads the settings, decides which service is meant and as whom, and builds what commands are given. */
import { readFileSync } from "node:fs";
import { type Fetch, Porchlight } from "@porchlight/sdk";
import { Output } from "../render/output.ts";
import { type Connection, connectionOf } from "../settings/connection.ts";
import { isAddress } from "../settings/setting-names.ts";
import { SettingsFile, settingsPath } from "../settings/settings-file.ts";
import type { Context, GlobalOptions } from "./context.ts";
import { watched } from "./debug.ts";
import { Failure, UsageError } from "./failure.ts";
import { Prompts } from "./prompts.ts";
import type { Surroundings } from "./surroundings.ts";

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

/** The token in the file that a variable names, as services get their secrets. @throws UsageError */
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
