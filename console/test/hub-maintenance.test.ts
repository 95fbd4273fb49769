/** A hub is looked after in a terminal: what is shown of it, and how the commands end. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectHub } from "../../test/parts/answering-hub.ts";
import { TestConsole } from "./console.ts";

let desk: TestConsole;
beforeAll(async () => {
  desk = await TestConsole.start();
  const { environmentId } = await desk.signIn();
  await desk.json(`clients create --environment ${environmentId} --alias hub`);
  const { token } = await desk.json(`tokens create --client hub --environment ${environmentId}`);
  await connectHub(desk.cloud, token);
});
afterAll(() => desk[Symbol.asyncDispose]());
const run = (line: string, typed: readonly string[] = []) =>
  desk.run(line, { terminal: true, typed: [...typed], env: { NO_COLOR: "1" } });

test("the doctor prints the same words on a terminal, in a pipe and as JSON, and its exit status has the result", async () => {
  const terminal = await run("hubs doctor hub");
  expect(terminal.stdout).toMatch(/^ok {7}disk: 5120 MiB free\.$/m);
  expect(terminal.stdout).toMatch(/^failed {3}serial \/dev\/ttyUSB0: It does not exist\.\n {9}Plug in the adapter\.$/m);
  const pipe = await desk.run("hubs doctor hub", {});
  expect(pipe.stdout).toContain("failed\tserial /dev/ttyUSB0\tIt does not exist.\tPlug in the adapter.\n");
  const json = await desk.run("hubs doctor hub --json", {});
  expect(JSON.parse(json.stdout).items[1]).toMatchObject({ verdict: "failed", says: "It does not exist." });
  expect([terminal, pipe, json].map(({ exitStatus }) => exitStatus)).toEqual([1, 1, 1]);
  expect(terminal.stderr).toContain("One check failed.");
});

test("the log is a line for each line", async () => {
  const { stdout, exitStatus } = await run("hubs logs hub --level warn");
  expect([stdout, exitStatus]).toEqual(["2026-11-21 16:59:22Z  warn   the hub is online  epoch=1\n", 0]);
  expect((await run("hubs logs hub --level loud")).exitStatus).toBe(2);
});

test("the output states that a backup is on the hub", async () => {
  const { stderr, exitStatus } = await run("hubs backup hub");
  expect(exitStatus).toBe(0);
  expect(stderr).toContain("/var/lib/porchlight-agent/backups/hub-2026-11-21T16-59-22Z.backup");
  expect((await run("hubs backups hub")).stdout).toContain("hub-2026-11-21T16-59-22Z.backup");
});

test("a restart is asked for twice, and is not done after anything but a yes", async () => {
  expect((await run("hubs restart hub --no-wait", ["n"])).exitStatus).toBe(1);
  const { stderr, exitStatus } = await run("hubs restart hub --no-wait", ["y"]);
  expect(exitStatus).toBe(0);
  expect(stderr).toContain("The hub has accepted, and is restarting.");
});

test("its status is shown with what is wrong", async () => {
  const { stdout } = await run("hubs status hub");
  expect(stdout).toContain("1.2.3");
  expect(stdout).toContain("serial /dev/ttyUSB0 is not there.");
});
