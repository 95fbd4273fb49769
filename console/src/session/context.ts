/** The dependencies of a command: the client, the terminal, questions, settings, time and randomness. */
import type { Porchlight } from "@porchlight/sdk";
import type { Output } from "../render/output.ts";
import type { Connection } from "../settings/connection.ts";
import type { SettingsFile } from "../settings/settings-file.ts";
import type { Prompts, Surroundings } from "./prompts.ts";

export interface Context extends Surroundings {
  readonly output: Output;
  readonly prompts: Prompts;
  readonly settings: SettingsFile;
  /** The service and the credential in use. */
  readonly connection: Connection;
  /** The client with the current token. @throws Failure "notAllowed" when there is none */
  readonly porchlight: Porchlight;
  /** The client without a token. */
  readonly anonymous: Porchlight;
  /** The client with a token other than the current one. */
  readonly as: (token: string) => Porchlight;
  /** Sends a raw request, with `--debug` and Ctrl-C: for requests that the client has no method for. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Options that may stand before or after every command. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly colour: boolean;
  readonly debug: boolean;
  readonly profile: string | undefined;
  readonly apiUrl: string | undefined;
}
