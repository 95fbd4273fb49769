/**
 * Notifies systemd of the agent's state (sd_notify): ready, status, alive while it makes progress, stopping. Node.js cannot write to a
 * datagram socket of the file system, so `systemd-notify`, which every system with systemd has, does it (ADR 16). Without `NOTIFY_SOCKET`
 * nothing is sent.
 */
import { spawn } from "node:child_process";
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";
import type { AgentStatus } from "./status-schema.ts";

/** Runs `systemd-notify` with these arguments; rejects when it cannot. */
type Notify = (args: readonly string[]) => Promise<void>;

interface ServiceManagerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly notify: Notify;
  readonly pid: number;
  /** Describes a hang that a restart would fix; undefined when nothing is stuck. */
  readonly stuck: () => string | undefined;
  /** The status in one line, for `systemctl status`. */
  readonly summary: () => string;
}

/** Keep-alive messages sent within the watchdog timeout of systemd. */
const SIGNS = 3;

export class ServiceManager implements AsyncDisposable {
  readonly #deps: ServiceManagerDeps;
  #signs: Timer | undefined;
  #sentSummary: string | undefined;
  #telling: Promise<void> = Promise.resolve();
  #failed = false;

  private constructor(deps: ServiceManagerDeps) {
    this.#deps = deps;
  }

  /** Reports that the agent is ready, and from then on that it is alive. */
  static async start(deps: ServiceManagerDeps): Promise<ServiceManager> {
    const manager = new ServiceManager(deps);
    if (!deps.env.NOTIFY_SOCKET) return manager;
    await manager.#tell("READY=1", ...manager.#changes());
    const limitMs = watchdogMs(deps.env, deps.pid);
    if (limitMs !== undefined)
      manager.#signs = every(deps.clock, "sign of life", limitMs / SIGNS, () => manager.#sign());
    return manager;
  }

  /** Reports that the agent stops. Safe to repeat. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#signs?.cancel();
    if (this.#deps.env.NOTIFY_SOCKET) await this.#tell("STOPPING=1");
  }

  #sign(): void {
    const stuck = this.#deps.stuck();
    if (stuck !== undefined) {
      this.#deps.log.error({ stuck }, "the agent is stuck: the service manager gets no sign of life");
      return;
    }
    void this.#tell("WATCHDOG=1", ...this.#changes());
  }

  /** The summary, if it has changed. */
  #changes(): string[] {
    const summary = this.#deps.summary();
    if (summary === this.#sentSummary) return [];
    this.#sentSummary = summary;
    return [`STATUS=${summary}`];
  }

  /** Sends messages one after the other, so that the last one sent is the current one. */
  #tell(...words: readonly string[]): Promise<void> {
    this.#telling = this.#telling.then(async () => {
      try {
        await this.#deps.notify(words);
        this.#failed = false;
      } catch (failure) {
        if (!this.#failed) this.#deps.log.warn({ failure: String(failure) }, "the service manager cannot be notified");
        this.#failed = true;
      }
    });
    return this.#telling;
  }
}

/** The watchdog timeout of systemd for this process, ms; undefined when there is none. */
function watchdogMs(env: Readonly<Record<string, string | undefined>>, pid: number): number | undefined {
  const { WATCHDOG_USEC: usec, WATCHDOG_PID: whose } = env;
  if (usec === undefined || !/^[1-9]\d{0,15}$/.test(usec)) return undefined;
  if (whose !== undefined && whose !== String(pid)) return undefined;
  return Number(usec) / 1000;
}

/** Runs systemd's program. It inherits `NOTIFY_SOCKET`, and the unit must accept its messages (`NotifyAccess=all`). */
export const systemdNotify: Notify = (words) =>
  new Promise((resolve, reject) => {
    const child = spawn("systemd-notify", [`--pid=${process.pid}`, "--", ...words], { stdio: "ignore" });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`systemd-notify ended with ${signal ?? code}`));
    });
  });

/** Longest that one attempt may take, ms; each of its steps has its own limit. */
const ATTEMPT_MS = 120_000;
/** How late a waiting hub may continue after its announced time, ms. */
const LATE_MS = 60_000;

type Tunnel = AgentStatus["tunnel"];

export class Progress {
  #seen: { readonly state: string; readonly since: number; readonly at: number } | undefined;

  /**
   * Describes the stuck part; undefined when nothing is stuck.
   * @param now on the monotonic clock, ms: the wall clock may jump
   */
  stuck({ tunnel }: Pick<AgentStatus, "tunnel">, now: number): string | undefined {
    const { state, since } = tunnel;
    if (this.#seen?.state !== state || this.#seen.since !== since) this.#seen = { state, since, at: now };
    const limit = longest(tunnel);
    return limit !== undefined && now - this.#seen.at > limit ? `the tunnel is ${state}` : undefined;
  }
}

/** The maximum time in the tunnel's current state, ms; undefined: unlimited. */
function longest({ state, since, until }: Tunnel): number | undefined {
  switch (state) {
    case "connecting":
    case "opening":
      return ATTEMPT_MS;
    case "waiting":
    case "leaving":
      // Both times come from one moment of one clock, so that their difference is a duration.
      return Math.max(0, (until ?? since) - since) + LATE_MS;
    case "online":
    case "unpaired":
    case "stopped":
      return undefined;
  }
}
