/**
 * Other Node.js versions than the project's own, each with the npm that comes with it: what people have on their machines when they
 * type the first command. They come from the npm registry, once, into a folder that a new installation empties.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { arch } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "node_modules", ".cache", "node-versions");

export interface NodeVersion {
  readonly node: string;
  readonly npm: string;
}

/** The newest of each line that `engines` of package.json allows and that is or was supported for long: the oldest and the newest are there. */
export const SUPPORTED: readonly NodeVersion[] = [
  { node: "20.20.2", npm: "10.9.9" },
  { node: "22.23.3", npm: "10.9.9" },
  { node: "24.21.0", npm: "11.21.2" },
  { node: "26.10.0", npm: "12.2.0" },
];

/** Older than `engines` allows: the last of them, and one that knows little of today's language. */
export const UNSUPPORTED: readonly NodeVersion[] = [
  { node: "18.20.8", npm: "10.9.9" },
  { node: "12.22.12", npm: "6.14.18" },
];

const run = promisify(execFile);

/** The folder of a version's `node`. */
export function nodeFolder({ node }: NodeVersion): string {
  return join(FOLDER, `node-linux-${arch()}-${node}`, "bin");
}

/** The program of a version's `npm`, for its `node` to run. */
export function npmProgram({ npm }: NodeVersion): string {
  return join(FOLDER, `npm-${npm}`, "bin", "npm-cli.js");
}

/** Fetches missing versions. Gives those that cannot be had, each with the reason. */
export async function fetchNodeVersions(): Promise<{ readonly name: string; readonly why: string }[]> {
  const versions = [...SUPPORTED, ...UNSUPPORTED];
  const wanted = new Set(versions.flatMap(({ node, npm }) => [`node-linux-${arch()}@${node}`, `npm@${npm}`]));
  const missing = [...wanted].filter((each) => !existsSync(join(FOLDER, each.replace("@", "-"))));
  if (missing.length > 0) process.stderr.write(`Fetching ${missing.join(", ")} (npm).\n`);
  const reasons = await Promise.all(missing.map(fetch));
  return reasons.flatMap((reason) => reason ?? []);
}

async function fetch(name: string): Promise<{ readonly name: string; readonly why: string } | undefined> {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, ".new-"));
  try {
    await run("npm", ["pack", name, "--prefer-offline", "--pack-destination", folder, "--loglevel=error"]);
    const archive = join(folder, `${name.replace("@", "-")}.tgz`);
    const only = name.startsWith("npm@") ? "package" : "package/bin/node";
    await run("tar", ["xzf", archive, "-C", folder, "--no-same-owner", only]);
    // Whole or not there: an interrupted download leaves nothing under the name.
    renameSync(join(folder, "package"), join(FOLDER, name.replace("@", "-")));
    return undefined;
  } catch (error) {
    return { name, why: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
