import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, silentLog, systemClock, systemRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openIdentity } from "../config/identity.ts";
import { type AgentSettings, agentSettings } from "../config/settings.ts";
import { State } from "../state/index.ts";
import { type Check, judgeCloud, judgeLine, judgeMode, judgeSkew, judgeSpace } from "./checks.ts";
import { ControlSocket } from "./control/control-socket.ts";
import { examine } from "./examine.ts";
import { STATUS } from "./status/status.fixture.ts";

let folder = "";
let cloud: Server;
let date: string | undefined;
let status = 200;
const at = (name: string) => join(folder, name);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-doctor-"));
  [date, status] = [undefined, 200];
  cloud = createServer((_request, response) => {
    if (date !== undefined) response.setHeader("date", date);
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => cloud.listen(0, "127.0.0.1", resolve));
});
afterEach(() => {
  cloud.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A folder of a hub on which nothing is wrong. */
async function soundFolder(): Promise<void> {
  openIdentity(at("identity.key"), { random: systemRandom, hardware: () => undefined });
  writeFileSync(at("token"), "plt_cli_x\n", { mode: 0o600 });
  const deps = { clock: systemClock, random: seededRandom(1), log: silentLog };
  await State.open(at("agent.db"), deps)[Symbol.asyncDispose]();
}

const settings = (more: object = {}): AgentSettings =>
  agentSettings.parse({ cloud: `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`, data: folder, ...more });

/** What was found, `VERDICT NAME`, and of what is not good also what is said. */
async function found(more?: object): Promise<string[]> {
  const checks: Check[] = [];
  for await (const check of examine(settings(more), systemClock)) checks.push(check);
  for (const { verdict, cure } of checks) expect(cure === undefined).toBe(verdict === "good");
  return checks.map(({ name, verdict, says }) => (verdict === "good" ? `good ${name}` : `${verdict} ${name}: ${says}`));
}

describe("the doctor", () => {
  test("finds nothing wrong with a hub that is well", async () => {
    await soundFolder();
    await using _agent = await ControlSocket.start(folder, { status: () => STATUS }, silentLog);
    writeFileSync(at("line"), "");
    expect(await found({ serial: [at("line")] })).toEqual([
      "good data folder",
      "good disk",
      "good identity",
      "good token",
      `good serial ${at("line")}`,
      "good cloud",
      "good clock",
      "good agent",
    ]);
  });

  test("says of a stopped hub that it is stopped, and looks into its database", async () => {
    await soundFolder();
    const all = await found();
    expect(all).toContain("good database");
    expect(all.at(-1)).toBe("bad agent: No agent runs on this folder.");
  });

  test("finds damage in the database, and changes nothing", async () => {
    await soundFolder();
    writeFileSync(at("agent.db"), "no database".repeat(1000));
    expect(await found()).toContainEqual(expect.stringMatching(/^bad database: It is damaged \(.+\)\.$/));
    expect(await found()).toContainEqual(expect.stringMatching(/^bad database/));
  });

  test("finds what is missing, open to others, or damaged in the folder", async () => {
    chmodSync(folder, 0o755);
    expect(await found()).toEqual(
      expect.arrayContaining([
        `bad data folder: Others on this machine may open ${folder}.`,
        "doubtful identity: There is none yet.",
        "bad token: The hub is not paired.",
        "doubtful database: There is none yet.",
      ]),
    );
    await soundFolder();
    chmodSync(at("token"), 0o644);
    writeFileSync(at("identity.key"), "nothing");
    writeFileSync(at("agent.db.damaged-2026-01-01T00-00-00Z"), "");
    expect(await found()).toEqual(
      expect.arrayContaining([
        "bad identity: identity.key is damaged.",
        `bad token: Others on this machine may open ${at("token")}.`,
        "doubtful database: A damaged one was kept aside: agent.db.damaged-2026-01-01T00-00-00Z.",
      ]),
    );
    expect(await found({ data: at("nowhere") })).toContain(
      `bad data folder: ${at("nowhere")} is not there, or this user may not write to it.`,
    );
  });

  test("finds what is wrong with line, cloud and clock", async () => {
    await soundFolder();
    [date, status] = ["Thu, 01 Jan 1970 00:00:00 GMT", 502];
    const all = await found({ serial: [at("no-line")] });
    expect(all).toContain(`bad serial ${at("no-line")}: It is not there.`);
    expect(all).toContainEqual(expect.stringMatching(/^bad cloud: .+ answers with status 502\.$/));
    expect(all).toContainEqual(expect.stringMatching(/^doubtful clock: The system's clock is \d+ s ahead\.$/));
    expect(await found({ cloud: "http://127.0.0.1:1" })).toContainEqual(
      expect.stringContaining("cannot be reached (ECONNREFUSED)"),
    );
  });

  test("tells what the running agent finds wrong with itself, and of one that is silent that it is", async () => {
    await soundFolder();
    const short = { ...STATUS, disk: { ...STATUS.disk, short: true } };
    const full = await ControlSocket.start(folder, { status: () => short }, silentLog);
    expect((await found()).at(-1)).toMatch(/^bad agent: The disk takes no more/);
    await full[Symbol.asyncDispose]();
    await using _foreign = await ControlSocket.start(folder, { status: () => "?" }, silentLog);
    expect((await found()).at(-1)).toBe("bad agent: An agent runs on this folder and does not answer.");
  });
});

test.each([
  [judgeSpace(100 * 1024 * 1024), "good"],
  [judgeSpace(10 * 1024 * 1024), "bad"],
  [judgeSpace(undefined), "doubtful"],
  [judgeMode("x", "/x", 0o100_600), "good"],
  [judgeMode("x", "/x", 0o100_640), "bad"],
  [judgeSkew(-4000), "good"],
  [judgeSkew(-60_000), "doubtful"],
  [judgeLine("/dev/x", undefined), "good"],
  [judgeLine("/dev/x", "EACCES"), "bad"],
  [judgeLine("/dev/x", "EIO"), "bad"],
  [judgeCloud("https://c", { status: 200 }), "good"],
  [judgeCloud("https://c", { code: "CERT_HAS_EXPIRED" }), "bad"],
])("%j is judged %s", ({ verdict, cure }, expected) => {
  expect(verdict).toBe(expected);
  expect(cure === undefined).toBe(expected === "good");
});

test.each([
  ["EACCES", "usermod -aG dialout"],
  ["ENOENT", "Plug the adapter in"],
])("a line that is refused with %s has its cure", (code, words) => {
  expect(judgeLine("/dev/x", code).cure).toContain(words);
});
test.each([
  ["ENOTFOUND", "name server"],
  ["ECONNREFUSED", "firewall"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "--ca"],
  ["EWHATEVER", "Try again"],
])("a cloud that answers %s has its cure", (code, words) => {
  expect(judgeCloud("https://c", { code }).cure).toContain(words);
});
