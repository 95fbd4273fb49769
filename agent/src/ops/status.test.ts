import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AgentStatus } from "./status-schema.ts";
import { readStatus, StatusSocket } from "./status-socket.ts";
import { statusText } from "./status-text.ts";

const NOW = 10_000_000;
const status: AgentStatus = {
  version: "0.1.0",
  pid: 1,
  edgeId: "02-00-00-00-00-01",
  cloud: "https://cloud.example",
  paired: true,
  startedAt: NOW - 3_600_000,
  tunnel: { state: "online", since: NOW - 60_000, live: true, epoch: 3, roundTripMs: 12.4, welcomes: 1, counts: {} },
  queue: { records: 3, bytes: 900, lastNumber: 10, acknowledged: 7, droppedValues: 0, refusedEvents: 0, full: false },
  commandsWaiting: 0,
  devices: [
    { edgeId: "00-1B-44-11-3A-B7", name: "Hall lamp", transport: "serial /dev/ttyUSB0", live: true },
    { edgeId: "00-1B-44-11-3A-B8", live: false },
  ],
  links: [{ name: "serial /dev/ttyUSB0" }],
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-status-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the status of an agent", () => {
  test("is told by a running agent, to its owner only", async () => {
    await using _socket = await StatusSocket.start(folder, () => status, silentLog);
    expect(await readStatus(folder, systemClock)).toEqual({ kind: "running", status });
    expect(statSync(join(folder, "agent.sock")).mode & 0o077).toBe(0);
  });

  test("is never that of a dead agent", async () => {
    expect(await readStatus(folder, systemClock)).toEqual({ kind: "not_running" });
    const socket = await StatusSocket.start(folder, () => status, silentLog);
    await socket[Symbol.asyncDispose]();
    expect(await readStatus(folder, systemClock)).toEqual({ kind: "not_running" });
  });

  test("of another version is not guessed at", async () => {
    const server = createServer((client) => client.end("{}"));
    await new Promise<void>((resolve) => server.listen(join(folder, "agent.sock"), resolve));
    expect(await readStatus(folder, systemClock)).toEqual({ kind: "foreign" });
    server.close();
  });

  test("an agent that cannot make its socket runs all the same, and says so", async () => {
    const said: string[] = [];
    const log = { ...silentLog, warn: (_fields: unknown, message: string) => said.push(message) };
    await using _socket = await StatusSocket.start(join(folder, "absent"), () => status, log);
    expect(said).toEqual(["`porchlight-agent status` cannot reach this agent"]);
  });
});

describe("the status for people", () => {
  test("has a line for each thing that one would ask", () => {
    expect(statusText(status, NOW).split("\n")).toEqual([
      "porchlight-agent 0.1.0, hub 02-00-00-00-00-01, running for 60 min",
      "cloud    https://cloud.example",
      "tunnel   online for 60 s, round trip 12 ms",
      "queue    3 records, 1 KiB wait to be told",
      "devices  1 of 2 live",
      "  00-1B-44-11-3A-B7  live  Hall lamp, serial /dev/ttyUSB0",
      "  00-1B-44-11-3A-B8  away",
      "links    serial /dev/ttyUSB0",
      "",
    ]);
  });

  const waiting = (reason: string): AgentStatus => ({
    ...status,
    tunnel: {
      ...status.tunnel,
      state: "waiting",
      live: false,
      until: NOW + 30_000,
      reason,
      after: "refused with status 401",
    },
  });

  test.each([
    [waiting("retry"), "offline for 60 s (refused with status 401), again in 30 s"],
    [waiting("superseded"), "another agent with this hub's identity is online; this one waits, again in 30 s"],
    [
      waiting("rejected"),
      "the cloud does not accept this hub (refused with status 401): give it another token or pair it anew, again in 30 s",
    ],
    [
      { ...status, tunnel: { ...status.tunnel, live: false } },
      "online by name, but nothing has been heard for a lease",
    ],
  ])("never says online of a hub that is not (%#)", (shown, words) => {
    expect(statusText(shown, NOW)).toContain(`tunnel   ${words}\n`);
  });

  test("says what a full queue cost", () => {
    const full = { ...status, queue: { ...status.queue, full: true, droppedValues: 4, refusedEvents: 2 } };
    expect(statusText(full, NOW)).toContain("wait to be told, full, 4 older values dropped, 2 events held back\n");
  });
});
