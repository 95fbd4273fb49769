/** Which file a test gives to Node.js for one of our programs. Its own file because who only starts programs needs no bundler. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Where the bundles of this run are, for the processes of the tests: set once they are made. */
export const BUNDLED = "BUNDLED_PROGRAMS";

/** Packages of our programs; each begins with `src/main.ts`. */
export const PROGRAMS = ["cloud", "agent", "firmware-sim", "console"] as const;

/** Of this run's bundles when they are made, otherwise of the sources. @param main such as `cloud/src/main.ts` */
export function programFile(main: string): string {
  const folder = process.env[BUNDLED];
  const isOurs = PROGRAMS.some((name) => main === `${name}/src/main.ts`);
  return folder === undefined || !isOurs ? join(ROOT, main) : join(folder, main.replace(/\.ts$/, ".mjs"));
}
