/** The lamp for a board without an operating system: it compiles, and where the machine has the board's compiler and emulator it is proved there. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../test/parts/program.ts";

const SOURCE = join(ROOT, "firmware/examples/mps2/lamp.c");
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

it("is C that any compiler takes without a warning", () => {
  const flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];
  // Its registers are at addresses of 32 bits, which this machine's pointers are wider than.
  const command = [...flags, "-Wno-int-to-pointer-cast", "-fsyntax-only", `-I${join(ROOT, "firmware")}`, SOURCE];
  expect(spawnSync("cc", command, { encoding: "utf8" }).stderr).toBe("");
});

// Neither is one of this project's packages: the run is on the machines that have both.
if (has("arm-none-eabi-gcc") && has("qemu-system-arm"))
  it("is proved in the emulator by the lines of the documents", async () => {
    const page = readFileSync(join(ROOT, "docs/firmware-lab.md"), "utf8");
    const [, block = ""] = /### In continuous integration[\s\S]*?^```sh\n([\s\S]*?)^```/m.exec(page) ?? [];
    const folder = await mkdtemp(join(tmpdir(), "porchlight-mps2-"));
    const script = block.replaceAll(/firmware(?=[ /])/g, join(ROOT, "firmware"));
    const env = { ...process.env, PATH: `${join(ROOT, "node_modules/.bin")}:${process.env.PATH}` };
    execFileSync("/bin/sh", ["-e", "-c", script], { cwd: folder, env, stdio: "ignore" });
    expect(readFileSync(join(folder, "report.xml"), "utf8")).toMatch(/failures="0" errors="0"/);
    await rm(folder, { recursive: true });
  });
