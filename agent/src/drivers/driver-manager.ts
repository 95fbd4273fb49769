/** Answers questions of users to the hub's drivers, from every origin: the command line, the API at home, or the cloud. */
import type { StatedDriver } from "@porchlight/driver-kit";
import type { Clock, Log, Random } from "@porchlight/shared/kernel";
import type { DriverAnswer, DriverQuestion, HubDriver, MatterBridge } from "@porchlight/shared/model";
import { Release, type ReleaseState } from "./release.ts";
import { driverOverview, Setups } from "./setups.ts";

/** Stores the admissions of users. */
export interface AdmissionStore {
  admit(edgeId: string): Promise<"admitted" | "full">;
  withdraw(edgeId: string): Promise<void>;
}

/** Asks a hub's drivers. @param signal aborted when the caller no longer waits for the answer */
export type AskDrivers = (question: DriverQuestion, signal?: AbortSignal) => Promise<DriverAnswer>;

export interface DriverManagerDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly drivers: () => readonly StatedDriver[];
  /** edgeIds of the hub's devices. */
  readonly devices: () => readonly string[];
  readonly admissions: AdmissionStore;
}

/** How long a bridge's report is valid, ms: it reports every 30 s. */
const BRIDGE_MS = 90_000;
const NOT_FOUND = refused("Setup Not Found", "The hub does not know this setup, or no longer knows it.");

export class DriverManager implements Disposable {
  readonly #deps: DriverManagerDeps;
  readonly #setups: Setups;
  #release: Release | undefined;
  /** The last report of the bridge to Matter, and its expiry, monotonic ms. */
  #bridge: { readonly is: MatterBridge; readonly until: number } | undefined;

  constructor(deps: DriverManagerDeps) {
    this.#deps = deps;
    this.#setups = new Setups(deps);
  }

  overview(): HubDriver[] {
    const devices = this.#deps.devices();
    return this.#deps.drivers().map((driver) => driverOverview(driver, devices));
  }

  /** @param signal aborted when the caller no longer waits for the answer @throws what the store throws */
  async answer(question: DriverQuestion, signal?: AbortSignal): Promise<DriverAnswer> {
    switch (question.ask) {
      case "drivers":
        return { drivers: this.overview(), ...this.#bridgeNow() };
      case "matter bridge":
        this.#bridge = { is: question.is, until: this.#deps.clock.monotonic() + BRIDGE_MS };
        return { heard: true };
      case "admit":
        return this.#admit(question.edgeId, question.admitted);
      case "setup start":
        return this.#start(question.kind);
      case "setup look": {
        const run = this.#setups.get(question.id);
        return run ? { setup: await run.newer(question.after, question.waitMs, signal) } : NOT_FOUND;
      }
      case "setup answer":
        return this.#answer(question.id, question.number, question.answer);
      case "setup cancel": {
        const run = this.#setups.get(question.id);
        run?.cancel();
        return run ? { setup: run.look() } : NOT_FOUND;
      }
    }
  }

  /**
   * Releases the devices that are bound to this hub, and returns the progress; once begun it continues by itself.
   * @param isForced ends it: the devices still bound must be reset
   */
  release(isForced: boolean): ReleaseState {
    const { clock, log, drivers } = this.#deps;
    this.#release ??= new Release({ clock, log, drivers: drivers() });
    if (isForced) this.#release.cut();
    return this.#release.look();
  }

  /** Ends all running setups. */
  [Symbol.dispose](): void {
    this.#release?.[Symbol.dispose]();
    this.#setups[Symbol.dispose]();
  }

  #bridgeNow(): { readonly matterBridge?: MatterBridge } {
    const bridge = this.#bridge;
    return bridge && this.#deps.clock.monotonic() < bridge.until ? { matterBridge: bridge.is } : {};
  }

  async #admit(edgeId: string, admitted: boolean): Promise<DriverAnswer> {
    const { admissions, log } = this.#deps;
    if (!admitted) await admissions.withdraw(edgeId);
    else if ((await admissions.admit(edgeId)) === "full")
      return refused("Quota Exceeded", "A hub admits at most 1,000 devices one by one.");
    log.info({ device: edgeId, admitted }, "a person has admitted a device, or withdrawn its admission");
    return { admitted };
  }

  #start(kind: string): DriverAnswer {
    const run = this.#setups.start(kind);
    if (run === "unknown")
      return refused("Setup Kind Invalid", "No driver of the hub offers a setup of this kind at the moment.");
    if (run === "busy") return refused("Setup In Use", "Another setup of the same driver is running.");
    this.#deps.log.info({ setup: run.id, kind, driver: run.driver }, "a setup has started");
    return { setup: run.look() };
  }

  #answer(id: string, number: number, answer: string): DriverAnswer {
    const run = this.#setups.get(id);
    if (!run) return NOT_FOUND;
    switch (run.answer(number, answer)) {
      case "not_asked":
        return refused("Setup Answer Invalid", "The setup is not asking this question.");
      case "no_choice":
        return refused("Setup Answer Invalid", "The answer is not one of the choices.");
      case "taken":
        return { setup: run.look() };
    }
  }
}

function refused(name: Extract<DriverAnswer, { refused: unknown }>["refused"]["name"], detail: string): DriverAnswer {
  return { refused: { name, detail } };
}
