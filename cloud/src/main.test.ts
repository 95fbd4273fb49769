import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Judge } from "../../test/parts/judge.ts";
import { programFile } from "../../test/parts/program-file.ts";

const MAIN = programFile("cloud/src/main.ts");

let folder: string;
const running: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-main-"));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

interface Run {
  readonly child: ChildProcess;
  /** Its first line on stdout. */
  readonly line: Promise<string>;
  readonly ended: Promise<{ readonly status: number | null; readonly out: string; readonly err: string }>;
}

function run(args: string[], env: Record<string, string> = {}): Run {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
  running.push(child);
  let out = "";
  let err = "";
  child.stderr.on("data", (data) => {
    err += data;
  });
  const line = new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (data) => {
      out += data;
      if (out.includes("\n")) resolve(out.slice(0, out.indexOf("\n")));
    });
    child.once("close", () => reject(new Error(`it ended without a line: ${err}`)));
  });
  line.catch(() => undefined);
  const ended = new Promise<{ status: number | null; out: string; err: string }>((resolve) => {
    child.once("close", (status) => resolve({ status, out, err }));
  });
  return { child, line, ended };
}

describe("porchlight-cloud serve", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "prints one line when it is ready, and ends in order on %s",
    async (signal) => {
      const { child, line, ended } = run(["serve", "--port", "0", "--data", join(folder, "data")]);
      const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(await line)?.[1];
      const body = JSON.stringify({ email: "a@example.com", password: "a lamp under a gable" });
      const headers = { "content-type": "application/json" };
      const made = await new Judge(String(url)).fetch(`${url}/v0/api/accounts/`, { method: "POST", headers, body });
      expect(made.status).toBe(201);
      child.kill(signal);
      const { status, out } = await ended;
      expect([status, out]).toEqual([0, `listening on ${url}\n`]);
      for (const file of ["cloud.db", "secret.key"]) expect(statSync(join(folder, "data", file)).mode & 0o077).toBe(0);
    },
  );

  it("waits for what is under way, and at a second signal does not", async () => {
    const { child, line, ended } = run(["serve", "--port", "0", "--data", join(folder, "data")]);
    const port = Number(/:(\d+)$/.exec(await line)?.[1]);
    const asking = connect(port, "127.0.0.1").on("error", () => undefined);
    const type = "content-type: application/json";
    asking.write(`POST /api/accounts HTTP/1.1\r\nhost: x\r\n${type}\r\ncontent-length: 9\r\n\r\n{"ema`);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    child.kill("SIGTERM");
    const refusal = () => fetch(`http://127.0.0.1:${port}/healthz`).catch((error: unknown) => error);
    await expect.poll(refusal).toBeInstanceOf(Error);
    expect(child.exitCode).toBeNull();
    child.kill("SIGTERM");
    expect((await ended).status).toBe(130);
    asking.destroy();
  });

  it("takes flags before variables before the file", async () => {
    const file = join(folder, "cloud.yaml");
    writeFileSync(file, `data: ${join(folder, "of the file")}\nport: 1\nhost: 127.0.0.2\n`);
    const env = { PORCHLIGHT_HOST: "127.0.0.3", PORCHLIGHT_PORT: "2" };
    const { line } = run(["serve", "--config", file, "--port", "0"], env);
    expect(await line).toMatch(/^listening on http:\/\/127\.0\.0\.3:\d+$/);
    expect(statSync(join(folder, "of the file", "cloud.db")).isFile()).toBe(true);
  });

  it("prints in a sentence why it cannot listen, with status 1", async () => {
    const first = run(["serve", "--port", "0", "--data", join(folder, "a")]);
    const port = /:(\d+)$/.exec(await first.line)?.[1] ?? "";
    const { status, out, err } = await run(["serve", "--port", port, "--data", join(folder, "b")]).ended;
    expect([status, out]).toEqual([1, ""]);
    expect(err).toMatch(/^porchlight-cloud: listen EADDRINUSE[^\n]*\n$/m);
  });
});

/** One line on stderr that is no log line: what a start that failed has to say. */
const sentence = (err: string) => err.split("\n").filter((line) => line !== "" && !line.startsWith("{"));

