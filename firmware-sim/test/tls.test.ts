/** The example with TLS is a lamp that `conform --tcp` proves as the page says, where the machine has Mbed TLS to build it. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../test/parts/program.ts";
import { programFile } from "../../test/parts/program-file.ts";

const ID = "02-50-4C-00-0C-02";
const KEY = "07".repeat(32);
const SIM = programFile("firmware-sim/src/main.ts");
/** The command of the page and of the example's first lines, which are the same. */
const BUILD =
  "cc -std=c99 -I firmware -o lamp firmware/examples/tls/lamp.c firmware/porchlight.c -lmbedtls -lmbedx509 -lmbedcrypto";
const hasTls = spawnSync("cc", ["-E", "-x", "c", "-"], { input: "#include <mbedtls/ssl.h>\n" }).status === 0;

it("is built by the command that the page and the example print", () => {
  for (const path of ["docs/firmware.md", "firmware/examples/tls/lamp.c"])
    expect(readFileSync(join(ROOT, path), "utf8"), path).toContain(BUILD);
});

if (hasTls)
  describe("the lamp with TLS", () => {
    const stack = new AsyncDisposableStack();
    let port: string;
    beforeAll(async () => {
      const folder = mkdtempSync(join(tmpdir(), "porchlight-tls-"));
      stack.defer(() => rmSync(folder, { recursive: true }));
      const program = join(folder, "lamp");
      const warnings = [
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Wconversion",
        "-Wshadow",
        "-Werror",
        "-g",
        "-fsanitize=address,undefined",
      ];
      const [cc = "", ...words] = BUILD.replace("-o lamp", `-o ${program}`).split(" ");
      execFileSync(cc, [...warnings, ...words], { cwd: ROOT });
      const lamp = spawn(program, ["--port", "0", "--psk", KEY], { stdio: ["ignore", "pipe", "inherit"] });
      stack.defer(async () => {
        lamp.kill();
        if (lamp.exitCode === null && lamp.signalCode === null) await once(lamp, "exit");
      });
      const [line] = (await once(createInterface({ input: lamp.stdout }), "line")) as [string];
      port = line.replace("port ", "");
    });
    afterAll(() => stack.disposeAsync());

    async function sim(...words: readonly string[]) {
      const child = spawn(process.execPath, [SIM, ...words]);
      const [out, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      return { out, errors, status };
    }

    it("keeps every rule that shows in a few seconds, also that a newer connection takes over (L5)", async () => {
      const { out, errors, status } = await sim(
        "conform",
        "--quick",
        "--json",
        "--tcp",
        `127.0.0.1:${port}`,
        "--psk",
        KEY,
        "--id",
        ID,
      );
      expect(status, errors).toBe(0);
      const { results } = JSON.parse(out);
      const verdicts = new Map(
        results.map((result: { rule: string; verdict: string }) => [result.rule, result.verdict]),
      );
      expect([verdicts.get("L5"), verdicts.get("L6")]).toEqual(["pass", "pass"]);
    });

    it("refuses a hub with another key, or without TLS, and serves the next hub all the same", async () => {
      expect(
        (await sim("shell", "--tcp", `127.0.0.1:${port}`, "--psk", "08".repeat(32), "--id", ID, "ping")).status,
      ).toBe(7);
      const plain = connect(Number(port), "127.0.0.1");
      plain.on("error", () => undefined);
      plain.write(Buffer.from("C08210009AD5C0", "hex"));
      let heard = "";
      plain.on("data", (bytes) => {
        heard += bytes.toString("hex").toUpperCase();
      });
      await once(plain, "close");
      // An alert of TLS at most: no frame.
      expect(heard).not.toContain("C083");
      expect(
        (
          await sim(
            "shell",
            "--tcp",
            `127.0.0.1:${port}`,
            "--psk",
            KEY,
            "--id",
            ID,
            "write Switch.on true",
            "expect Switch.on true",
          )
        ).status,
      ).toBe(0);
    });
  });
else it("is not built here, because the headers of Mbed TLS are not installed", () => expect(hasTls).toBe(false));
