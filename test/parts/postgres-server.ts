/**
 * A PostgreSQL server of the tests' own: a cluster in a temporary folder, reached by a socket in it, as durable as
 * it is wanted. It lives as long as the process that started it, however that one ends.
 */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KeptServer } from "./kept-server.ts";

export interface Postgres extends AsyncDisposable {
  /** Of a database in it that is there from the start. */
  readonly url: string;
}

/** One of a test's own, which it may kill. */
export interface PostgresServer extends Postgres {
  /** Its data folder. */
  readonly data: string;
  /** Runs a program of PostgreSQL as the server's user. @returns its output @throws Error with its output when it fails */
  run(program: string, ...args: string[]): string;
  /** The socket by which it is reached. */
  readonly socket: string;
  /** Of all its processes that run now. */
  readonly pids: readonly number[];
  /** SIGKILL to all its processes. */
  kill(): Promise<void>;
  /** SIGSTOP to all its processes, and their waking. */
  stop(): void;
  cont(): void;
  /** Starts it again on its data, after {@link kill}. */
  restart(): Promise<void>;
}

const READY = "database system is ready to accept connections";

export interface PostgresOptions {
  /**
   * Whether what is committed outlasts the machine, as in earnest, or (`processes`) the server's own processes, which are
   * going to be killed. Without it all else is as it is with it, and quicker.
   */
  readonly durable: boolean | "processes";
  /** Makes the data folder, {@link newCluster} when left out. Gives more settings, as on the server's command line. */
  readonly make?: (cluster: Cluster) => readonly string[];
}

/** A data folder that is being made. */
export interface Cluster {
  readonly data: string;
  /** As that of the server. */
  readonly run: PostgresServer["run"];
  /** Writes a file as the server's user would, for that user alone. */
  readonly write: (path: string, text: string) => void;
}

/** An empty one. @param superuser who needs no password */
export function newCluster({ data, run }: Cluster, superuser = "porchlight"): readonly string[] {
  run("initdb", "-D", data, "-U", superuser, "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync");
  return [];
}

const DURABILITY = {
  true: ["fsync=on"],
  processes: ["fsync=off"],
  false: ["fsync=off", "full_page_writes=off", "synchronous_commit=off"],
} as const;

/** @throws Error when there is no PostgreSQL, or it does not start; its output is in the message */
export async function startPostgres({
  durable,
  make = (cluster) => newCluster(cluster),
}: PostgresOptions): Promise<PostgresServer> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), "porchlight-postgres-"));
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const environment = { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" };
  const run = (program: string, ...args: string[]) => {
    const { status, error, stdout, stderr } = spawnSync(join(programs, program), args, {
      ...{ ...user, cwd: folder, env: environment, encoding: "utf8" as const },
    });
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
    return stdout;
  };
  const write = (path: string, text: string) => {
    writeFileSync(path, text, { mode: 0o600 });
    if (user) chownSync(path, user.uid, user.gid);
  };
  let more: readonly string[];
  try {
    more = make({ data, run, write });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${folder}`,
    "max_connections=200",
    `external_pid_file=${join(folder, "pid")}`,
    ...DURABILITY[`${durable}`],
    ...more,
  ];
  const server = await KeptServer.start({
    name: "PostgreSQL",
    folder,
    command: [join(programs, "postgres"), "-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    ready: READY,
    quickEnd: "INT",
    user,
    env: environment,
  });
  return {
    url: databaseUrl(folder, "postgres"),
    socket: join(folder, ".s.PGSQL.5432"),
    data,
    run,
    get pids() {
      return server.pids;
    },
    kill: () => server.kill(),
    stop: () => server.stop(),
    cont: () => server.cont(),
    restart: () => server.restart(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The address of a database on the server whose socket lies in that folder. */
export function databaseUrl(folder: string, name: string): string {
  return `postgres://porchlight@localhost/${name}?host=${encodeURIComponent(folder)}`;
}

/** The newest of Debian's installed versions, or what the path has. */
function findPrograms(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, "bin")), ...(process.env.PATH ?? "").split(":")];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
  if (!found) throw new Error("no initdb in /usr/lib/postgresql or on the path: install postgresql-15");
  return found;
}

/** PostgreSQL refuses to run as root: the user to run it as then. Undefined for every other user. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const ids = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }).stdout.trim());
    const [uid, gid] = ids.map(Number);
    if (ids.every(Boolean) && uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error("there is neither a user postgres nor a user nobody to run PostgreSQL as");
}
