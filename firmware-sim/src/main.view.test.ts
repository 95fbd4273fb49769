/** The live view in a real terminal: drawn, turned with a key, and the terminal left as it was. */
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { expect, test } from "vitest";

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("the view stands on a terminal, takes keys, and q leaves it as it was", async () => {
  const words = [file("./main.ts"), "run", file("../examples/home.yaml")];
  const terminal = spawn(process.execPath, words, { cols: 120, rows: 30, env: { ...process.env, NO_COLOR: "1" } });
  let shown = "";
  terminal.onData((text) => {
    shown += text;
  });
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  try {
    await expect.poll(() => shown).toContain("> Porch light              02-50-4C-51-00-01 greeting  on true");
    terminal.write("\r");
    await expect.poll(() => shown).toContain("02-50-4C-51-00-01 greeting  on false");
    terminal.write("q");
    expect(await ended).toBe(0);
    expect(shown.indexOf("\u001b[?1049h")).toBe(0);
    expect(shown.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  } finally {
    terminal.kill("SIGKILL");
  }
});
