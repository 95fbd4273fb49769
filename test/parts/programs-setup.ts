/**
 * Before tests that start our programs: they are bundled, and each has ended in order once, so that Node.js has kept what it made of its
 * files. One that is killed keeps nothing.
 */
import { bundlePrograms } from "./bundled-programs.ts";
import { Program } from "./program.ts";
import { PROGRAMS } from "./program-file.ts";

export default async function setup(): Promise<void> {
  // Once from the sources too, as people start them: what a bundler makes of them could hide that they do not.
  const fromSources = PROGRAMS.map((name) => new Program(name, `${name}/src/main.ts`, ["--help"]));
  await bundlePrograms();
  const bundled = PROGRAMS.map((name) => new Program(`bundled ${name}`, `${name}/src/main.ts`, ["--help"]));
  for (const program of [...fromSources, ...bundled]) {
    const { code } = await program.ended;
    if (code !== 0) throw new Error(`a program cannot be started:\n${program.stderr}`);
  }
}
