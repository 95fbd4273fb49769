/** Time-series databases of a test's own, on free ports of loopback: what an ecosystem's sink writes to in real homes. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { KeptServer } from "./kept-server.ts";

export interface TimeSeriesDatabase extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on its port and its data, after {@link kill}. */
  restart(): Promise<void>;
}

/** @throws Error when there is no InfluxDB 1, or it does not start */
export async function startInfluxDb(): Promise<TimeSeriesDatabase> {
  requireProgram("influxd", "influxdb", ["version"]);
  const folder = mkdtempSync(join(tmpdir(), "porchlight-influxdb-"));
  const [port, rpc] = [await freePort(), await freePort()];
  writeFileSync(
    join(folder, "influxdb.conf"),
    `reporting-disabled = true
bind-address = "127.0.0.1:${rpc}"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[http]
  bind-address = "127.0.0.1:${port}"
[monitor]
  store-enabled = false
`,
  );
  const command = ["influxd", "-config", join(folder, "influxdb.conf"), "-pidfile", join(folder, "pid")] as const;
  return started("InfluxDB", folder, port, [...command], "Listening for signals");
}

/** @throws Error when there is no VictoriaMetrics, or it does not start */
export async function startVictoriaMetrics(): Promise<TimeSeriesDatabase> {
  requireProgram("victoria-metrics", "victoria-metrics", ["-version"]);
  const folder = mkdtempSync(join(tmpdir(), "porchlight-victoria-metrics-"));
  const port = await freePort();
  const serve = [`-storageDataPath=${folder}/data`, `-httpListenAddr=127.0.0.1:${port}`, "-retentionPeriod=100y"];
  // It writes no file with its process's ID.
  const command = ["sh", "-c", 'echo $$ > pid; exec victoria-metrics "$@"', "sh", ...serve] as const;
  return started("VictoriaMetrics", folder, port, [...command], "pprof handlers are exposed");
}

async function started(
  name: string,
  folder: string,
  port: number,
  command: [string, ...string[]],
  ready: string,
): Promise<TimeSeriesDatabase> {
  const env = { PATH: process.env.PATH ?? "", HOME: folder };
  const server = await KeptServer.start({ name, folder, command, ready, quickEnd: "TERM", env });
  return {
    url: `http://127.0.0.1:${port}`,
    kill: () => server.kill(),
    restart: () => server.restart(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

function requireProgram(program: string, wanted: string, args: readonly string[]): void {
  if (spawnSync(program, [...args]).error) throw new Error(`there is no ${program}: apt-get install ${wanted}`);
}
