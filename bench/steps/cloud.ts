/**
 * The ladder's cloud: a relayed PUT by plain functions, with the promises up to a step (`steps.ts`). What is above the last step in the product
 * is not what the promises cost.
 */
import { join } from "node:path";
import { parseBody } from "@porchlight/shared/rest";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import { GroupCommit } from "../group-commit.ts";
import { countRequests, recordHistory } from "./cloud-behind.ts";
import { openRows } from "./cloud-rows.ts";
import {
  type CommandFrame,
  deviceIdOf,
  ECOSYSTEM,
  ENVIRONMENT,
  edgeIdOf,
  expectFrame,
  INDEX,
  isResult,
  isTarget,
  PROPERTY,
  type ResultFrame,
  SERVICE,
  TOKEN,
  TOKEN_ID,
  upTo,
} from "./steps.ts";

const [folder = "", step = "", count = "32"] = process.argv.slice(2);
const has = upTo(step);
/** How long a caller waits, and how much sooner the hub stops, ms. */
const WAIT_MS = 10_000;
const MARGIN_MS = 500;

interface Device {
  readonly id: string;
  readonly edgeId: string;
  readonly ecosystemId: string;
  /** By selector: why a value does not fit; undefined when it fits. */
  readonly properties: ReadonlyMap<string, (value: unknown) => string | undefined>;
}
interface Caller {
  readonly tokenId: string;
  readonly ecosystemIds: readonly string[];
  readonly expiresAt: number;
}
/** A PUT under way. */
interface Put {
  readonly command: CommandFrame;
  readonly deviceId: string;
  readonly requestId: string;
  readonly acceptedAt: number;
  readonly startedAt: number;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  timer: NodeJS.Timeout | undefined;
}

const hue = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= 360 ? undefined : "must be 0 to 360";
const devices = new Map<string, Device>();
for (let device = 0; device < Number(count); device++) {
  const id = deviceIdOf(device);
  const properties = new Map([[`${SERVICE}.${PROPERTY}`, hue]]);
  devices.set(id, { id, edgeId: edgeIdOf(device), ecosystemId: ECOSYSTEM, properties });
}
const callers = new Map<string, Caller>([
  [`Bearer ${TOKEN}`, { tokenId: TOKEN_ID, ecosystemIds: [ECOSYSTEM], expiresAt: Number.MAX_SAFE_INTEGER }],
]);

const rows = await openRows(join(folder, "cloud.db"), devices.size, has);
const plainRows = new GroupCommit(join(folder, "rows.db"));
const seen = has("counts") ? countRequests(rows) : undefined;
if (has("history")) recordHistory(rows);

const waiting = new Map<number, Put>();
let hub: WebSocket | undefined;
let lastId = 0;
let isHeld = false;

