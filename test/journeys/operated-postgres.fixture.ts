/** PostgreSQL as docs/operations/postgresql.md has it, and a service on it: what the tests of each of its blocks share. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { selfSigned } from "@porchlight/cloud/http/tls.fixture.ts";
import { Client } from "pg";
import { freePort } from "../parts/free-port.ts";
import { newCluster, startPostgres } from "../parts/postgres-server.ts";
import { Program, ROOT } from "../parts/program.ts";

export const PASSWORD = "hush-hush";
const page = readFileSync(join(ROOT, "docs", "operations", "postgresql.md"), "utf8");

/** The blocks of the page in that language, as they stand there. */
export function blocks(language: string): string[] {
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, of, text = ""]) => (of === language ? [text] : []));
}

/** The lines of a postgresql.conf, as arguments of the server. @param paths in place of those of the document */
export function settings(text: string | undefined, paths: Readonly<Record<string, string>>): string[] {
  const lines = [...(text ?? "").matchAll(/^(\w+) = (?:'(.*)'|(\S+))$/gm)];
  return lines.map(([, name, quoted, plain]) =>
    Object.entries(paths).reduce((line, [from, to]) => line.replaceAll(from, to), `${name}=${quoted ?? plain}`),
  );
}

/** A service whose database stands in a file of secrets. @returns where it listens */
export async function serve(
  folder: string,
  database: string,
  data: string,
  scope: AsyncDisposableStack,
): Promise<{ url: string; program: Program }> {
  const secrets = join(folder, `${data}-secrets`);
  mkdirSync(secrets, { recursive: true });
  writeFileSync(join(secrets, "database"), `${database}\n`, { mode: 0o600 });
  const args = ["serve", "--port", "0", "--data", join(folder, data), "--portal", "off"];
  const program = scope.use(new Program("cloud", "cloud/src/main.ts", args, { CREDENTIALS_DIRECTORY: secrets }));
  return { url: await program.line((line) => /^listening on (\S+)$/.exec(line)?.[1]), program };
}

/** The status of a sign-up or a log-in. */
export async function account(url: string, path: string, name: string): Promise<number> {
  const body = JSON.stringify({ email: `${name}@example.com`, password: "correct horse battery" });
  const headers = { "content-type": "application/json" };
  return (await fetch(`${url}${path}`, { method: "POST", headers, body })).status;
}

/** A server as the document has it, with the role; on TCP the role needs its password and, with TLS, a connection with TLS. */
export async function documentedServer(folder: string, tls: "on" | "off", more: readonly string[] = []) {
  const port = await freePort();
  const pair = selfSigned(port);
  const ca = join(folder, `ca-${port}.pem`);
  writeFileSync(ca, pair.cert);
  const [role = ""] = blocks("sql");
  const [hba = ""] = blocks("");
  const server = await startPostgres({
    durable: false,
    make: (cluster) => {
      const own = newCluster(cluster, "postgres");
      const at = (name: string) => join(cluster.data, name);
      cluster.write(at("server.crt"), pair.cert);
      cluster.write(at("server.key"), pair.key);
      cluster.write(at("role.sql"), role.replace("change me", PASSWORD));
      const forRole = hba.replace("10.0.0.0/24", "127.0.0.1/32").replace("hostssl", tls === "on" ? "hostssl" : "host");
      cluster.write(at("pg_hba.conf"), `local all postgres trust\nlocal replication postgres trust\n${forRole}`);
      return [...own, "listen_addresses=localhost", `port=${port}`, `ssl=${tls}`, ...more];
    },
  });
  const socket = dirname(server.socket);
  const asAdministrator = (...args: string[]) => [
    "--host",
    socket,
    "--port",
    `${port}`,
    "--username",
    "postgres",
    ...args,
  ];
  server.run("psql", ...asAdministrator("--set=ON_ERROR_STOP=1", `--file=${join(server.data, "role.sql")}`));
  const url = (host: string, query = "") => `postgres://porchlight:${PASSWORD}@${host}:${port}/porchlight${query}`;
  const administrators = `postgres://postgres@localhost:${port}/porchlight?host=${encodeURIComponent(socket)}`;
  return { server, url, ca, asAdministrator, administrators };
}

export type Documented = Awaited<ReturnType<typeof documentedServer>>;

export async function ask<R>(url: string, query: string): Promise<R[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

/** SQLSTATE of the refusal. */
export async function refusal(url: string, query: string): Promise<string> {
  return ask(url, query).then(
    () => "it was done",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
  );
}
