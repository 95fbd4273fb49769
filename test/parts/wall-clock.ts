/** A program's wall clock that a test sets while it runs (libfaketime). Its monotonic clock, and so its timers, go on as they are. */
import { chmodSync, copyFileSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LIBRARIES = "/usr/lib";
/** With it the agent starts the processes of its drivers. */
const STARTS_DRIVERS = "/usr/bin/setpriv";

export class WallClock {
  readonly #file: string;
  readonly #folder: string;

  /** @param folder for the file that holds how far the clock is off @param name of that file */
  constructor(folder: string, name = "wall-clock") {
    this.#folder = folder;
    this.#file = join(folder, name);
    this.set(0);
  }

  /** How far the clock is off from now on, seconds. */
  set(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? "" : "+"}${seconds}`);
  }

  /** What the program must be started with. @throws Error when libfaketime is not installed */
  get env(): Readonly<Record<string, string>> {
    // Each architecture has a folder of its own.
    const places = readdirSync(LIBRARIES).map((folder) => join(LIBRARIES, folder, "faketime/libfaketimeMT.so.1"));
    const place = places.find((path) => existsSync(path));
    if (place === undefined) throw new Error("libfaketime is not installed: apt-get install faketime");
    return {
      LD_PRELOAD: place,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: "1",
      // Its name until 0.9.10, and since.
      DONT_FAKE_MONOTONIC: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      NO_FAKE_STAT: "1",
    };
  }

  /**
   * A command that becomes an agent (see `Program`) whose drivers' processes have the clock too: the agent gives them none of its
   * environment, so that what starts them is another program in the agent's view of the machine. Needs root.
   */
  get withDrivers(): readonly string[] {
    const [real, instead] = ["setpriv.real", "setpriv"].map((name) => join(this.#folder, name)) as [string, string];
    copyFileSync(STARTS_DRIVERS, real);
    const words = Object.entries(this.env).map(([name, value]) => `${name}='${value}'`);
    writeFileSync(instead, `#!/bin/sh\n${words.join(" ")} exec ${real} "$@"\n`);
    chmodSync(instead, 0o755);
    return ["unshare", "--mount", "sh", "-c", `mount --bind ${instead} ${STARTS_DRIVERS} && exec "$@"`, "sh"];
  }
}
