/**
 * A PostgreSQL server of the tests' own: a cluster in a temporary folder, reached by a socket in it, as durable as
 * it is wanted. It lives as long as the process that started it, however that one ends.
 */
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Postgres extends AsyncDisposable {
  /** Of a database in it that is there from the start. */
  readonly url: string;
}

const READY = "database system is ready to accept connections";
const ENDED = "the server has ended";

/**
 * Ends the server when stdin ends, which it also does when the test process is killed. The folder goes with it.
 * Arguments: folder, then the command line of the server.
 */
const KEEPER = `
folder=$1; shift
{ "$@"; echo "${ENDED}"; } >&2 &
cat > /dev/null
[ -f "$folder/data/postmaster.pid" ] && kill -INT "$(head -n 1 "$folder/data/postmaster.pid")"
wait
rm -rf "$folder"
`;

export interface PostgresOptions {
  /** Whether what is committed outlasts the machine, as in earnest. Without it all else is as it is with it, and quicker. */
  readonly durable: boolean;
}

/** @throws Error when there is no PostgreSQL, or it does not start; what it said stands in the message */
export async function startPostgres({ durable }: PostgresOptions): Promise<Postgres> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), "porchlight-postgres-"));
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const environment = { PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" };
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "porchlight", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"],
    { ...user, cwd: folder, env: environment, encoding: "utf8" },
  );
  if (made.status !== 0) {
    rmSync(folder, { recursive: true });
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
  }
  const durability = durable ? ["fsync=on"] : ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "max_connections=200", ...durability];
  const server = [join(programs, "postgres"), "-D", data, ...settings.flatMap((setting) => ["-c", setting])];
  // A group of its own: Ctrl-C on the tests ends them first, and the server after them.
  const keeper = spawn("sh", ["-c", KEEPER, "sh", folder, ...server], {
    ...user,
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => keeper.once("close", () => resolve()));
  const stop = async () => {
    keeper.stdin.end();
    await ended;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const said: string[] = [];
      createInterface({ input: keeper.stderr }).on("line", (line) => {
        said.push(line);
        if (line.includes(READY)) resolve();
        if (line === ENDED) reject(new Error(`PostgreSQL did not start:\n${said.join("\n")}`));
      });
      keeper.once("error", reject);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: databaseUrl(folder, "postgres"), [Symbol.asyncDispose]: stop };
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

/** PostgreSQL refuses to run as root: whom it runs as then. Undefined for everybody else. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const ids = ["-u", "-g"].map((flag) => spawnSync("id", [flag, name], { encoding: "utf8" }).stdout.trim());
    const [uid, gid] = ids.map(Number);
    if (ids.every(Boolean) && uid !== undefined && gid !== undefined) return { uid, gid };
  }
  throw new Error("there is neither a user postgres nor a user nobody to run PostgreSQL as");
}
