/** The setups of a hub: one at a time per driver. An ended setup is remembered for a while, so that a late request still finds it. */
import type { FoundDevice, SetupKind, StatedDriver, UnpairedDevice } from "@porchlight/driver-kit";
import { BoundedMap, type Clock, type Random } from "@porchlight/shared/kernel";
import { type FoundDeviceText, type HubDriver, MOST_LISTED, type UnpairedDeviceText } from "@porchlight/shared/model";
import { z } from "zod";
import { SetupRun } from "./setup-run.ts";

export interface SetupsDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly drivers: () => readonly StatedDriver[];
}

/** Maximum setups that are remembered. */
const MOST_SETUPS = 32;

export class Setups implements Disposable {
  readonly #deps: SetupsDeps;
  /** By ID. */
  readonly #runs = new BoundedMap<string, SetupRun>(MOST_SETUPS);
  #isEnding = false;

  constructor(deps: SetupsDeps) {
    this.#deps = deps;
  }

  /** Starts a setup; `unknown`: no driver offers it now; `busy`: its driver is running another one. */
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

  /** Cancels all running setups without waiting for their drivers. */
  [Symbol.dispose](): void {
    this.#isEnding = true;
    for (const [, run] of this.#runs) run.cancel();
  }
}

/** The supervisor's state of a driver; a driver without a supervisor counts as running. */
const supervision = z.looseObject({
  driver: z.enum(["starting", "running", "failed", "stopped"]).default("running"),
  failure: z.string().optional(),
});

const LONGEST = 256;
const LONGEST_PROBLEM = 1024;

/**
 * The overview of a driver: its state, its problem, the devices it has found, the setups it offers.
 * @param devices edgeIds of the hub's devices
 */
export function driverOverview(driver: StatedDriver, devices: readonly string[]): HubDriver {
  const { driver: state, failure } = supervision.safeParse(driver.status?.() ?? {}).data ?? { driver: "running" };
  const problem = state === "failed" ? `The driver has failed and is restarted: ${failure}` : driver.problem?.();
  return {
    name: driver.name.slice(0, LONGEST),
    state,
    ...(problem !== undefined && { problem: problem.slice(0, LONGEST_PROBLEM) }),
    devices: devices.filter((edgeId) => driver.has(edgeId)).length,
    found: (driver.found?.() ?? []).slice(0, MOST_LISTED).map(foundText),
    unpaired: (driver.unpaired?.() ?? []).slice(0, MOST_LISTED).map(unpairedText),
    setups: offeredSetups(driver).map(({ kind, title }) => ({ kind, title })),
  };
}

/** The setups that users can start; those that release devices run when the hub leaves its owner. */
function offeredSetups(driver: StatedDriver): readonly SetupKind[] {
  return (driver.setups?.() ?? []).filter(({ releases }) => releases === undefined);
}

function foundText({ edgeId, about, services, admission }: FoundDevice): FoundDeviceText {
  const { name, manufacturer, model } = about;
  const words = shortened({ name, manufacturer, model });
  return { edgeId, ...words, services: [...new Set(services)].slice(0, 64), admission };
}

function unpairedText({ name, missing, edgeId, address, setup }: UnpairedDevice): UnpairedDeviceText {
  const words = shortened({ edgeId, address, setup });
  return { name: name.slice(0, LONGEST), ...words, missing: missing.slice(0, LONGEST_PROBLEM) };
}

function shortened(texts: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text.slice(0, LONGEST)]])),
  );
}
