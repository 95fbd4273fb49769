/** An older console beside a newer service: words that it does not know are shown as the service sends them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EXIT } from "../session/failure.ts";
import { run } from "./run.fixture.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "porchlight-console-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Runs a command on a coloured terminal; the service answers every request alike. */
const answered = (words: readonly string[], status: number, body: object) =>
  run(words, {
    ...{ home, terminal: true, columns: 200 },
    env: { PORCHLIGHT_API_URL: "http://127.0.0.1:9", PORCHLIGHT_TOKEN: "plt_usr_x" },
    fetch: async () =>
      new Response(JSON.stringify(body), {
        status,
        headers: { "content-type": `application/${status === 200 ? "json" : "problem+json"}` },
      }),
  });

test("the outcome of a failed command", async () => {
  const problem = { type: "about:blank", title: "Device Asleep", status: 422, detail: "It wakes at night." };
  const { exitStatus, stderr } = await answered(["devices", "list"], 422, { ...problem, outcome: "postponed" });
  expect(stderr).toContain("It wakes at night. Outcome: postponed. Read the value before you repeat it.");
  expect(exitStatus).toBe(EXIT.refused);
});

test("the result of a hub's check", async () => {
  const items = [{ name: "radio", verdict: "skipped", says: "It is off." }];
  const { exitStatus, stdout } = await answered(["hubs", "doctor", "cli_1"], 200, { items });
  expect(stdout).toMatch(/skipped\S* {2,}radio: It is off\./);
  expect(exitStatus).toBe(EXIT.done);
});

test("what became of the e-mail of a test alert", async () => {
  const made = { id: "evt_1", email: "bounced" };
  const { exitStatus, stderr } = await answered(["alerts", "test"], 200, made);
  expect(stderr).toContain("E-mail: bounced.");
  expect(exitStatus).toBe(EXIT.done);
});

test("the kind of a series", async () => {
  const points = [{ at: "2026-11-05 12:00:00Z", value: "open" }];
  const series = { deviceId: "dev_1", service: "Door", index: "0", property: "mode", kind: "span", points };
  const history = {
    items: [series],
    resolution: "raw",
    range: { from: "2026-11-05 12:00:00Z", to: "2026-11-05 13:00:00Z" },
  };
  const { exitStatus, stdout, stderr } = await answered(["history", "dev_1", "Door.mode"], 200, history);
  expect([exitStatus, stderr]).toEqual([EXIT.done, ""]);
  expect(stdout).toContain("open");
});
