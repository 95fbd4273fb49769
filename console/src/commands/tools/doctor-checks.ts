/**
 * The checks of `doctor` with their exit statuses, for the program and docs/console.md, their results, and those of the token and of
 * each hub.
 */
import { existsSync, statSync } from "node:fs";
import { isPorchlightError } from "@porchlight/sdk";
import type { CheckResult, Client } from "@porchlight/shared/api";
import { nameOf } from "@porchlight/shared/names";
import { relativeTime } from "../../render/cell.ts";
import type { Style } from "../../render/style.ts";
import type { Context } from "../../session/command.ts";
import { EXIT, type ExitName, Failure } from "../../session/failure.ts";

interface Check {
  /** Subject of the check. */
  readonly looksAt: string;
  /** Condition of a warning; undefined if there is none. */
  readonly warning?: string;
  /** Condition of a failure; undefined if there is none. */
  readonly failed?: string;
  /** Exit status when this is the first failed check. */
  readonly exit?: ExitName;
}

/** In the order of execution: each depends on those before it. */
export const CHECKS = {
  settings: {
    looksAt: "The settings file and who can read it",
    warning: "Other users of this machine can read it",
  },
  address: {
    looksAt: "The address of the service, and the profile it comes from",
    warning: "It is plain http to another machine",
  },
  name: { looksAt: "The host name in DNS", failed: "It cannot be resolved", exit: "unreachable" },
  certificate: {
    looksAt: "The TLS certificate; skipped for http",
    warning: "It expires within 14 days",
    failed: "It is not trusted, or there is none",
    exit: "unreachable",
  },
  service: {
    looksAt: "Whether the service answers and is ready",
    failed: "There is no answer, the answer is not Porchlight's, or the service is not ready",
    exit: "unreachable",
  },
  API: {
    looksAt: "The version of the API",
    warning: "The service has a newer version, or will end the one that this console uses",
  },
  clock: {
    looksAt: "This machine's clock against the service's",
    warning: "They differ by 30 s or more, or the service does not send its time",
  },
  token: {
    looksAt: "The token: its type, where it comes from, and when it expires",
    failed: "There is none, or the service does not accept it",
    exit: "notAllowed",
  },
  hubs: {
    looksAt: "Each hub that the token can see, as `hub NAME`",
    warning: "Its state is unknown, its clock is off by more than 30 s, or the token cannot list hubs",
    failed: "It is offline",
    exit: "offline",
  },
} as const satisfies Readonly<Record<string, Check>>;

/** Name of a check; each hub has its own. */
type CheckName = keyof typeof CHECKS | `hub ${string}`;

/** Exit status when this is the first failed check. */
export function exitOfCheck(name: CheckName): ExitName {
  const known: Readonly<Record<string, Check>> = CHECKS;
  return (name.startsWith("hub ") ? CHECKS.hubs : known[name])?.exit ?? "failed";
}

/** Rows of the table of checks in docs/console.md. */
export function checkRows(): string[] {
  return Object.entries<Check>(CHECKS).map(([name, { looksAt, warning = "", failed = "", exit }]) => {
    const status = exit === undefined ? "" : String(EXIT[exit]);
    return `| \`${name}\` | ${looksAt} | ${warning} | ${failed} | ${status} |`;
  });
}

/** Clock difference of a hub from which there is a warning, ms. */
const SKEW = 30_000;

export async function tokenFinding(context: Context): Promise<Finding> {
  const { connection, output } = context;
  try {
    const { type, expiresAt } = await context.porchlight.account.token();
    const from = connection.tokenFrom === "profile" ? `profile ${connection.profile}` : connection.tokenFrom;
    const ends = expiresAt === undefined ? "does not expire" : `expires ${relativeTime(expiresAt, output.showing.now)}`;
    return ok("token", `type ${type} (${from}), ${ends}`);
  } catch (failure) {
    if (failure instanceof Failure) return failed("token", `${failure.message} ${failure.why}`, failure.remedy);
    if (!isPorchlightError(failure) || failure.status === 0) throw failure;
    const cure =
      connection.tokenFrom === "profile" ? "porchlight login" : `unset ${connection.tokenFrom}, or set another one`;
    return failed("token", `${failure.name}. ${failure.message}`, cure);
  }
}

