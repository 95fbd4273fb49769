/**
 * The settings that a user can change by name, and the service and credential that result from them: flags before variables before the
 * profile. Pure decisions, with tables as their tests.
 */
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

export interface Setting {
  /** Purpose, in a sentence. */
  readonly about: string;
  /** The value; undefined when it is not set. */
  readonly read: (settings: Settings, profile: string) => string | undefined;
  /** The settings with another value; undefined removes the value. */
  readonly write: (settings: Settings, profile: string, value: string | undefined) => Settings;
  /** Why a value is invalid; undefined when it is valid. */
  readonly fault: (value: string, settings: Settings) => string | undefined;
}

const OUTPUTS = ["table", "json"] as const;

export const SETTINGS = {
  profile: {
    about: "The profile that is used without --profile.",
    read: ({ current }) => current,
    write: (settings, _profile, value = "default") => ({ ...settings, current: value }),
    fault: (value, { profiles }) =>
      Object.hasOwn(profiles, value) ? undefined : "There is no profile of this name: porchlight profiles list.",
  },
  "api-url": {
    about: "Address of the service, of this profile.",
    read: (settings, profile) => profileOf(settings, profile)?.apiUrl,
    write: (settings, profile, value) => {
      if (value === undefined) return withoutProfile(settings, profile);
      const apiUrl = tidy(value);
      const before = profileOf(settings, profile);
      // Token and places belong to the former service.
      return withProfile(settings, profile, before?.apiUrl === apiUrl ? before : { apiUrl });
    },
    fault: (value) => (isAddress(value) ? undefined : "It must be like https://porchlight.example."),
  },
  environment: placeSetting("environment", "Where names of devices are looked up, of this profile."),
  ecosystem: placeSetting("ecosystem", "The ecosystem, of this profile, for accounts with several."),
  output: {
    about: "How lists and answers are shown without --json: table or json.",
    read: ({ output }) => output,
    write: ({ output: _, ...settings }, _profile, value) => ({
      ...settings,
      ...(value !== undefined && { output: OUTPUTS.find((each) => each === value) }),
    }),
    fault: (value) => (OUTPUTS.some((each) => each === value) ? undefined : `It is one of: ${OUTPUTS.join(", ")}.`),
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

function placeSetting(name: "environment" | "ecosystem", about: string): Setting {
  return {
    about,
    read: (settings, profile) => profileOf(settings, profile)?.[name],
    write: (settings, profile, value) => {
      const { [name]: _, ...rest } = profileOf(settings, profile) ?? { apiUrl: DEFAULT_API_URL };
      return withProfile(settings, profile, value === undefined ? rest : { ...rest, [name]: value });
    },
    fault: () => undefined,
  };
}

/** Address of `npm start` and of a new `porchlight-cloud serve`. */
const DEFAULT_API_URL = "http://127.0.0.1:8080";

/** Accepts the address of the API too, because users paste it. */
function tidy(url: string): string {
  return url.replace(/\/+$/, "").replace(/\/api$/, "");
}

/** Whether it is an address of a service: http or https, without a query, a fragment or a password. */
export function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username === "";
}

function profileOf({ profiles }: Settings, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

function withProfile(settings: Settings, name: string, profile: Profile): Settings {
  return { ...settings, profiles: { ...settings.profiles, [name]: profile } };
}

function withoutProfile(settings: Settings, name: string): Settings {
  const { [name]: _, ...profiles } = settings.profiles;
  return { ...settings, profiles };
}