describe("porchlight-cloud serve, on one SQLite database", () => {
  it("is one process: a second one ends with status 1 and names the first, until that is killed", async () => {
    const data = join(folder, "data");
    const first = run(["serve", "--port", "0", "--data", data]);
    await first.line;
    const second = await run(["serve", "--port", "0", "--data", data]).ended;
    expect([second.status, second.out]).toEqual([1, ""]);
    expect(sentence(second.err)).toEqual([
      expect.stringMatching(
        new RegExp(`^porchlight-cloud: The database .*cloud.db is in use by .* \\(process ${first.child.pid} on `),
      ),
    ]);
    const backup = await run(["backup", join(folder, "copy.db"), "--data", data]).ended;
    const rotated = await run(["key", "rotate", "--data", data]).ended;
    expect([backup.status, rotated.status]).toEqual([0, 0]);
    first.child.kill("SIGKILL");
    await first.ended;
    expect(await run(["serve", "--port", "0", "--data", data]).line).toContain("listening on");
  });
});

describe("porchlight-cloud", () => {
  it("prints in one line why it cannot start, with status 1", async () => {
    const { status, out, err } = await run(["serve", "--port", "0", "--data", folder, "--database", folder]).ended;
    expect([status, out]).toEqual([1, ""]);
    expect(sentence(err)).toEqual([
      `porchlight-cloud: The database ${folder} is a folder: name a file in it with --database.`,
    ]);
  });

  it("prints at once that the data folder cannot be made", async () => {
    const { status, err } = await run(["serve", "--port", "0", "--data", "/proc/nope"]).ended;
    expect(status).toBe(1);
    expect(err).toMatch(/^porchlight-cloud: The data folder \/proc\/nope cannot be created \(\w+\)[^\n]*\n$/);
  });

  it("lists the users of an old version, and announces a new one", async () => {
    await run(["migrate", "--data", folder]).ended;
    const listed = await run(["versions", "--data", folder]).ended;
    expect([listed.status, listed.out]).toEqual([0, "no token asked for a version other than v0\n"]);
    const release = ["--release", "v1", "--date", "2027-03-01"];
    const output = await run(["versions", "notify", "--data", folder, ...release]).ended;
    expect([output.status, output.out]).toEqual([0, "0 accounts get an e-mail about v1; 0 have no verified address\n"]);
    expect((await run(["versions", "--data", join(folder, "nothing")]).ended).err).toContain("There is no database at");
  });

  it("prints that the audit holds, and with status 1 that it does not", async () => {
    await run(["migrate", "--data", folder]).ended;
    const heads = join(folder, "heads.json");
    const verify = () => run(["audit", "verify", "--data", folder, "--heads", heads]).ended;
    const good = await verify();
    expect([good.status, good.out]).toEqual([
      0,
      "the audit holds: 0 entries in 0 chains, and the links of 0 that were erased\n",
    ]);
    writeFileSync(heads, JSON.stringify([{ chain: "c1", sequence: 2, link: "x", erased: false }]));
    const bad = await verify();
    expect([bad.status, bad.out]).toEqual([
      1,
      "chain c1: entry 2 is not there\nthe audit does not hold: 1 findings in 0 chains\n",
    ]);
    writeFileSync(heads, "heads");
    expect((await verify()).err).toContain("does not hold heads");
  });

  it("migrates", async () => {
    const { status, out } = await run(["migrate", "--data", folder]).ended;
    expect([status, out]).toEqual([0, "the database is up to date\n"]);
  });

  it("checks its settings, and names every wrong one at once with status 2", async () => {
    expect((await run(["check-config"]).ended).status).toBe(0);
    const file = join(folder, "cloud.yaml");
    writeFileSync(file, "port: ninety\nhots: x\n");
    const { status, err } = await run(["check-config", "--config", file], { PORCHLIGHT_LEASE_MS: "0" }).ended;
    expect(status).toBe(2);
    for (const words of ["cloud.yaml:1", "cloud.yaml:2", "PORCHLIGHT_LEASE_MS"]) expect(err).toContain(words);
  });

  it.each([[["serve", "--prt", "1"]], [["nothing"]], [[]]])("ends with status 2 on %j", async (args) => {
    expect((await run(args).ended).status).toBe(2);
  });
});
