/**
 * Maintenance of the hub through the cloud: its state, its problems, its log, backups, a restart. The answers are those of the commands
 * on the hub.
 *
 * Invariants: a refusal changes nothing; one examination and one backup run at a time, and concurrent requests share its answer.
 */
import { readFileSync } from "node:fs";
import { freemem, machine, release, totalmem, type } from "node:os";
import { join } from "node:path";
import type { Clock, Log } from "@porchlight/shared/kernel";
import {
  type HubCheck,
  type HubJournal,
  type HubState,
  type JournalQuestion,
  type KeptBackup,
  type KeptFrames,
  LONGEST_LOG_LINE,
  type LoggedLine,
  type LogLevel,
  type MaintenanceAnswer,
  type MaintenanceQuestion,
  MOST_LOG_BYTES,
  MOST_LOG_LINES,
} from "@porchlight/shared/model";
import { Secret } from "@porchlight/shared/settings";
import { type AgentSettings, packageSettings, tokenFile } from "../config/index.ts";
import { examine } from "./examine.ts";
import { problemsOf } from "./health.ts";
import { backupFolder, keepBackup, listBackups } from "./kept-backups.ts";
import { fieldsOf, isAsGraveAs, LogReader, levelOfLine, readLine } from "./log-files.ts";
import { type Redact, redactor } from "./redact.ts";
import type { AgentStatus } from "./status-schema.ts";

export type AskMaintenance = (question: MaintenanceQuestion) => Promise<MaintenanceAnswer>;

/** The parts of the running hub that maintenance reads and copies. */
export interface MaintainedHub {
  status(): AgentStatus;
  /** Writes a backup of the hub, by way of `FILE.new`. @throws SystemError, SqliteError */
  backup(file: string): Promise<void>;
  /** The journal's entries of commands to a property. */
  journal(target: Omit<JournalQuestion, "ask">): HubJournal;
}

export interface MaintenanceDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hub: MaintainedHub;
  readonly settings: AgentSettings;
  /** The recorded frames of the hub's lines; left out on a hub that records none. */
  readonly frames?: { of(target: Omit<JournalQuestion, "ask">, now: number): KeptFrames } | undefined;
  readonly machine: Machine;
  /** Writes the buffered log lines. */
  readonly flushLog: () => void;
  readonly restart: {
    readonly kind: HubState["restart"];
    /** Reads the settings of the next start. @throws Error when the hub would not start with them */
    readonly check: () => void;
    /** Ends this agent; another one starts. */
    readonly begin: () => void;
  };
}

const MINUTE_MS = 60_000;
/** Delay of the restart, ms, so that the answer is sent first. */
const RESTART_MS = 200;
const MOST_CHECKS = 256;
const LONGEST = 4096;

