/** Selects the service and the credential: flags before variables before the profile. A pure decision, with a table as its test. */
import { DEFAULT_API_URL, tidy } from "./setting-names.ts";
import type { Profile, Settings } from "./settings-file.ts";

interface ConnectionFlags {
  readonly profile?: string | undefined;
  readonly apiUrl?: string | undefined;
}

/** Sources of a token, in order of precedence. */
const TOKEN_SOURCES = ["PORCHLIGHT_TOKEN", "PORCHLIGHT_TOKEN_FILE", "profile"] as const;

export interface Connection {
  /** Name of the profile, even if no such profile exists. */
  readonly profile: string;
  /** The service's address, without `/api` and without a trailing slash. */
  readonly apiUrl: string;
  readonly token: string | undefined;
  readonly tokenFrom: (typeof TOKEN_SOURCES)[number] | undefined;
  /** The profile has a token for another address: it must not be sent to this one. */
  readonly isTokenWithheld: boolean;
  readonly environment: string | undefined;
  readonly ecosystem: string | undefined;
}

/** @param fileToken content of the file that `PORCHLIGHT_TOKEN_FILE` names */
export function connectionOf(
  flags: ConnectionFlags,
  env: Readonly<Record<string, string | undefined>>,
  settings: Settings,
  fileToken?: string,
): Connection {
  const name = flags.profile ?? given(env.PORCHLIGHT_PROFILE) ?? settings.current;
  const profile: Profile | undefined = Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  const apiUrl = tidy(flags.apiUrl ?? given(env.PORCHLIGHT_API_URL) ?? profile?.apiUrl ?? DEFAULT_API_URL);
  const isSameService = profile !== undefined && tidy(profile.apiUrl) === apiUrl;
  const own = isSameService ? profile.token : undefined;
  const sources = { PORCHLIGHT_TOKEN: given(env.PORCHLIGHT_TOKEN), PORCHLIGHT_TOKEN_FILE: fileToken, profile: own };
  const tokenFrom = TOKEN_SOURCES.find((source) => sources[source]);
  const token = tokenFrom && sources[tokenFrom];
  return {
    profile: name,
    apiUrl,
    token,
    tokenFrom,
    isTokenWithheld: token === undefined && profile?.token !== undefined,
    environment: given(env.PORCHLIGHT_ENVIRONMENT) ?? (isSameService ? profile.environment : undefined),
    ecosystem: given(env.PORCHLIGHT_ECOSYSTEM) ?? (isSameService ? profile.ecosystem : undefined),
  };
}

/** An empty variable counts as absent. */
function given(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
