/** Connections that no worker takes, with workers of Node's own `cluster`. */
import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HandedConnections } from "./handed-connections.ts";

let stack: AsyncDisposableStack;
let connections: HandedConnections;
beforeEach(() => {
  stack = new AsyncDisposableStack();
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: fileURLToPath(new URL("./listening-worker.fixture.ts", import.meta.url)), args: [] });
  connections = new HandedConnections();
});
afterEach(() => stack.disposeAsync());

/** Settles with where it listens. */
async function started(): Promise<{ readonly worker: Worker; readonly port: number }> {
  const worker = cluster.fork();
  const ended = once(worker, "exit");
  stack.defer(async () => {
    worker.process.kill("SIGKILL");
    await ended;
  });
  connections.watch(worker.process);
  const [{ port }] = await once(worker, "listening");
  return { worker, port };
}

/** A connection that was made, and what came on it until its end. */
async function connected(port: number): Promise<{ readonly ended: Promise<string> }> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("error", () => undefined);
  const ended = once(socket, "close").then(() => text);
  await once(socket, "connect");
  return { ended };
}

/** Settles when a connection is in the channel to that worker. */
function handedTo({ process }: Worker): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const send = process.send?.bind(process) as (...args: readonly unknown[]) => boolean;
  process.send = (...args: readonly unknown[]) => {
    if ((args[0] as { act?: string }).act === "newconn") resolve();
    return send(...args);
  };
  return promise;
}

/** A worker that looks at nothing that comes until it may go on: then it stops listening first. */
async function resting(worker: Worker) {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-worker-"));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "go-on");
  const handed = handedTo(worker);
  worker.send(path);
  await once(worker, "message");
  return { handed, goOn: () => writeFileSync(path, "") };
}

test("one that comes while the last worker stops listening ends, and does not wait for the worker's end", async () => {
  const { worker, port } = await started();
  const { handed, goOn } = await resting(worker);
  const { ended } = await connected(port);
  await handed;
  goOn();
  expect(await ended).toBe("");
  expect(worker.isDead()).toBe(false);
});

test("one that a worker hands back is another's as long as there is one", async () => {
  const { worker, port } = await started();
  await started();
  const { handed, goOn } = await resting(worker);
  const answers = await Promise.all([connected(port), connected(port)]);
  await handed;
  goOn();
  expect(await Promise.all(answers.map(({ ended }) => ended))).toEqual(["taken", "taken"]);
});

test("one that is under way to a worker that is killed ends with it", async () => {
  const { worker, port } = await started();
  worker.process.kill("SIGSTOP");
  const handed = handedTo(worker);
  const { ended } = await connected(port);
  await handed;
  worker.process.kill("SIGKILL");
  expect(await ended).toBe("");
});
