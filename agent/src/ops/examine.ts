/** The checks of `doctor`: everything that a hub needs, one after the other. They change nothing, and may run beside the agent. */
import { accessSync, constants, readFileSync, statfsSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import { type Clock, parseHttpDate } from "@porchlight/shared/kernel";
import type { HubCheck } from "@porchlight/shared/model";
import { type AgentSettings, readEdgeId } from "../config/index.ts";
import { damagedOf, examineDatabase } from "../state/index.ts";
import { readStatus } from "./control-socket.ts";
import { problemsOf, warningsOf } from "./health.ts";

const ANSWER_MS = 5000;

/**
 * All checks, in the order in which they were made.
 * @param itself the agent's status, if the agent itself runs the checks; otherwise it is requested
 */
export async function* examine(
  settings: AgentSettings,
  clock: Clock,
  itself?: Awaited<ReturnType<typeof readStatus>>,
): AsyncIterable<Check> {
  const { data } = settings;
  const answer = itself ?? (await readStatus(data, clock));
  yield* folderChecks(settings);
  if (answer.kind === "not_running") yield databaseCheck(join(data, "agent.db"));
  for (const { path } of settings.serial) yield judgeLine(path, refusal(path, constants.R_OK | constants.W_OK));
  yield* cloudChecks(settings, clock);
  if (answer.kind === "running") {
    const problems = problemsOf(answer.status);
    if (problems.length === 0) yield ok("agent", "The agent runs without problems.");
    for (const { says, cure } of problems) yield failed("agent", says, cure);
    for (const { says, cure } of warningsOf(answer.status)) yield warning("driver", says, cure);
  } else if (answer.kind === "not_running")
    yield failed("agent", "No agent runs on this data folder.", "Start it: `porchlight-agent run`.");
  else yield failed("agent", "An agent runs on this data folder, but does not answer.", "Restart it.");
}

function* folderChecks({ data, tokenFile }: AgentSettings): Iterable<Check> {
  if (refusal(data, constants.W_OK) !== undefined) {
    yield failed(
      "data folder",
      `${data} does not exist, or this user cannot write to it.`,
      "Run as the agent's own user.",
    );
    return;
  }
  yield judgeMode("data folder", data, statSync(data).mode);
  yield judgeSpace(freeBytes(data));
  const identity = text(join(data, "identity.key"));
  if (identity === undefined) yield warning("identity", "It does not exist yet.", "The first start creates it.");
  else if (readEdgeId(identity) === undefined)
    yield failed(
      "identity",
      "identity.key is damaged.",
      "Restore a backup, or remove the file and pair the hub again.",
    );
  else yield judgeMode("identity", join(data, "identity.key"), statSync(join(data, "identity.key")).mode);
  const token = tokenFile ?? join(data, "token");
  const refused = refusal(token, constants.R_OK);
  if (refused === undefined) yield judgeMode("token", token, statSync(token).mode);
  else if (refused === "ENOENT") yield failed("token", "The hub is not paired.", "Pair it: `porchlight-agent pair`.");
  else yield failed("token", `${token} cannot be read (${refused}).`, "Run as the agent's own user.");
  for (const name of damagedOf(join(data, "agent.db")))
    yield warning("database", `A damaged database was kept: ${name}.`, "Check the disk, then remove the file.");
}

function databaseCheck(path: string): Check {
  if (refusal(path, constants.R_OK) === "ENOENT")
    return warning("database", "It does not exist yet.", "The first start creates it.");
  const damage = examineDatabase(path);
  if (damage === undefined) return ok("database", "It is undamaged.");
  return failed(
    "database",
    `It is damaged (${damage}).`,
    "Restore a backup; or start the agent, which keeps the damaged file and begins a new history.",
  );
}

async function* cloudChecks({ cloud, ca }: AgentSettings, clock: Clock): AsyncIterable<Check> {
  const { date, ...answered } = await askCloud(new URL("/healthz", cloud), ca, clock);
  yield judgeCloud(cloud, answered);
  if (date !== undefined) yield judgeSkew(clock.now() - date);
}

type Answered = ({ readonly status: number } | { readonly code: string }) & { readonly date?: number | undefined };

/** Connects directly, and not through a proxy: a problem of the proxy shows in the tunnel's status. */
function askCloud(url: URL, ca: string | undefined, clock: Clock): Promise<Answered> {
  return new Promise((resolve) => {
    const extra = ca === undefined ? undefined : text(ca);
    const request = url.protocol === "https:" ? httpsRequest : httpRequest;
    const options = { agent: false, ...(extra && { ca: [...getCACertificates("default"), extra] }) };
    const asked = request(url, options, (answer) => {
      timer.cancel();
      answer.resume();
      resolve({ status: answer.statusCode ?? 0, date: parseHttpDate(answer.headers.date) });
    });
    const timer = clock.timer("the cloud's answer", ANSWER_MS, () => {
      resolve({ code: "ETIMEDOUT" });
      asked.destroy();
    });
    asked.once("error", (failure: NodeJS.ErrnoException) => {
      timer.cancel();
      resolve({ code: failure.code ?? failure.message });
    });
    asked.end();
  });
}

/** The error code for an access that the system denies; undefined when it is allowed. */
function refusal(path: string, how: number): string | undefined {
  try {
    accessSync(path, how);
    return undefined;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code ?? "EIO";
  }
}

function text(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The check of the file itself reports the problem.
    return undefined;
  }
}

