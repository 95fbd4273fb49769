/** The cloud under a small limit of open files, all of them used by connections: its log and its metrics report it, and it goes on when they are closed. */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { OWNER } from "../parts/home.ts";
import { Program } from "../parts/program.ts";

/** More than the program has open by itself, and few enough to use up. */
const LIMIT = 128;
const UNDER_LIMIT = ["sh", "-c", `ulimit -n ${LIMIT} && exec "$@"`, "sh"];
const NONE_LEFT = "No file descriptor is left";

const stack = new AsyncDisposableStack();
let cloud: Program;
let api: Api;
/** A connection from before, on which it can still be asked. */
let early: Client;
const idle = new Set<Socket>();

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-descriptors-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const args = ["serve", "--port", "0", "--data", folder, "--portal", "off", "--rate-limit", "off"];
  cloud = stack.use(new Program("cloud", "cloud/src/main.ts", args, {}, UNDER_LIMIT));
  const url = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  api = new Api(url);
  early = new Client(url);
  stack.defer(() => early.destroy());
  expect(await ask("/healthz")).toContain("ok");
});
afterAll(() => stack.disposeAsync());

async function ask(path: string): Promise<string> {
  const { body } = await early.request({ method: "GET", path });
  return body.text();
}

/** Opens connections that send nothing; those for which no descriptor is left are closed at once. */
function openMore(): void {
  for (let more = 0; more < 10; more++) {
    const socket = connect(Number(new URL(api.base).port), "127.0.0.1");
    idle.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => idle.delete(socket));
  }
}

test("a cloud whose descriptors are used up by connections reports it, answers those that it has, and takes new ones when some are closed", async () => {
  await eventually("the log names it", async () => {
    openMore();
    return cloud.stderr.includes(NONE_LEFT);
  });
  expect(cloud.stderr).toContain("LimitNOFILE");
  await eventually("the metrics count it", async () => {
    openMore();
    return /^porchlight_descriptor_shortages_total [1-9]/m.test(await ask("/metrics"));
  });
  await eventually("/readyz warns of it", async () => {
    openMore();
    return JSON.parse(await ask("/readyz")).warning?.includes(NONE_LEFT);
  });
  for (const socket of idle) socket.destroy();
  await eventually("the log names the end", async () => cloud.stderr.includes("file descriptors are left again"));
  expect(JSON.parse(await ask("/readyz")).warning).toBeUndefined();
  expect((await api.call("POST", "/api/accounts", OWNER)).status).toBe(201);
});