/** One finding for each hub. @throws PorchlightError */
export async function hubFindings({ porchlight, output, connection }: Context): Promise<readonly Finding[]> {
  try {
    const environmentId = connection.environment?.startsWith("env_") ? connection.environment : undefined;
    const hubs = await porchlight.clients.list({ environmentId }).all();
    if (hubs.length === 0) return [ok("hubs", "There are none yet. To add one: porchlight hubs pair CODE")];
    return hubs.map((hub) => hubFinding(hub, output.showing.now));
  } catch (failure) {
    if (!isPorchlightError(failure) || failure.status === 0 || failure.status >= 500) throw failure;
    return [warning("hubs", `This token cannot list hubs: ${failure.name}.`, "porchlight whoami")];
  }
}

function hubFinding(hub: Client, now: number): Finding {
  const name = `hub ${nameOf(hub)}` as const;
  const { connection } = hub;
  const { state, since, reason, clockSkewMs, roundTripMs } = connection;
  const ago = relativeTime(since, now) ?? since;
  if (state !== "online") {
    const text = `${state}, last change ${ago}${reason === undefined ? "" : ` (${reason})`}`;
    const cure = "check its power and network; then, on the hub: porchlight-agent doctor";
    return state === "offline" ? failed(name, text, cure) : warning(name, text, cure);
  }
  if (clockSkewMs !== undefined && Math.abs(clockSkewMs) > SKEW)
    return warning(name, `online, but its clock is off by ${Math.round(clockSkewMs / 1000)} s`, "set the hub's clock");
  return ok(
    name,
    `online, last change ${ago}${roundTripMs === undefined ? "" : `, ${Math.round(roundTripMs)} ms away`}`,
  );
}

/** Finding about the settings file. An unreadable one has already ended the session. */
export function settingsFinding({ settings }: Context): Finding {
  const { path } = settings;
  if (!existsSync(path)) return ok("settings", `${path} does not exist yet.`);
  const mode = (statSync(path).mode & 0o777).toString(8).padStart(4, "0");
  return settings.isOpenToOthers
    ? warning("settings", `Other users can read ${path} (mode ${mode}), and it contains tokens.`, `chmod 600 ${path}`)
    : ok("settings", `${path}, readable only by you (mode ${mode})`);
}

export function addressFinding({ connection }: Context): Finding {
  const { apiUrl, profile } = connection;
  const { protocol, hostname } = new URL(apiUrl);
  const detail = `${apiUrl} (profile ${profile})`;
  return protocol === "https:" || isLoopback(hostname)
    ? ok("address", detail)
    : warning("address", `${detail} is plain http: anyone on the network path can read the token.`, "use https");
}

/** Whether requests to the address stay on this machine. @param host as in a URL */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

/** Style of each result on a terminal. */
const RESULT_STYLES: Readonly<Record<string, Style>> = {
  ok: "green",
  warning: "yellow",
  failed: "red",
} satisfies Readonly<Record<CheckResult, Style>>;

/** A hub newer than this console can send an unknown result. */
export function resultStyle(result: CheckResult): Style {
  return (Object.hasOwn(RESULT_STYLES, result) ? RESULT_STYLES[result] : undefined) ?? "dim";
}

export interface Finding {
  readonly check: CheckName;
  readonly result: CheckResult;
  readonly detail: string;
  /** A command to run, or another remedy. */
  readonly cure?: string;
}

export function ok(check: CheckName, detail: string): Finding {
  return { check, result: "ok", detail };
}

export function warning(check: CheckName, detail: string, cure: string): Finding {
  return { check, result: "warning", detail, cure };
}

export function failed(check: CheckName, detail: string, cure: string): Finding {
  return { check, result: "failed", detail, cure };
}
