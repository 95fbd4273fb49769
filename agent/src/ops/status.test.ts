import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, systemClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ControlSocket, readStatus } from "./control-socket.ts";
import { exitStatusOfHealth, problemsOf } from "./health.ts";
import { NOW, STATUS as status } from "./status.fixture.ts";
import type { AgentStatus } from "./status-schema.ts";
import { statusText, unpairedLines } from "./status-text.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-status-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the status of an agent", () => {
  test("is sent by a running agent, to its owner only", async () => {
    await using _socket = await ControlSocket.start(folder, { status: () => status }, silentLog);
    expect(await readStatus(folder, systemClock)).toEqual({ kind: "running", status });
    expect(statSync(join(folder, "agent.sock")).mode & 0o077).toBe(0);
  });

  test("is never that of a dead agent", async () => {
    expect(await readStatus(folder, systemClock)).toEqual({ kind: "not_running" });
    const socket = await ControlSocket.start(folder, { status: () => status }, silentLog);
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
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_fields: unknown, message: string) => warnings.push(message) };
    await using _socket = await ControlSocket.start(join(folder, "absent"), { status: () => status }, log);
    expect(warnings).toEqual(["`porchlight-agent status` cannot reach this agent"]);
  });
});

describe("the status for people", () => {
  test("says of a hub that the cloud slows by how much", () => {
    const slowed = { ...status, tunnel: { ...status.tunnel, slowedMs: 1_234.5 } };
    expect(statusText(slowed, [], NOW).split("\n")[2]).toBe(
      "tunnel   online for 60 s, round trip 12 ms, slowed by the cloud for 1235 ms of the last heartbeat: the hub sends more than its budget",
    );
  });

  test("has a line for each thing that one would ask", () => {
    expect(statusText(status, [], NOW).split("\n")).toEqual([
      "porchlight-agent 0.1.0, hub 02-00-00-00-00-01, running for 60 min",
      "cloud    https://cloud.example",
      "tunnel   online for 60 s, round trip 12 ms",
      "queue    3 records, 1 KiB waiting for the cloud",
      "devices  1 of 2 live",
      "  00-1B-44-11-3A-B7  live  Hall lamp, serial /dev/ttyUSB0",
      "  00-1B-44-11-3A-B8  away",
      "links    serial /dev/ttyUSB0",
      "disk     300 of 900 MiB free, 2 MiB of history",
      "clock    right within a second",
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
      "the cloud does not accept this hub (refused with status 401): give it a new token or pair it again, again in 30 s",
    ],
    [
      { ...status, tunnel: { ...status.tunnel, live: false } },
      "connected, but nothing received for the length of the lease",
    ],
  ])("never says online of a hub that is not (%#)", (shown, words) => {
    expect(statusText(shown, [], NOW)).toContain(`tunnel   ${words}\n`);
  });

  test("says what a full queue cost", () => {
    const full = { ...status, queue: { ...status.queue, full: true, droppedValues: 4, refusedEvents: 2 } };
    expect(statusText(full, problemsOf(full), NOW)).toContain("\n\nThe queue for the cloud is full: ");
    expect(statusText(full, [], NOW)).toContain(
      "waiting for the cloud, full, 4 older values dropped, 2 events held at the devices\n",
    );
  });

  test.each<[Partial<AgentStatus["scenes"]>, string | undefined]>([
    [{ stored: 0, timed: 0 }, undefined],
    [{ timed: 0 }, "2 stored"],
    [{}, "2 stored, 1 called by time or sun"],
    [{ next: NOW + 3_600_000 }, "2 stored, 1 called by time or sun, the next in 60 min"],
  ])("says which scenes the hub calls (%#)", (change, words) => {
    const scenes = { stored: 2, timed: 1, called: 0, refused: 0, ...change };
    const line = statusText({ ...status, scenes }, [], NOW)
      .split("\n")
      .find((each) => each.startsWith("scenes"));
    expect(line).toBe(words && `scenes   ${words}`);
  });

  test.each<[AgentStatus["clock"], string]>([
    [{ source: "system" }, "the system clock, not yet compared with the cloud"],
    [{ source: "system", skewMs: -3000 }, "the system clock, 3 s behind the cloud"],
    [
      { source: "cloud", skewMs: -7_200_000 },
      "the system clock is 2 h 0 min behind the cloud; the time of the cloud is used",
    ],
    [{ source: "guessed" }, "wrong (earlier than the last known time); waiting for the time of the cloud"],
  ])("names the clock whose time it shows (%#)", (clock, words) => {
    expect(statusText({ ...status, clock }, [], NOW)).toContain(`clock    ${words}\n`);
  });
});

test("the status names what awaits a person's word", () => {
  const found = { edgeId: "00-15-8D-00-01-02-03-04", services: ["Lock"] };
  const driver = { name: "mqtt b:1883", state: "running" as const, devices: 0, unpaired: [], setups: [] };
  const shown = statusText(
    {
      ...status,
      links: [{ name: driver.name }],
      drivers: [
        {
          ...driver,
          found: [
            { ...found, name: "Front door", admission: "awaiting_admission" },
            { ...found, admission: "not_admitted" },
          ],
        },
      ],
    },
    [],
    NOW,
  );
  expect(shown).toContain(
    "links    mqtt b:1883\n  00-15-8D-00-01-02-03-04  awaits admission  Front door, Lock, mqtt b:1883\ndisk",
  );
});

test("the status names what must be paired, and what is missing", () => {
  const missing = "Press the round button on the bridge.";
  const bridge = { name: "Hue bridge Hall", edgeId: "00-17-88-FF-FE-AA-BB-CC", address: "10.0.0.9", missing };
  const unpaired = [bridge, { name: "Hue bridge", address: "10.0.0.8", missing }];
  const driver = { name: "hue", state: "running" as const, devices: 0, found: [], setups: [], unpaired };
  expect(unpairedLines([driver])).toEqual([
    `00-17-88-FF-FE-AA-BB-CC  not paired  Hue bridge Hall, 10.0.0.9, hue: ${missing}`,
    `10.0.0.8  not paired  Hue bridge, hue: ${missing}`,
  ]);
  expect(statusText({ ...status, links: [{ name: "hue" }], drivers: [driver] }, [], NOW)).toContain(
    "links    hue\n  00-17-88-FF-FE-AA-BB-CC  not paired  Hue bridge Hall",
  );
});

describe("the health of a hub", () => {
  const link = (detail: object): AgentStatus => ({ ...status, links: [{ name: "serial /dev/ttyUSB0", detail }] });
  const tunnel = (change: Partial<AgentStatus["tunnel"]>): AgentStatus => ({
    ...status,
    tunnel: { ...status.tunnel, ...change },
  });
  const scenes = (change: Partial<AgentStatus["scenes"]>): AgentStatus => ({
    ...status,
    scenes: { stored: 2, timed: 1, called: 0, refused: 0, ...change },
  });
  const disk = { ...status.disk, short: true };

  test("of a broker's certificate advises to look at `ca`, and of other failures at user and password", () => {
    const cureOf = (brokerFailure: string) =>
      problemsOf(link({ driver: "running", broker: "connecting", brokerFailure }))[0]?.cure ?? "";
    expect(cureOf("its certificate is not trusted (self-signed certificate)")).toMatch(/`broker` and `ca`/);
    expect(cureOf("Not authorized")).toMatch(/user and password/);
  });

  test.each<[AgentStatus, string[], number]>([
    [status, [], 0],
    [tunnel({ live: false }), ["offline"], 6],
    [tunnel({ state: "waiting", reason: "retry", live: false }), ["offline"], 6],
    [tunnel({ state: "waiting", reason: "superseded", live: false }), ["superseded"], 6],
    [tunnel({ state: "waiting", reason: "rejected", live: false }), ["rejected"], 4],
    [{ ...tunnel({ state: "unpaired", live: false }), paired: false }, ["not_paired"], 4],
    [{ ...status, disk }, ["disk_full"], 1],
    [{ ...status, queue: { ...status.queue, full: true } }, ["queue_full"], 1],
    [{ ...status, queue: { ...status.queue, notRecorded: 2 } }, ["history_incomplete"], 1],
    [scenes({ hindrance: { kind: "clock" } }), ["clock_not_set"], 1],
    [scenes({ hindrance: { kind: "zone", zone: "Europe/Atlantis" } }), ["time_zone_unknown"], 1],
    [scenes({ next: NOW }), [], 0],
    [link({ phase: "closed" }), ["link_down"], 1],
    [link({ phase: "live", driver: "failed", failure: "it threw" }), ["driver_failed"], 1],
    [link({ driver: "running", broker: "connecting", brokerFailure: "ECONNREFUSED" }), ["broker_away"], 1],
    [link({ driver: "running", broker: "connected" }), [], 0],
    [link({ driver: "running", troubles: [] }), [], 0],
    [
      link({ driver: "running", troubles: [{ says: "192.0.2.1: It needs its password.", cure: "Give it." }] }),
      ["device_not_had"],
      1,
    ],
    [
      { ...link({ phase: "closed" }), disk, tunnel: { ...status.tunnel, live: false } },
      ["offline", "disk_full", "link_down"],
      6,
    ],
  ])("is reported by name and by exit status, the gravest first (%#)", (shown, names, exitStatus) => {
    const problems = problemsOf(shown);
    expect(problems.map(({ name }) => name)).toEqual(names);
    expect(exitStatusOfHealth(problems)).toBe(exitStatus);
  });
});
