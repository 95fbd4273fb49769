import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, systemClock, VirtualClock } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AtTheHub, answersOf, releaseSummary } from "./control-answers.ts";
import { askAgent, ControlSocket, readStatus } from "./control-socket.ts";
import { STATUS } from "./status.fixture.ts";

const LIVE = "00-1B-44-11-3A-B7";
const AWAY = "00-1B-44-11-3A-B8";
const STRANGER = "00-00-00-00-00-01";

let folder = "";
let asked: unknown[] = [];
let hindered: string | undefined;
let isFull = false;
const hub: AtTheHub = {
  status: () => STATUS,
  addDevice: async (edgeId) => {
    asked.push(["add", edgeId]);
    return edgeId !== STRANGER;
  },
  identify: async (edgeId, active) => {
    asked.push(["identify", edgeId, active]);
    return hindered;
  },
  pair: (again) => {
    asked.push(["pair", again]);
    return again ? { state: "asking" } : undefined;
  },
  release: (isForced) => {
    asked.push(["release", isForced]);
    return { isOver: true, text: "", bound: 2, released: 0, mustBeReset: [LIVE, STRANGER] };
  },
  unpair: async () => ({ revoked: true }),
  backup: async () => {
    asked.push(["backup"]);
    if (isFull) throw new Error("database or disk is full");
    return { name: "handed-2026-01-31T10-20-30Z.backup" };
  },
};
let socket: ControlSocket;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-ask-"));
  asked = [];
  hindered = undefined;
  isFull = false;
  socket = await ControlSocket.start(folder, answersOf(hub), silentLog);
});
afterEach(async () => {
  await socket[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (what: string, about?: unknown) => askAgent(folder, { ask: what, about }, systemClock, 60_000);
const answered = (reply: Awaited<ReturnType<typeof ask>>) => (reply.kind === "answered" ? reply.answer : undefined);
const refused = (why: string, exitStatus: number) => ({ kind: "refused", why, exitStatus });

describe("a running agent that is asked", () => {
  test("does what it is asked, and says so", async () => {
    expect(await ask("devices add", { edgeId: LIVE })).toEqual({ kind: "answered", answer: null });
    expect(await ask("identify", { edgeId: LIVE, active: true })).toEqual({ kind: "answered", answer: null });
    const name = "handed-2026-01-31T10-20-30Z.backup";
    expect(await ask("backup", { file: "/a/path/that/the/caller/names" })).toEqual({
      kind: "answered",
      answer: { name },
    });
    expect(asked).toEqual([["add", LIVE], ["identify", LIVE, true], ["backup"]]);
  });

  test.each([
    ["devices add", { edgeId: STRANGER }, refused(`${STRANGER} has never been on this hub`, 3)],
    ["devices add", { edgeId: "the lamp" }, refused("this is not an edgeId such as 00-1B-44-11-3A-B7", 5)],
    ["identify", { edgeId: STRANGER, active: true }, refused(`${STRANGER} has never been on this hub`, 3)],
    ["identify", { edgeId: AWAY, active: true }, refused(`${AWAY} is away`, 6)],
    ["sing", undefined, refused("the agent does not know this request: does it have a different version?", 1)],
    ["constructor", undefined, refused("the agent does not know this request: does it have a different version?", 1)],
  ])("refuses with a reason and the exit status of the command (%s %j)", async (what, about, answer) => {
    expect(await ask(what, about)).toEqual(answer);
  });

  test("names the devices that it could not release", async () => {
    const { mustBeReset, ...others } = releaseSummary.parse(answered(await ask("release", { force: true })));
    expect(others).toEqual({ isOver: true, text: "", bound: 2, released: 0 });
    const name = STATUS.devices.find(({ edgeId }) => edgeId === LIVE)?.name;
    expect(mustBeReset).toEqual([{ edgeId: LIVE, name }, { edgeId: STRANGER }]);
    expect([name, asked]).toEqual([expect.any(String), [["release", true]]]);
  });

  test("says what hindered a device from showing itself", async () => {
    hindered = "the device is busy";
    expect(await ask("identify", { edgeId: LIVE, active: true })).toEqual(refused("the device is busy", 6));
  });

  test.each([
    ["no JSON", "status\n"],
    ["another shape", "[1]\n"],
  ])("answers a request that it cannot parse (%s)", async (_what, text) => {
    expect(await raw(text)).toContain('"refused"');
  });

  test("hangs up on a line without an end, and serves the next", async () => {
    expect(await raw("x".repeat(100_000))).toBe("");
    expect((await readStatus(folder, systemClock)).kind).toBe("running");
  });

  test("hangs up on those who wait when it ends, and may be ended twice", async () => {
    const waiting = createConnection(join(folder, "agent.sock"));
    const closed = new Promise((resolve) => waiting.once("close", resolve));
    await new Promise((resolve) => waiting.once("connect", resolve));
    await ask("status");
    await socket[Symbol.asyncDispose]();
    await closed;
    await socket[Symbol.asyncDispose]();
  });
});

describe("a client", () => {
  test("reports an agent that does not answer as silent, after three seconds", async () => {
    const clock = new VirtualClock();
    await socket[Symbol.asyncDispose]();
    socket = await ControlSocket.start(folder, { status: () => new Promise(() => undefined) }, silentLog);
    const answer = readStatus(folder, clock);
    await clock.advance(2999);
    expect(await Promise.race([answer, Promise.resolve("nothing yet")])).toBe("nothing yet");
    await clock.advance(1);
    expect(await answer).toEqual({ kind: "silent" });
  });

  test("reports an agent that ends meanwhile as ended, at any point of the request", async () => {
    await socket[Symbol.asyncDispose]();
    const ends: ((client: Socket) => void)[] = [
      (client) => client.destroy(),
      (client) => client.end().resume(),
      (client) => setImmediate(() => client.destroy()),
      (client) => client.once("data", () => client.destroy()).resume(),
    ];
    let asker = 0;
    // Nothing is read of it unless it is asked to: what the system throws away unread is a reset.
    const server = createServer({ pauseOnConnect: true }, (client) => ends[asker++ % ends.length]?.(client));
    await new Promise<void>((resolve) => server.listen(join(folder, "agent.sock"), resolve));
    const answers = await Promise.all(Array.from({ length: 40 }, () => readStatus(folder, systemClock)));
    await new Promise((resolve) => server.close(resolve));
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(["ended"]));
  });

  test("reports the error of the system where the path is no socket", async () => {
    await socket[Symbol.asyncDispose]();
    writeFileSync(join(folder, "file"), "");
    await expect(readStatus(join(folder, "file"), systemClock)).rejects.toThrow("ENOTDIR");
  });
});

/** What comes back for these bytes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    const client = createConnection(join(folder, "agent.sock"), () => client.write(text));
    let reply = "";
    client.on("data", (chunk) => {
      reply += chunk;
    });
    client.on("error", () => undefined);
    client.on("close", () => resolve(reply));
  });
}

test("a backup that fails says why", async () => {
  isFull = true;
  expect(await ask("backup")).toEqual(refused("database or disk is full", 1));
});

describe("a caller without the secret of this start", () => {
  const withSecret = (secret: unknown) =>
    new Promise<string>((resolve, reject) => {
      const client = createConnection(join(folder, "agent.sock"), () =>
        client.write(`${JSON.stringify({ ask: "unpair", secret })}\n`),
      );
      let text = "";
      client.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      client.once("end", () => resolve(text));
      client.once("error", reject);
    });
  const secretOf = () => readFileSync(join(folder, "control.secret"), "utf8");

  test.for([undefined, "", "x", "x".repeat(43)])("is refused: %j", async (secret) => {
    const unpaired = asked.length;
    expect(JSON.parse(await withSecret(secret))).toMatchObject({
      exitStatus: 4,
      refused: expect.stringContaining("secret"),
    });
    expect(asked).toHaveLength(unpaired);
  });

  test("is refused with that of the start before", async () => {
    const before = secretOf();
    await socket[Symbol.asyncDispose]();
    socket = await ControlSocket.start(folder, answersOf(hub), silentLog);
    expect(secretOf()).not.toBe(before);
    expect(JSON.parse(await withSecret(before))).toMatchObject({ exitStatus: 4 });
    expect(JSON.parse(await withSecret(secretOf()))).toEqual({ answer: { revoked: true } });
  });

  test("cannot read it as another user", () => {
    expect(statSync(join(folder, "control.secret")).mode & 0o077).toBe(0);
  });
});
