/** PostgreSQL as docs/operations/postgresql.md describes it for operators. The tests run the commands of that document: role, TLS, and recovery to a point in time. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { freePort } from "../parts/free-port.ts";
import { startPostgres } from "../parts/postgres-server.ts";
import { Program, ROOT } from "../parts/program.ts";
import {
  account,
  ask,
  blocks,
  type Documented,
  documentedServer,
  PASSWORD,
  refusal,
  serve,
  settings,
} from "./operated-postgres.fixture.ts";

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-operated-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
});

async function documented(
  ...given: Parameters<typeof documentedServer> extends [string, ...infer Rest] ? Rest : never
) {
  const made = await documentedServer(folder, ...given);
  stack.use(made.server);
  return made;
}

describe("the role of the document", () => {
  let server: Documented;
  beforeAll(async () => {
    server = await documented("off");
  });

  it("is enough for the service, which migrates, starts, stores and starts again, and shows its password nowhere", async () => {
    const database = server.url("127.0.0.1");
    for (const [path, status] of [
      ["/api/accounts", 201],
      ["/api/accounts/login", 201],
    ] as const) {
      await using scope = new AsyncDisposableStack();
      const { url, program } = await serve(folder, database, "role", scope);
      expect(await account(url, path, "role")).toBe(status);
      expect(readFileSync(`/proc/${program.pid}/cmdline`, "utf8")).not.toContain(PASSWORD);
      expect(program.stderr).not.toContain(PASSWORD);
    }
    expect(
      await ask(
        server.administrators,
        "select distinct tableowner as owner from pg_tables where schemaname = 'public'",
      ),
    ).toEqual([{ owner: "porchlight" }]);
  });

  it.each([
    "create database another",
    "create role another",
    "create schema another",
    "create temporary table another (a integer)",
    "create extension dblink",
    "alter database porchlight set work_mem = '1GB'",
    "drop database porchlight",
    "copy (select 1) to program 'true'",
    "select pg_read_file('/etc/passwd')",
    "select * from pg_authid",
  ])("has no further right: %s", async (query) => {
    expect(await refusal(server.url("127.0.0.1"), query)).toBe("42501");
  });

  it("reaches no other database", async () => {
    const elsewhere = server.url("127.0.0.1").replace(/\/porchlight$/, "/postgres");
    expect(await refusal(elsewhere, "select 1")).toBe("28000");
  });
});

describe("TLS to PostgreSQL", () => {
  let withTls: Documented;
  let without: Documented;
  beforeAll(async () => {
    withTls = await documented("on");
    without = await documented("off");
  });

  /** What `migrate` prints. */
  async function migrated(database: string): Promise<string> {
    const file = join(folder, "database");
    writeFileSync(file, database);
    await using program = new Program("cloud", "cloud/src/main.ts", ["migrate", "--data", join(folder, "tls")], {
      PORCHLIGHT_DATABASE_FILE: file,
    });
    const lines: string[] = [];
    const listened = program.line((line) => void lines.push(line)).catch(() => undefined);
    const { code } = await program.ended;
    await listened;
    return `${code}: ${lines.join("\n")}${program.stderr.trim()}`;
  }

  it.each([
    ["verify-full with the right CA and name", "127.0.0.1", "verify-full"],
    ["verify-ca with the right CA, for another name", "localhost", "verify-ca"],
    ["require, without a look at the certificate", "localhost", "require"],
  ])("is used: %s", async (_what, host, mode) => {
    const ca = mode === "require" ? "" : `&sslrootcert=${withTls.ca}`;
    expect(await migrated(withTls.url(host, `?sslmode=${mode}${ca}`))).toMatch(/^0: the database is up to date/);
  });

  it("is used by each connection of a service that runs", async () => {
    await using scope = new AsyncDisposableStack();
    const database = withTls.url("127.0.0.1", `?sslmode=verify-full&sslrootcert=${withTls.ca}`);
    const { url } = await serve(folder, database, "tls", scope);
    expect(await account(url, "/api/accounts", "tls")).toBe(201);
    const query =
      "select ssl, count(*)::integer as connections from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'porchlight' group by ssl";
    expect(await ask(withTls.administrators, query)).toEqual([{ ssl: true, connections: expect.any(Number) }]);
  });

  it.each([
    [
      "another CA",
      () => withTls.url("127.0.0.1", `?sslmode=verify-full&sslrootcert=${without.ca}`),
      /has a certificate from a CA that is not trusted: name the file of its CA as `sslrootcert`/,
    ],
    [
      "no CA",
      () => withTls.url("127.0.0.1", "?sslmode=verify-full"),
      /has a certificate from a CA that is not trusted: name the file of its CA as `sslrootcert`/,
    ],
    [
      "another name",
      () => withTls.url("localhost", `?sslmode=verify-full&sslrootcert=${withTls.ca}`),
      /has a certificate for another name than that of the address/,
    ],
    [
      "a server without TLS",
      () => without.url("127.0.0.1", "?sslmode=require"),
      /the server has no TLS, which `sslmode` requires/,
    ],
    [
      "a connection without TLS where the server wants it",
      () => withTls.url("127.0.0.1"),
      /no pg_hba.conf entry .* no encryption/,
    ],
    [
      "a file of the CA that is missing",
      () => withTls.url("127.0.0.1", "?sslmode=verify-full&sslrootcert=/nowhere/ca.pem"),
      /the file \/nowhere\/ca.pem of `sslrootcert` cannot be read \(ENOENT\)/,
    ],
    [
      "a file of the CA that is none",
      () => withTls.url("127.0.0.1", `?sslmode=verify-full&sslrootcert=${join(ROOT, "package.json")}`),
      /of `sslrootcert` cannot be read \(it is no PEM file\)/,
    ],
  ])("ends the start in one line: %s", async (_what, database, words) => {
    const output = await migrated(database());
    expect(output).toMatch(/^1: porchlight-cloud: The database postgres:\/\/\S+\/porchlight cannot be used: [^\n]+$/);
    expect(output).toMatch(words);
    expect(output).not.toContain(PASSWORD);
  });
});