function freeBytes(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

export type Check = HubCheck;

const ok = (name: string, says: string): Check => ({ name, verdict: "ok", says });
/** The check passed, but needs attention. */
const warning = (name: string, says: string, cure: string): Check => ({ name, verdict: "warning", says, cure });
const failed = (name: string, says: string, cure: string): Check => ({ name, verdict: "failed", says, cure });

/** Minimum free space on the disk, bytes. */
const LITTLE_ROOM = 64 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Maximum deviation of a correct clock, ms. */
const RIGHT_MS = 5000;

export function judgeSpace(freeBytes: number | undefined): Check {
  if (freeBytes === undefined)
    return warning("disk", "The system does not report how much space is free.", "Check with `df`.");
  const says = `${Math.floor(freeBytes / MIB)} MiB free.`;
  if (freeBytes >= LITTLE_ROOM) return ok("disk", says);
  return failed("disk", says, "Free some space: while the disk is full, the hub does not accept reports from devices.");
}

/** @param mode as returned by `stat` */
export function judgeMode(name: string, path: string, mode: number): Check {
  if ((mode & 0o077) === 0) return ok(name, `Only its owner can open ${path}.`);
  return failed(name, `Other users of this machine can open ${path}.`, `chmod go= ${path}`);
}

/** @param skewMs how far the system's clock is ahead of the cloud's */
export function judgeSkew(skewMs: number): Check {
  if (Math.abs(skewMs) <= RIGHT_MS) return ok("clock", "The system clock is right.");
  const says = `The system clock is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? "ahead" : "behind"}.`;
  return warning("clock", says, "Set the clock, or turn on NTP. Until then the agent uses the cloud's time.");
}

/** @param code the system's error code for a line or an address that could not be opened */
export function judgeLine(path: string, code: string | undefined): Check {
  const name = `serial ${path}`;
  switch (code) {
    case undefined:
      return ok(name, "It can be opened.");
    case "ENOENT":
      return failed(name, "It does not exist.", "Plug in the adapter, or use another path: `ls /dev/serial/by-id`.");
    case "EACCES":
    case "EPERM":
      return failed(
        name,
        "This user has no permission to open it.",
        "Add the user to the group of the serial line: `usermod -aG dialout USER`.",
      );
    default:
      return failed(name, `It cannot be opened (${code}).`, "Unplug the adapter and plug it in again.");
  }
}

/** @param answered the status of `GET /healthz`, or the error code of a failed request */
export function judgeCloud(cloud: string, answered: { readonly status: number } | { readonly code: string }): Check {
  if ("status" in answered) {
    if (answered.status === 200) return ok("cloud", `${cloud} answers.`);
    return failed(
      "cloud",
      `${cloud} answers with status ${answered.status}.`,
      "Check that this is the address of the service.",
    );
  }
  const { code } = answered;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return failed(
      "cloud",
      `The host name of ${cloud} cannot be resolved.`,
      "Check the hub's network and its DNS server.",
    );
  if (code === "ECONNREFUSED" || code === "ENETUNREACH" || code === "EHOSTUNREACH" || code === "ETIMEDOUT")
    return failed(
      "cloud",
      `${cloud} cannot be reached (${code}).`,
      "Check the hub's network, and any firewall between the hub and the cloud.",
    );
  if (/CERT|ISSUER|SIGNED|SSL|TLS|ALTNAME/.test(code))
    return failed(
      "cloud",
      `The TLS certificate of ${cloud} is not trusted (${code}).`,
      "Check the hub's clock, or name the service's CA with --ca.",
    );
  return failed(
    "cloud",
    `${cloud} does not answer (${code}).`,
    "Try again. If it still does not answer, check the network.",
  );
}
