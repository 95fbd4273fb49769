/** The ladder's hub: carries out commands by plain functions, with the promises up to a step (`steps.ts`). */
import { join } from "node:path";
import WebSocket from "ws";
import { GroupCommit } from "../group-commit.ts";
import { openRows } from "./hub-rows.ts";
import { type CommandFrame, expectFrame, isTarget, type ResultFrame, upTo } from "./steps.ts";

const [url = "", folder = "", step = ""] = process.argv.slice(2);
const has = upTo(step);
const LINGER_MS = 20;
const MOST_UNANSWERED = 4;

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

socket.on("message", (data) => hear(data.toString()));
socket.on("open", () => process.stdout.write("ready\n"));
socket.on("close", () => process.exit(0));

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

/** The messages of one turn of the loop leave together. */
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
    const { texts, last } = rows.pending(sent);
    if (texts.length === 0) return;
    sent = last;
    // Commands have numbers of their own.
    const id = ++lastId;
    unanswered.set(id, last);
    hold();
    socket.send(`{"jsonrpc":"2.0","id":${id},"method":"records","params":{"records":[${texts.join()}]}}`);
  }
}

function acknowledged(id: number, number: number): void {
  expectFrame(unanswered.delete(id) && Number.isSafeInteger(number));
  rows.acknowledge(number);
  fill();
}