export class Maintenance {
  readonly #deps: MaintenanceDeps;
  readonly #startedAt: number;
  #examination: Promise<readonly HubCheck[]> | undefined;
  #backup: Promise<KeptBackup> | undefined;
  #isRestarting = false;

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.monotonic();
  }

  /** Answers a request; a failure is answered with its reason. */
  readonly answer: AskMaintenance = async (question) => {
    try {
      return await this.#answer(question);
    } catch (failure) {
      const why = failure instanceof Error ? failure.message : String(failure);
      this.#deps.log.warn({ ask: question.ask, failure: why }, "a request to the hub could not be carried out");
      return { refused: (why || "The reason is not known.").slice(0, LONGEST) };
    }
  };

  async #answer(question: MaintenanceQuestion): Promise<MaintenanceAnswer> {
    const { hub, settings, machine, restart } = this.#deps;
    switch (question.ask) {
      case "status": {
        const status = hub.status();
        const about = { uptimeMs: this.#uptimeMs, dataFolder: settings.data.slice(0, LONGEST), restart: restart.kind };
        return { status: { ...hubStateOf(status, about, machine), startedAt: status.startedAt } };
      }
      case "doctor":
        return { doctor: { items: [...(await this.#examine())] } };
      case "log":
        return { log: this.#log(question) };
      case "backups":
        return { backups: { folder: backupFolder(settings.data), items: listBackups(settings.data).slice(0, 256) } };
      case "backup":
        return { backup: { ...(await this.#makeBackup()), folder: backupFolder(settings.data) } };
      case "restart":
        return { restart: this.#restart() };
      case "journal":
        return { journal: { ...hub.journal(question), line: this.#line(question) } };
    }
  }

  /** The recorded frames, dated like stored values: by the cloud's clock where the system's is wrong. */
  #line(question: JournalQuestion): KeptFrames {
    const { frames, hub, clock } = this.#deps;
    if (!frames) return { kind: "off" };
    const { source, skewMs = 0 } = hub.status().clock;
    return frames.of(question, clock.now() - (source === "cloud" ? skewMs : 0));
  }

  get #uptimeMs(): number {
    return Math.round(Math.max(0, this.#deps.clock.monotonic() - this.#startedAt));
  }

  #examine(): Promise<readonly HubCheck[]> {
    const { hub, settings, clock } = this.#deps;
    this.#examination ??= (async () => {
      const checks: HubCheck[] = [];
      for await (const check of examine(settings, clock, { kind: "running", status: hub.status() })) {
        const { name, says, cure } = check;
        const texts = { name: name.slice(0, LONGEST), says: says.slice(0, LONGEST), cure: cure?.slice(0, LONGEST) };
        if (checks.length < MOST_CHECKS) checks.push({ ...check, ...texts });
      }
      return checks;
    })().finally(() => {
      this.#examination = undefined;
    });
    return this.#examination;
  }

  #log({ minutes, level }: Extract<MaintenanceQuestion, { ask: "log" }>) {
    const { hub, settings, clock, flushLog } = this.#deps;
    flushLog();
    const raws = new LogReader(settings.data).read();
    const redact = redactor(secretsOf(settings, hub.status()));
    const { lines, isCut, oldestAt } = recentLog(raws, clock.now() - minutes * MINUTE_MS, level, redact);
    return { isKept: settings.logBytes > 0, isCut, oldestAt, lines: [...lines] };
  }

  #makeBackup(): Promise<KeptBackup> {
    const { hub, settings, clock, log } = this.#deps;
    this.#backup ??= (async () => {
      const { databaseBytes } = hub.status().disk;
      const made = await keepBackup(settings.data, databaseBytes, clock, (file) => hub.backup(file));
      log.info({ backup: made.name, bytes: made.bytes }, "a backup was created, as the cloud requested");
      return made;
    })().finally(() => {
      this.#backup = undefined;
    });
    return this.#backup;
  }

  #restart(): { uptimeMs: number } {
    const { restart, clock, log } = this.#deps;
    restart.check();
    if (!this.#isRestarting) {
      this.#isRestarting = true;
      log.info({}, "the agent restarts, as the cloud requested");
      clock.timer("a restart that was asked for", RESTART_MS, restart.begin);
    }
    return { uptimeMs: this.#uptimeMs };
  }
}

/** Names of settings of driver packages whose values are secret. */
const SECRET_SETTING = /token|password|passphrase|secret|credential|key|psk|pin|code/i;

/** Collects the known secret values of a hub, which a log that leaves the hub must not contain. */
function secretsOf(settings: AgentSettings, { pairing }: Pick<AgentStatus, "pairing">): Set<string> {
  const found = new Set<string>();
  for (const text of [readToken(settings), ...identityLines(settings.data)]) if (text) found.add(text);
  if (pairing?.state === "waiting") found.add(pairing.userCode);
  gatherSecrets(settings, found);
  for (const { own } of packageSettings(settings.drivers).values()) gatherNamed(own, false, found);
  return found;
}

/** Collects every {@link Secret}. */
function gatherSecrets(value: unknown, found: Set<string>): void {
  if (value instanceof Secret) found.add(value.reveal());
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) gatherSecrets(inner, found);
}

/** Collects secrets in the settings of a package, which only their names identify. */
function gatherNamed(value: unknown, isSecret: boolean, found: Set<string>): void {
  if (typeof value === "object" && value !== null)
    for (const [name, inner] of Object.entries(value)) gatherNamed(inner, isSecret || SECRET_SETTING.test(name), found);
  else if (isSecret && (typeof value === "string" || typeof value === "number")) found.add(String(value));
}

function readToken(settings: AgentSettings): string | undefined {
  try {
    return tokenFile(settings).read();
  } catch {
    // `doctor` reports that it cannot be read.
    return undefined;
  }
}

/** The lines of the key's body. */
function identityLines(dataDir: string): string[] {
  try {
    const lines = readFileSync(join(dataDir, "identity.key"), "utf8").split("\n");
    return lines.map((line) => line.trim()).filter((line) => line.length >= 16 && !line.startsWith("-----"));
  } catch {
    return [];
  }
}

/** Maximum characters of a line that are processed: the rest is cut off before it costs time. */
const LONGEST_RAW = 16 * 1024;

/** The newest lines of a hub's log. */
interface RecentLog {
  /** Oldest first. */
  readonly lines: readonly LoggedLine[];
  /** Older lines of the requested time were left out. */
  readonly isCut: boolean;
  /** When the oldest line of the log was written, regardless of level; undefined when there is none. */
  readonly oldestAt: number | undefined;
}

/**
 * The last minutes of a hub's log, within the bounds of one answer: pure. If there are too many lines, the newest are returned.
 * @param raws lines as the agent wrote them, oldest first
 * @param from wall-clock ms: older lines are left out
 * @param least lines below this level are left out
 */
export function recentLog(raws: readonly string[], from: number, least: LogLevel, redact: Redact): RecentLog {
  const newestFirst: LoggedLine[] = [];
  let [bytes, isCut] = [0, false];
  for (const raw of raws.toReversed()) {
    const parsed = readLine(raw);
    // A line that a power failure truncated cannot be parsed.
    if (!parsed || parsed.time < from || !isAsGraveAs(parsed, least)) continue;
    const fields = fieldsOf(parsed).map(([key, value]) => `${key}=${redact.field(key, value).slice(0, LONGEST_RAW)}`);
    const text = cut([redact.text(parsed.msg.slice(0, LONGEST_RAW)), ...fields].join("  "));
    const line = { at: parsed.time, level: levelOfLine(parsed), text };
    bytes += Buffer.byteLength(JSON.stringify(line)) + 1;
    if (newestFirst.length === MOST_LOG_LINES || bytes > MOST_LOG_BYTES) {
      isCut = true;
      break;
    }
    newestFirst.push(line);
  }
  return { lines: newestFirst.toReversed(), isCut, oldestAt: oldestOf(raws) };
}

function oldestOf(raws: readonly string[]): number | undefined {
  for (const raw of raws) {
    const parsed = readLine(raw);
    if (parsed) return parsed.time;
  }
  return undefined;
}

function cut(text: string): string {
  return text.length > LONGEST_LOG_LINE ? `${text.slice(0, LONGEST_LOG_LINE)}…` : text;
}

/** The machine, and the memory that the process uses. */
interface Machine {
  /** `Linux 6.12.0` */
  readonly system: string;
  readonly architecture: string;
  /** `Node.js 24.11.0` */
  readonly runtime: string;
  memory(): HubState["memory"];
}

export function thisMachine(): Machine {
  return {
    system: `${type()} ${release()}`.slice(0, 256),
    architecture: machine().slice(0, 256),
    runtime: `Node.js ${process.versions.node}`,
    memory: () => ({ agentBytes: process.memoryUsage.rss(), freeBytes: freemem(), totalBytes: totalmem() }),
  };
}

/** @param uptimeMs how long the agent has been running */
function hubStateOf(
  status: AgentStatus,
  about: { readonly uptimeMs: number; readonly dataFolder: string; readonly restart: HubState["restart"] },
  { system, architecture, runtime, memory }: Machine,
): HubState {
  const { version, queue, disk, clock, commandsWaiting, localApi } = status;
  const { records, bytes, droppedValues, gaps, full } = queue;
  const { freeBytes, totalBytes, databaseBytes, short } = disk;
  return {
    ...{ version, ...about, system, architecture, runtime },
    memory: memory(),
    disk: { freeBytes, totalBytes, databaseBytes, isFull: short },
    queue: { records, bytes, droppedValues, gaps, isFull: full },
    clock,
    commandsWaiting,
    localApi,
    problems: problemsOf(status)
      .slice(0, 64)
      .map(({ name, says, cure }) => ({ name, says: says.slice(0, 4096), cure: cure.slice(0, 4096) })),
  };
}