const app = Fastify({ logger: false, bodyLimit: 256 * 1024 });
if (has("http")) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, bytes: Buffer, done) => {
    try {
      done(null, parseBody(bytes));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
app.put("/api/devices/:id/services/:selector", put);
await app.listen({ host: "127.0.0.1", port: 0 });
new WebSocketServer({ server: app.server, perMessageDeflate: false }).on("connection", (socket) => {
  hub = socket;
  socket.on("message", (data) => hear(data.toString()));
});
process.stdout.write(`listening on ${app.listeningOrigin}\n`);

function put(request: FastifyRequest, reply: FastifyReply): void {
  const startedAt = performance.now();
  const acceptedAt = Date.now();
  // The routes above have both, and the parser has read an object.
  const { id: deviceId, selector } = request.params as { readonly id: string; readonly selector: string };
  const { value } = request.body as { readonly value: number };
  let requestId = "";
  if (has("http")) {
    requestId = rows.ids.next("req");
    if (typeof request.body !== "object" || value === undefined || request.headers.host === undefined)
      return void reply.code(400).send({ detail: "The body must have a value." });
    for (const name in request.query as object) return void reply.code(400).send({ detail: `${name} is unknown.` });
  }
  if (has("access")) {
    const caller = callers.get(request.headers.authorization ?? "");
    if (!caller || caller.expiresAt <= acceptedAt) return void reply.code(401).send({ detail: "Token Invalid" });
    const device = devices.get(deviceId);
    if (!device || !caller.ecosystemIds.includes(device.ecosystemId))
      return void reply.code(404).send({ detail: "Device Not Found" });
  }
  if (has("value")) {
    const check = devices.get(deviceId)?.properties.get(selector);
    const problem = check ? check(value) : "no such property";
    if (problem !== undefined) return void reply.code(400).send({ detail: problem });
  }
  const commandId = has("frames") ? rows.ids.next("cmd") : String(lastId + 1);
  const command: CommandFrame = {
    at: startedAt,
    deadline: startedAt + WAIT_MS - MARGIN_MS,
    id: commandId,
    device: devices.get(deviceId)?.edgeId ?? "",
    service: SERVICE,
    index: INDEX,
    property: PROPERTY,
    value,
  };
  ask({ command, deviceId, requestId, acceptedAt, startedAt, request, reply, timer: undefined });
}

function ask(asked: Put): void {
  const id = ++lastId;
  waiting.set(id, asked);
  if (!has("frames")) {
    send(JSON.stringify({ jsonrpc: "2.0", id, method: "command", params: asked.request.body }));
    return;
  }
  asked.timer = setTimeout(() => {
    waiting.delete(id);
    asked.reply.code(504).send({ detail: "Hub Timeout" });
  }, WAIT_MS);
  hold();
  send(`{"jsonrpc":"2.0","id":${id},"method":"command","params":${JSON.stringify(asked.command)}}`);
}

function send(text: string): void {
  if (!hub) throw new Error("there is no hub");
  hub.send(text);
}

/** The messages of one turn of the loop leave together. */
function hold(): void {
  if (isHeld || !hub) return;
  isHeld = true;
  // ws writes to the socket that it was upgraded from.
  const { _socket: socket } = hub as unknown as { readonly _socket: { cork(): void; uncork(): void } };
  socket.cork();
  setImmediate(() => {
    isHeld = false;
    socket.uncork();
  });
}

function hear(text: string): void {
  const message = JSON.parse(text);
  if (message.method === "records") {
    hearRecords(message.id, message.params.records);
    return;
  }
  const asked = waiting.get(message.id);
  if (!asked) return;
  waiting.delete(message.id);
  if (!has("frames")) {
    const answer = JSON.stringify(message.params);
    void plainRows.add(answer).then(() => answered(asked, answer));
    return;
  }
  clearTimeout(asked.timer);
  const result: ResultFrame = message.result;
  const { command, deviceId, acceptedAt, requestId } = asked;
  expectFrame(message.jsonrpc === "2.0" && isTarget(result) && isResult(result));
  expectFrame(
    result.command === command.id && result.device === command.device && result.property === command.property,
  );
  if (!has("rows")) {
    const answer = JSON.stringify({ value: result.value });
    void plainRows.add(answer).then(() => answered(asked, answer));
  } else rows.confirm({ command, deviceId, result, acceptedAt, requestId }, (item) => answered(asked, item));
}

function hearRecords(id: number, records: readonly ResultFrame[]): void {
  expectFrame(Array.isArray(records) && records.length > 0 && records.length <= 500);
  let last = 0;
  for (const record of records) {
    expectFrame(isResult(record) && record.n > last);
    last = record.n;
  }
  rows.records(records, (acknowledged) => {
    hold();
    send(`{"jsonrpc":"2.0","id":${id},"result":{"acknowledged":${acknowledged}}}`);
  });
}

function answered({ reply, request, command, requestId, acceptedAt, startedAt }: Put, answer: string): void {
  if (has("http"))
    reply.headers({
      "x-api-version": "v0",
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      "cache-control": "no-store",
      "x-command-id": command.id,
    });
  reply.header("content-type", "application/json; charset=utf-8");
  reply.send(has("http") && !has("rows") ? asItem(command, answer) : answer);
  seen?.({ requestId, path: request.url, ms: performance.now() - startedAt, commandId: command.id, at: acceptedAt });
}

/** As long as the item that the product answers with. */
function asItem({ service, index, property }: CommandFrame, value: string): string {
  const time = "2026-11-21 08:13:05Z";
  const deviceId = deviceIdOf(0);
  const where = { ecosystemId: ECOSYSTEM, id: ENVIRONMENT, deviceId, service, index, property };
  return JSON.stringify({ ...where, value: JSON.parse(value).value, modifiedAt: time, observedAt: time });
}
