/** The checks of `doctor` and their exit statuses, for the program and docs/console.md. */
import { EXIT, type ExitName } from "../../session/failure.ts";

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
export type CheckName = keyof typeof CHECKS | `hub ${string}`;

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
