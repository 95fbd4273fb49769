/** An installed package as one of the hub's drivers: in its own child, restarted with backoff whenever the child ends. */
import { join } from "node:path";
import {
  type Admissions,
  type Admit,
  type AskClaims,
  Claims,
  type DriverStore,
  hostWithClaims,
  SessionClaims,
  type SharedHost,
  type StatedDriver,
  SupervisedDriver,
} from "@porchlight/driver-kit";
import type { BackoffPolicy, Clock, Log, Random } from "@porchlight/shared/kernel";
import { ChildDriver } from "../child/child-driver.ts";
import { type ChildProcess, childProcess } from "../child/child-process.ts";
import type { ChildProgram } from "../child/child-program.ts";
import { sandboxProblem } from "../child/sandbox.ts";
import type { InstalledPackage } from "./driver-packages.ts";

export interface PackageDriverDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly host: SharedHost;
  readonly store: DriverStore;
  readonly admissions?: Admissions | undefined;
  readonly askClaims: AskClaims;
  /** The command line of a child. */
  readonly program: () => ChildProgram;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The settings of a package: the devices it may admit, and its own part. */
export interface PackageSettings {
  readonly admit: Admit;
  readonly own: unknown;
}

/** A driver that has run for ten minutes counts as sound: the backoff starts again. */
const BACKOFF: BackoffPolicy = { firstMs: 1000, capMs: 3_600_000, stableMs: 600_000 };
const MANY_ENDS = 3;

export function packageDriver(
  installed: InstalledPackage,
  { admit, own }: PackageSettings,
  deps: PackageDriverDeps,
): StatedDriver {
  const { clock, random, log } = deps;
  const { version, shortName: name } = installed;
  const ending = new AbortController();
  const { signal } = ending;
  const claims = new Claims({ clock, log, ask: deps.askClaims, signal });
  const session = new SessionClaims({ clock, log, claims, signal, answered: () => undefined });
  // Another hub of the home can reach a network device as well.
  const isShared = installed.wants.includes("network");
  const ends: number[] = [];
  let notSandboxed: string | undefined;
  let child: ChildProcess | undefined;

  const start = async (host: SharedHost): Promise<ChildDriver> => {
    session.begin();
    const program = deps.program();
    const { folder, memoryMb } = installed;
    const [mayOpenDevices, mayUseNetwork] = [installed.wants.includes("serial"), isShared];
    const view = { reads: [folder, ...program.reads], mayOpenDevices, mayUseNetwork };
    notSandboxed = await sandboxProblem(program, view);
    if (notSandboxed !== undefined)
      log.warn({ driver: name, failure: notSandboxed }, "a driver runs without its sandbox");
    const isSandboxed = notSandboxed === undefined;
    const process = childProcess({
      ...deps,
      program,
      name,
      folder,
      memoryMb,
      mayOpenDevices,
      mayUseNetwork,
      isSandboxed,
    });
    void process.gone.then(() => note(ends, clock.monotonic()));
    const driver = await ChildDriver.start({
      ...deps,
      name,
      channel: process,
      entry: join(installed.folder, installed.entry),
      settings: own,
      host: isShared ? hostWithClaims(host, session) : host,
      admit,
    });
    child = process;
    return driver;
  };
  const supervised = new SupervisedDriver({ name, start, clock, random, log, host: deps.host, backoff: BACKOFF });

  return {
    name,
    has: (edgeId) => supervised.has(edgeId),
    read: (...asked) => supervised.read(...asked),
    write: (...asked) => supervised.write(...asked),
    yield: (edgeIds) => {
      claims.note(edgeIds);
      supervised.yield(edgeIds);
    },
    found: () => supervised.found(),
    unpaired: () => supervised.unpaired(),
    setups: () => supervised.setups(),
    setup: (kind, talk) => supervised.setup(kind, talk),
    problem: () => {
      const often = ends.filter((at) => clock.monotonic() - at < BACKOFF.stableMs).length >= MANY_ENDS;
      const { driver, failure } = supervised.status();
      if (often && driver !== "running")
        return `The driver ${name} keeps failing: ${failure ?? "the reason is not known"}.`;
      return supervised.problem();
    },
    status: () => ({
      package: installed.name,
      version,
      pid: child?.pid,
      memoryMb: child?.memoryMb,
      notSandboxed,
      ...supervised.status(),
    }),
    async [Symbol.asyncDispose]() {
      ending.abort(new Error("the driver stops"));
      await supervised[Symbol.asyncDispose]();
    },
  };
}

/** Notes an end, and keeps the last three. */
function note(ends: number[], at: number): void {
  ends.push(at);
  if (ends.length > MANY_ENDS) ends.shift();
}
