/** Before tests that start our programs: each has ended in order once, so that Node.js has kept what it made of its files. One that is killed keeps nothing. */
import { Program } from "./program.ts";

export default async function setup(): Promise<void> {
  const programs = ["cloud", "agent", "firmware-sim", "console"].map(
    (name) => new Program(name, `${name}/src/main.ts`, ["--help"]),
  );
  for (const program of programs) {
    const { code } = await program.ended;
    if (code !== 0) throw new Error(`a program cannot be started:\n${program.said}`);
  }
}
