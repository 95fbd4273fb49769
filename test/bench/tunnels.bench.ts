/** Memory of an idle tunnel in the cloud, against that of a bare WebSocket connection in a bare server: resident bytes after so many minus before, per connection. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Program } from "../parts/program.ts";
import { residentBytes, startProduct } from "./parts.ts";
import { print } from "./report.ts";

const TUNNELS = 2000;
const ready = (line: string) => (line === "ready" ? true : undefined);
/** Lets garbage of the handshakes go before memory is read. */
const rest = () => new Promise((resolve) => setTimeout(resolve, 5000));

const perTunnel = await product();
const perSocket = await bare();
print(`memory of an idle tunnel, KB (${TUNNELS} of them)`, {
  measured: perTunnel / 1024,
  limit: perSocket / 1024,
  ratio: perTunnel / perSocket,
  goal: "<= 2",
});

async function product(): Promise<number> {
  await using cloud = await startProduct(0, 0);
  const tokens: string[] = [];
  for (let client = 0; client < TUNNELS; client++) {
    const made = await cloud.api.good<{ id: string }>("POST", "/api/clients", { environmentId: cloud.environmentId });
    tokens.push((await cloud.api.good<{ token: string }>("POST", `/api/clients/${made.id}/tokens`)).token);
  }
  const file = join(mkdtempSync(join(tmpdir(), "porchlight-bench-")), "tokens");
  writeFileSync(file, tokens.join("\n"), { mode: 0o600 });
  await rest();
  const before = residentBytes(cloud.cloud.pid);
  await using hubs = new Program("idle hubs", "test/bench/product/idle-hubs.ts", [
    "hubs",
    cloud.url.replace("http", "ws"),
    file,
  ]);
  await hubs.line(ready);
  await rest();
  return (residentBytes(cloud.cloud.pid) - before) / TUNNELS;
}

async function bare(): Promise<number> {
  await using server = new Program("bare sockets", "test/bench/bare/sockets.ts", []);
  const url = await server.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  await rest();
  const before = residentBytes(server.pid);
  await using sockets = new Program("idle sockets", "test/bench/product/idle-hubs.ts", [
    "bare",
    url.replace("http", "ws"),
    String(TUNNELS),
  ]);
  await sockets.line(ready);
  await rest();
  return (residentBytes(server.pid) - before) / TUNNELS;
}
