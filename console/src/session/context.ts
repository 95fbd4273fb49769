/** What a command is given: the client, the terminal, questions, settings, time and chance. */
import type { Porchlight } from "@porchlight/sdk";
import type { Output } from "../render/output.ts";
import type { Connection } from "../settings/connection.ts";
import type { SettingsFile } from "../settings/settings-file.ts";
import type { Prompts, Surroundings } from "./prompts.ts";

export interface Context extends Surroundings {
  readonly output: Output;
  readonly prompts: Prompts;
  readonly settings: SettingsFile;
  /** Which service, as whom. */
  readonly connection: Connection;
  /** The client with the token in force. @throws Failure "notAllowed" when there is none */
  readonly porchlight: Porchlight;
  /** The client without a token. */
  readonly anonymous: Porchlight;
  /** The client with another token than that in use. */
  readonly as: (token: string) => Porchlight;
  /** Sends a request as it is, with `--debug` and Ctrl-C: for what the client has no call for. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** What stands before every command and behind it. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly colour: boolean;
  readonly debug: boolean;
  readonly profile: string | undefined;
  readonly apiUrl: string | undefined;
}
