/** The program as a process: what its table answers within milliseconds, a reader that has gone, and Ctrl-C. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { programFile } from "../../test/parts/program-file.ts";

const MAIN = programFile("console/src/main.ts");

test("a reader that has gone is no failure, and is not reported", () => {
  const line = `set -o pipefail; "$0" "$1" help scripting | true`;
  for (let round = 0; round < 3; round++) {
    const { status, stderr } = spawnSync("bash", ["-c", line, process.execPath, MAIN], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  }
});

test("Ctrl-C ends what waits for the service, with its own status", async () => {
  const server = createServer(() => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const env = {
    ...process.env,
    PORCHLIGHT_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    PORCHLIGHT_TOKEN: "plt_usr_x",
    PORCHLIGHT_SETTINGS: "/nonexistent/settings.json",
  };
  const program = spawn(process.execPath, [MAIN, "whoami"], { env });
  await once(server, "request");
  program.kill("SIGINT");
  expect(await once(program, "exit")).toEqual([130, null]);
  server.closeAllConnections();
  server.close();
});
