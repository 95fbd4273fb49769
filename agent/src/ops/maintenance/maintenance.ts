/**
 * What a person asks of the hub itself through the cloud: how it is, what is wrong, its log, backups, a restart. The answers are those
 * of the commands on the hub.
 *
 * Invariants: a refusal changes nothing; one examination and one backup run at a time, and who asks meanwhile gets the same answer.
 */
import type { Clock, Log } from "@porchlight/shared/kernel";
import type {
  HubCheck,
  HubJournal,
  HubState,
  JournalQuestion,
  KeptBackup,
  KeptFrames,
  MaintenanceAnswer,
  MaintenanceQuestion,
} from "@porchlight/shared/model";
import type { AgentSettings } from "../../config/index.ts";
import { examine } from "../examine.ts";
import { LogReader } from "../logs/log-reader.ts";
import type { AgentStatus } from "../status/status-schema.ts";
import { hubStateOf, type Machine } from "./hub-state.ts";
import { backupFolder, keepBackup, listBackups } from "./kept-backups.ts";
import { recentLog } from "./recent-log.ts";
import { redactor } from "./redact.ts";
import { secretsOf } from "./secrets-of.ts";

export type AskMaintenance = (question: MaintenanceQuestion) => Promise<MaintenanceAnswer>;

/** The running hub, as far as it is looked at and copied. */
export interface MaintainedHub {
  status(): AgentStatus;
  /** Writes a copy of what makes the hub this hub, by way of `FILE.new`. @throws SystemError, SqliteError */
  backup(file: string): Promise<void>;
  /** What its journal says of the commands to a property. */
  journal(target: Omit<JournalQuestion, "ask">): HubJournal;
}

export interface MaintenanceDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hub: MaintainedHub;
  readonly settings: AgentSettings;
  /** What is kept of the frames on the hub's lines; left out on a hub that keeps none. */
  readonly frames?: { of(target: Omit<JournalQuestion, "ask">, now: number): KeptFrames } | undefined;
  readonly machine: Machine;
  /** Writes the log lines that are still gathered. */
  readonly flushLog: () => void;
  readonly restart: {
    readonly kind: HubState["restart"];
    /** What the next start will read. @throws Error when the hub would not start with it */
    readonly check: () => void;
    /** Ends this agent; another one starts. */
    readonly begin: () => void;
  };
}

const MINUTE_MS = 60_000;
/** Between the answer and the restart, ms: who has asked is answered first. */
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

  /** What cannot be done is answered with why. */
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

  /** Dated as the hub dates what it stores: by the cloud's clock where the system's is wrong. */
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
