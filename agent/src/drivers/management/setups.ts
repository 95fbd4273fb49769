/** The setups of a hub: one at a time for each driver. One that has ended is remembered for a while, for who looks late. */
import type { StatedDriver } from "@porchlight/driver-kit";
import { BoundedMap, type Clock, type Random } from "@porchlight/shared/kernel";
import { offeredSetups } from "./driver-overview.ts";
import { SetupRun } from "./setup-run.ts";

export interface SetupsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly drivers: () => readonly StatedDriver[];
}

/** As many are remembered. */
const MOST_SETUPS = 32;

export class Setups implements Disposable {
  readonly #deps: SetupsDeps;
  /** By ID. */
  readonly #runs = new BoundedMap<string, SetupRun>(MOST_SETUPS);
  #isEnding = false;

  constructor(deps: SetupsDeps) {
    this.#deps = deps;
  }

  /** Starts one; `unknown`: no driver offers it now; `busy`: its driver is in the middle of another. */
  start(kind: string): SetupRun | "unknown" | "busy" {
    const { clock, random, drivers } = this.#deps;
    for (const driver of this.#isEnding ? [] : drivers()) {
      const offered = offeredSetups(driver).find((each) => each.kind === kind);
      if (!offered || !driver.setup) continue;
      if ([...this.#runs].some(([, run]) => run.driver === driver.name && !run.isOver)) return "busy";
      const id = Buffer.from(random.bytes(12)).toString("base64url");
      const work = driver.setup.bind(driver);
      const run = new SetupRun({ id, kind: offered, driver: driver.name, clock, run: (talk) => work(kind, talk) });
      this.#runs.set(id, run);
      return run;
    }
    return "unknown";
  }

  get(id: string): SetupRun | undefined {
    return this.#runs.get(id);
  }

  /** Ends all that run. Their drivers hear of it, and are not waited for. */
  [Symbol.dispose](): void {
    this.#isEnding = true;
    for (const [, run] of this.#runs) run.cancel();
  }
}