describe("point-in-time recovery", () => {
  it("restores the service to a moment between two sign-ups, from a base backup and the archive", async () => {
    const wal = mkdtempSync(join(tmpdir(), "porchlight-wal-"));
    stack.defer(() => rmSync(wal, { recursive: true, force: true }));
    chmodSync(wal, 0o777);
    const [archive, restore] = blocks("ini");
    const [backup = ""] = blocks("sh");
    const { server, url, administrators, asAdministrator } = await documented(
      "off",
      settings(archive, { "/srv/wal": wal }),
    );
    const query = async <R>(text: string) => (await ask<R>(administrators, text))[0];
    let moment: { now: string } | undefined;
    {
      await using scope = new AsyncDisposableStack();
      const { url: cloud } = await serve(folder, url("127.0.0.1"), "recovered", scope);
      expect(await account(cloud, "/api/accounts", "base")).toBe(201);
      const base = join(dirname(server.socket), "base");
      const [program = "", ...flags] = (backup.split("#")[0] ?? "").trim().split(/\s+/);
      server.run(program, ...flags.map((flag) => flag.replace("/srv/base/monday", base)), ...asAdministrator());
      expect(await account(cloud, "/api/accounts", "before")).toBe(201);
      moment = await query<{ now: string }>("select clock_timestamp()::text as now");
      expect(await account(cloud, "/api/accounts", "after")).toBe(201);
    }
    const segment = await query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name");
    await eventually(
      "the segment is in the archive",
      async () => existsSync(join(wal, segment?.name ?? "none")) || undefined,
    );
    const base = join(dirname(server.socket), "base");
    const port = await freePort();
    const paths = { "/srv/wal": wal, "2026-11-28 14:03:00+00": moment?.now ?? "" };
    const restored = stack.use(
      await startPostgres({
        durable: false,
        make: ({ data, write }) => {
          expect(spawnSync("cp", ["--archive", base, data]).status).toBe(0);
          write(join(data, "recovery.signal"), "");
          return ["listen_addresses=localhost", `port=${port}`, "archive_mode=off", ...settings(restore, paths)];
        },
      }),
    );
    const recovered = `postgres://postgres@localhost:${port}/porchlight?host=${encodeURIComponent(dirname(restored.socket))}`;
    await eventually("it has left recovery", async () => {
      const [row] = await ask<{ recovering: boolean }>(recovered, "select pg_is_in_recovery() as recovering");
      return row?.recovering === false || undefined;
    });
    await using scope = new AsyncDisposableStack();
    const { url: cloud } = await serve(
      folder,
      `postgres://porchlight:${PASSWORD}@127.0.0.1:${port}/porchlight`,
      "recovered",
      scope,
    );
    const logIn = (name: string) => account(cloud, "/api/accounts/login", name);
    expect([await logIn("base"), await logIn("before"), await logIn("after")]).toEqual([201, 201, 401]);
    expect(await account(cloud, "/api/accounts", "after")).toBe(201);
  });
});
