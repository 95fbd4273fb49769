/** The checks of `doctor`: everything that a hub needs, one after the other. They change nothing, and may run beside the agent. */
import { accessSync, constants, readFileSync, statfsSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { getCACertificates } from "node:tls";
import { type Clock, parseHttpDate } from "@porchlight/shared/kernel";
import { type AgentSettings, readEdgeId } from "../config/index.ts";
import { damagedOf, examineDatabase } from "../state/index.ts";
import { type Check, failed, judgeCloud, judgeLine, judgeMode, judgeSkew, judgeSpace, ok, warning } from "./checks.ts";
import { readStatus } from "./ask-agent.ts";
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
