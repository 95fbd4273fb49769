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
import { ControlSocket } from "./control-socket.ts";
import { type Check, examine, judgeCloud, judgeLine, judgeMode, judgeSkew, judgeSpace } from "./examine.ts";
import { STATUS } from "./status.fixture.ts";

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

/** What was found, `VERDICT NAME`, and of what is not ok also its sentence. */
async function found(more?: object): Promise<string[]> {
  const checks: Check[] = [];
  for await (const check of examine(settings(more), systemClock)) checks.push(check);
  for (const { verdict, cure } of checks) expect(cure === undefined).toBe(verdict === "ok");
  return checks.map(({ name, verdict, says }) => (verdict === "ok" ? `ok ${name}` : `${verdict} ${name}: ${says}`));
}

describe("the doctor", () => {
  test("finds nothing wrong with a hub that is well", async () => {
    await soundFolder();
    await using _agent = await ControlSocket.start(folder, { status: () => STATUS }, silentLog);
    writeFileSync(at("line"), "");
    expect(await found({ serial: [at("line")] })).toEqual([
      "ok data folder",
      "ok disk",
      "ok identity",
      "ok token",
      `ok serial ${at("line")}`,
      "ok cloud",
      "ok clock",
      "ok agent",
    ]);
  });

  test("says of a stopped hub that it is stopped, and looks into its database", async () => {
    await soundFolder();
    const all = await found();
    expect(all).toContain("ok database");
    expect(all.at(-1)).toBe("failed agent: No agent runs on this data folder.");
  });

  test("finds damage in the database, and changes nothing", async () => {
    await soundFolder();
    writeFileSync(at("agent.db"), "no database".repeat(1000));
    expect(await found()).toContainEqual(expect.stringMatching(/^failed database: It is damaged \(.+\)\.$/));
    expect(await found()).toContainEqual(expect.stringMatching(/^failed database/));
  });

  test("finds what is missing, open to others, or damaged in the folder", async () => {
    chmodSync(folder, 0o755);
    expect(await found()).toEqual(
      expect.arrayContaining([
        `failed data folder: Other users of this machine can open ${folder}.`,
        "warning identity: It does not exist yet.",
        "failed token: The hub is not paired.",
        "warning database: It does not exist yet.",
      ]),
    );
    await soundFolder();
    chmodSync(at("token"), 0o644);
    writeFileSync(at("identity.key"), "nothing");
    writeFileSync(at("agent.db.damaged-2026-01-01T00-00-00Z"), "");
    expect(await found()).toEqual(
      expect.arrayContaining([
        "failed identity: identity.key is damaged.",
        `failed token: Other users of this machine can open ${at("token")}.`,
        "warning database: A damaged database was kept: agent.db.damaged-2026-01-01T00-00-00Z.",
      ]),
    );
    expect(await found({ data: at("nowhere") })).toContain(
      `failed data folder: ${at("nowhere")} does not exist, or this user cannot write to it.`,
    );
  });

  test("finds what is wrong with line, cloud and clock", async () => {
    await soundFolder();
    [date, status] = ["Thu, 01 Jan 1970 00:00:00 GMT", 502];
    const all = await found({ serial: [at("no-line")] });
    expect(all).toContain(`failed serial ${at("no-line")}: It does not exist.`);
    expect(all).toContainEqual(expect.stringMatching(/^failed cloud: .+ answers with status 502\.$/));
    expect(all).toContainEqual(expect.stringMatching(/^warning clock: The system clock is \d+ s ahead\.$/));
    expect(await found({ cloud: "http://127.0.0.1:1" })).toContainEqual(
      expect.stringContaining("cannot be reached (ECONNREFUSED)"),
    );
  });

  test("reports the problems that the running agent finds in itself, and an agent that is silent", async () => {
    await soundFolder();
    const short = { ...STATUS, disk: { ...STATUS.disk, short: true } };
    const full = await ControlSocket.start(folder, { status: () => short }, silentLog);
    expect((await found()).at(-1)).toMatch(/^failed agent: The disk is full/);
    await full[Symbol.asyncDispose]();
    await using _foreign = await ControlSocket.start(folder, { status: () => "?" }, silentLog);
    expect((await found()).at(-1)).toBe("failed agent: An agent runs on this data folder, but does not answer.");
  });
});

test.each([
  [judgeSpace(100 * 1024 * 1024), "ok"],
  [judgeSpace(10 * 1024 * 1024), "failed"],
  [judgeSpace(undefined), "warning"],
  [judgeMode("x", "/x", 0o100_600), "ok"],
  [judgeMode("x", "/x", 0o100_640), "failed"],
  [judgeSkew(-4000), "ok"],
  [judgeSkew(-60_000), "warning"],
  [judgeLine("/dev/x", undefined), "ok"],
  [judgeLine("/dev/x", "EACCES"), "failed"],
  [judgeLine("/dev/x", "EIO"), "failed"],
  [judgeCloud("https://c", { status: 200 }), "ok"],
  [judgeCloud("https://c", { code: "CERT_HAS_EXPIRED" }), "failed"],
])("%j is judged %s", ({ verdict, cure }, expected) => {
  expect(verdict).toBe(expected);
  expect(cure === undefined).toBe(expected === "ok");
});

test.each([
  ["EACCES", "usermod -aG dialout"],
  ["ENOENT", "Plug in the adapter"],
])("a line that is refused with %s has its cure", (code, words) => {
  expect(judgeLine("/dev/x", code).cure).toContain(words);
});
test.each([
  ["ENOTFOUND", "DNS server"],
  ["ECONNREFUSED", "firewall"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "--ca"],
  ["EWHATEVER", "Try again"],
])("a cloud that answers %s has its cure", (code, words) => {
  expect(judgeCloud("https://c", { code }).cure).toContain(words);
});
