/** The ladder's hub: carries out commands and sends reports by plain functions, with the promises up to a step (`steps.ts`). */
import { join } from "node:path";
import { createInterface } from "node:readline";
import WebSocket from "ws";
import { GroupCommit } from "../bare/group-commit.ts";
import { type Outgoing, openRows } from "./hub-rows.ts";
import {
  type CommandFrame,
  edgeIdOf,
  expectFrame,
  INDEX,
  isTarget,
  PROPERTY,
  type ResultFrame,
  SERVICE,
  upTo,
} from "./steps.ts";

const [url = "", folder = "", step = "", devices = "32"] = process.argv.slice(2);
const has = upTo(step);
const LINGER_MS = 20;
const MOST_UNANSWERED = 4;
const BATCH = 200;
/** Reports that wait for their commit. */
const IN_FLIGHT = 2048;

const plainRows = new GroupCommit(join(folder, "rows.db"));
const rows = openRows(join(folder, "hub.db"), has, wake);
const socket = new WebSocket(url, { perMessageDeflate: false });
/** What the devices have been set to. */
const inMemory = new Map<string, number>();
/** Commands of a property that wait for the one before. */
const turns = new Map<string, (() => void)[]>();
const unanswered = new Map<number, number>();
let lastId = 0;
let lastResult = 0;
let sent = 0;
let isLingering = false;
let isHeld = false;
/** Reports of a hub that stores none, as they leave. */
const unstored: string[] = [];

socket.on("message", (data) => hear(data.toString()));
socket.on("open", () => process.stdout.write("ready\n"));
socket.on("close", () => process.exit(0));
createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, count = "0"] = line.split(" ");
  if (command === "report") report(Number(count));
});

function hear(text: string): void {
  if (!has("frames")) {
    void twoCommits(text).then(() => socket.send(text));
    return;
  }
  const message = JSON.parse(text);
  expectFrame(message.jsonrpc === "2.0" && Number.isSafeInteger(message.id));
  if (message.method === "command") command(message.id, message.params);
  else acknowledged(message.id, message.result?.acknowledged);
}

async function twoCommits(text: string): Promise<void> {
  await plainRows.add(text);
  await plainRows.add(text);
}

function command(id: number, frame: CommandFrame): void {
  expectFrame(isTarget(frame) && Number.isFinite(frame.at) && Number.isFinite(frame.deadline));
  expectFrame(typeof frame.id === "string" && Number.isFinite(frame.value));
  if (has("journal")) {
    inTurn(`${frame.device} ${frame.service}:${frame.index}.${frame.property}`, (end) => carryOut(id, frame, end));
    return;
  }
  const { id: name, device, service, index, property, value } = frame;
  const where = { command: name, device, service, index, property };
  const n = ++lastResult;
  const result: ResultFrame = {
    ...{ kind: "result", n, ...where, requested: value, outcome: "confirmed", value, observedAt: Date.now() },
  };
  const text = JSON.stringify(result);
  void twoCommits(text).then(() => answer(id, text));
}

/** After all that came before for the same property. */
function inTurn(key: string, work: (end: () => void) => void): void {
  const end = () => {
    const next = turns.get(key)?.shift();
    if (next) next();
    else turns.delete(key);
  };
  const before = turns.get(key);
  if (before) before.push(() => work(end));
  else {
    turns.set(key, []);
    work(end);
  }
}

function carryOut(id: number, frame: CommandFrame, end: () => void): void {
  const left = frame.deadline - frame.at;
  const arrived = performance.now();
  rows.begin(frame, (isNew) => {
    // Where a command is known, or its time is over, the benchmark is no measurement.
    expectFrame(isNew && performance.now() - arrived < left);
    inMemory.set(`${frame.device} ${frame.property}`, frame.value);
    rows.end(frame, frame.value, (text) => {
      end();
      answer(id, text);
    });
  });
}

function answer(id: number, result: string): void {
  hold();
  socket.send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
}

/** What is sent in one turn of the loop leaves together. */
function hold(): void {
  if (isHeld) return;
  isHeld = true;
  const { _socket: carrier } = socket as unknown as { readonly _socket: { cork(): void; uncork(): void } };
  carrier.cork();
  setImmediate(() => {
    isHeld = false;
    carrier.uncork();
  });
}

function wake(): void {
  if (!has("outbox") || isLingering) return;
  isLingering = true;
  setTimeout(() => {
    isLingering = false;
    fill();
  }, LINGER_MS);
}

function fill(): void {
  while (unanswered.size < MOST_UNANSWERED) {
    const { texts, last } = has("journal") ? rows.pending(sent) : takeUnstored();
    if (texts.length === 0) return;
    sent = last;
    // Commands have numbers of their own.
    const id = ++lastId;
    unanswered.set(id, last);
    hold();
    socket.send(`{"jsonrpc":"2.0","id":${id},"method":"records","params":{"records":[${texts.join()}]}}`);
  }
}

function takeUnstored(): Outgoing {
  const texts = unstored.splice(0, BATCH);
  return { texts, last: sent + texts.length };
}

function acknowledged(id: number, number: number): void {
  expectFrame(unanswered.delete(id) && Number.isSafeInteger(number));
  if (has("journal")) rows.acknowledge(number);
  fill();
}

/** Changes of the hub's devices, told one after another. */
function report(count: number): void {
  let next = 0;
  const told = (at: number) => ({
    ...{ device: edgeIdOf(at % Number(devices)), service: SERVICE, index: INDEX, property: PROPERTY },
    value: (at % 990) / 10,
  });
  if (!has("journal")) {
    for (; next < count; next++) {
      const n = sent + unstored.length + 1;
      unstored.push(JSON.stringify({ kind: "value", n, ...told(next), observedAt: Date.now(), cause: "report" }));
    }
    fill();
    return;
  }
  const goOn = () => {
    const at = next++;
    if (at < count) rows.report({ ...told(at), seq: at % 65_536 }, goOn);
  };
  for (let each = 0; each < IN_FLIGHT; each++) goOn();
}
