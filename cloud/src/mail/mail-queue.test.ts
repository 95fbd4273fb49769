import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IdMaker, type Log, orAborted, seededRandom, settle, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { Secret } from "@porchlight/shared/settings";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openKeyring } from "../access/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { MailQueue, type MailTransport, Undeliverable } from "./mail-queue.ts";
import { type EmailMessage, Outbox } from "./outbox.ts";
import { folderTransport, transportOf } from "./transports.ts";

const random = seededRandom(1);
/** Longer than a clock that runs fast gets in a test, ms. */
const LONG = 10 ** 12;
const message = { accountId: "acc_1", to: "a@example.com", subject: "Hello", text: "code: X\n", lifeMs: 3_600_000 };

let fresh: FreshLocation;
let folder: string;
let clock: VirtualClock;
let store: Store;
let room: MailQueue | undefined;
let outbox: Outbox;
beforeEach(async () => {
  fresh = await freshLocation();
  folder = mkdtempSync(join(tmpdir(), "porchlight-mail-"));
  clock = new VirtualClock();
  await openStore();
});
afterEach(async () => {
  await room?.[Symbol.asyncDispose]();
  room = undefined;
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function openStore(): Promise<void> {
  store = await Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, random) });
}

function open(transport: MailTransport, log: Log = silentLog, mostWaiting?: number): void {
  const keyring = openKeyring(join(folder, "secret.key"), random);
  outbox = new Outbox({ keyring, ...(mostWaiting !== undefined && { mostWaiting }) });
  room = MailQueue.start({ store, clock, random, log, keyring, outbox, transport });
}

/** A transport that a test can stop, and what it has sent. */
function carrierWith(failures: unknown[]) {
  const sent: EmailMessage[] = [];
  const tried: string[] = [];
  const send = async (each: EmailMessage) => {
    tried.push(each.id);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    sent.push(each);
  };
  return { transport: { send }, sent, tried };
}

const post = (given: Partial<Parameters<Outbox["post"]>[1]> = {}) =>
  store.writeService((tx) => outbox.post(tx, { ...message, ...given }));
const waiting = () => store.service.query(store.service.build.selectFrom("letters").selectAll());

/** Turns of the loop, until it is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 100_000; turn++) {
    if (await isSo()) return;
    await settle(1);
  }
  throw new Error("it never came to be so");
}

describe("an email", () => {
  it("goes out once its job is committed, and is then forgotten", async () => {
    const { transport, sent } = carrierWith([]);
    open(transport);
    await post();
    await until(async () => (await waiting()).length === 0);
    expect(sent).toMatchObject([{ to: "a@example.com", subject: "Hello", text: "code: X\n" }]);
  });

  it("does not go out when its job fails", async () => {
    const { transport, tried } = carrierWith([]);
    open(transport);
    const failing = store.writeService(async (tx) => {
      await outbox.post(tx, message);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await clock.advance(60_000);
    expect(tried).toEqual([]);
  });

  it("lies sealed, so that who reads the database finds no code and no address", async () => {
    open(carrierWith([new Error("down")]).transport);
    await post({ text: "code: SECRET\n" });
    const [row] = await waiting();
    expect(JSON.stringify(row)).not.toMatch(/SECRET|example/);
  });

  it("is tried again after longer and longer waits, under one id", async () => {
    const { transport, sent, tried } = carrierWith([new Error("1"), new Error("2"), new Error("3")]);
    open(transport);
    await post();
    await until(() => tried.length === 1);
    for (const [ms, tries] of [
      [20_000, 1],
      [40_000, 2],
      [160_000, 3],
      [700_000, 4],
    ] as const) {
      await settle(50);
      await clock.advance(ms);
      await until(() => tried.length === tries);
    }
    await until(async () => (await waiting()).length === 0);
    expect([sent.length, new Set(tried).size]).toEqual([1, 1]);
  });

  it("survives the end of the process, also in the middle of being sent", async () => {
    open({ send: (_, signal) => orAborted(new Promise(() => undefined), signal) });
    await post();
    await until(async () => (await waiting())[0]?.attempts === 1);
    await store.kill();
    await room?.[Symbol.asyncDispose]().catch(() => undefined);
    await openStore();
    const { transport, sent } = carrierWith([]);
    open(transport);
    await settle(50);
    expect(sent).toEqual([]);
    await clock.advance(150_000);
    await until(() => sent.length === 1);
  });

  it("is handed on at a stop in order, and goes out at the next start", async () => {
    open({ send: (_, signal) => orAborted(new Promise(() => undefined), signal) });
    await post();
    await until(async () => (await waiting())[0]?.attempts === 1);
    await room?.[Symbol.asyncDispose]();
    const { transport, sent } = carrierWith([]);
    open(transport);
    await until(() => sent.length === 1);
  });

  it("is given up when the address does not exist, and when it is too old, and is logged without the address", async () => {
    const logged: string[] = [];
    const log = { ...silentLog, error: (fields: object, text: string) => logged.push(JSON.stringify(fields) + text) };
    const { transport, tried } = carrierWith([new Undeliverable("550 a@example.com is unknown"), new Error("down")]);
    open(transport, log);
    await post();
    await until(async () => (await waiting()).length === 0);
    await post({ lifeMs: 10_000 });
    await until(async () => tried.length === 2 && (await waiting()).length === 0);
    expect(logged).toHaveLength(2);
    expect(logged.join()).not.toContain("example.com");
  });

  it("to an unknown address costs the same work and is not sent", async () => {
    const { transport, tried } = carrierWith([]);
    open(transport);
    await post({ to: undefined });
    await until(async () => (await waiting()).length === 0);
    expect(tried).toEqual([]);
  });

  it("is refused, not dropped, when too many wait", async () => {
    open(carrierWith([new Error("down"), new Error("down")]).transport, silentLog, 2);
    await post();
    await post();
    await expect(post()).rejects.toMatchObject({ name: "Service Unavailable", retryAfter: 60 });
  });

  it("of an account that is erased is destroyed, also where it lies as a file", async () => {
    const mail = join(folder, "mail");
    open(folderTransport(mail, "p@example.com", silentLog));
    await post();
    await post({ accountId: "acc_2" });
    await until(async () => (await waiting()).length === 0);
    await room?.forget("acc_1");
    expect(readdirSync(mail).map((name) => name.includes("acc_2"))).toEqual([true]);
  });

  it("is not sent to an account's unverified address", async () => {
    const { transport, sent } = carrierWith([]);
    open(transport);
    const of = (id: string, verified_at: number | null) => ({
      ...{ id, email: `${id}@example.com`, email_key: id, name: null, password_hash: "", created_at: 0, verified_at },
    });
    await store.writeService((tx) => tx.change(tx.build.insertInto("accounts").values([of("u", null), of("v", 1)])));
    const notice = { subject: "News", text: "…" };
    expect(await store.writeService((tx) => outbox.notify(tx, "u", notice))).toBe(false);
    expect(await store.writeService((tx) => outbox.notify(tx, "v", notice))).toBe(true);
    await until(() => sent.length === 1);
    expect(sent).toMatchObject([{ to: "v@example.com" }]);
  });
});

describe("without an SMTP server", () => {
  it("an email is a readable file, and the log names it", async () => {
    const logged: string[] = [];
    const say = (_: object, text: string) => logged.push(text);
    open(transportOf({ data: folder, publicUrl: "https://home.example" }, { ...silentLog, warn: say, info: say }));
    await post({ subject: "Hi\r\nBcc: everybody@example.com", text: "grüß dich\n" });
    await until(async () => (await waiting()).length === 0);
    const [name] = readdirSync(join(folder, "mail"));
    const text = readFileSync(join(folder, "mail", name ?? ""), "utf8");
    const [head, body] = text.split("\n\n");
    expect(name).toMatch(/^20260101T000000Z-[0-9a-z]{26}-acc_1\.eml$/);
    expect(head?.split("\n").slice(0, 3)).toEqual([
      "From: Porchlight <porchlight@home.example>",
      "To: a@example.com",
      "Subject: Hi Bcc: everybody@example.com",
    ]);
    expect(head).toContain("Date: Thu, 1 Jan 2026 00:00:00 +0000");
    expect(body).toBe("grüß dich\n");
    expect(logged.join()).toContain("--smtp");
  });
});

describe("with a real SMTP server", () => {
  interface Received {
    readonly from: string;
    readonly to: readonly string[];
    readonly raw: string;
  }
  let server: SMTPServer;
  let received: Received[];
  let refusal: (Error & { responseCode?: number }) | undefined;
  let url: string;
  beforeEach(async () => {
    received = [];
    refusal = undefined;
    server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ["STARTTLS"],
      onRcptTo: (_address, _session, done) => done(refusal ?? null),
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const from = envelope.mailFrom === false ? "" : (envelope.mailFrom?.address ?? "");
          received.push({
            from,
            to: envelope.rcptTo.map(({ address }) => address),
            raw: String(Buffer.concat(chunks)),
          });
          done();
        });
      },
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    const address = server.server.address();
    url = `smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  });
  afterEach(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.close(resolve);
    await promise;
  });
  const openSmtp = () =>
    open(transportOf({ data: folder, smtp: new Secret(url), mailFrom: "p@home.example" }, silentLog));

  it("an email arrives, and no word in it becomes a header or a receiver", async () => {
    openSmtp();
    await post({ subject: "Hi\r\nBcc: everybody@example.com\r\n\r\nbody", text: "code: ABCD-EFGH\nüber\n.\n" });
    await until(() => received.length === 1);
    const [got] = received;
    expect(got).toMatchObject({ from: "p@home.example", to: ["a@example.com"] });
    expect(got?.raw).toMatch(/^To: a@example\.com\r$/m);
    expect(got?.raw).toMatch(/^code: ABCD-EFGH\r$/m);
    expect(got?.raw).not.toMatch(/^Bcc:/m);
    await until(async () => (await waiting()).length === 0);
  });

  it("an email whose receiver there is not is given up, and one that is put off goes out later", async () => {
    openSmtp();
    refusal = Object.assign(new Error("no such user"), { responseCode: 550 });
    await post();
    await until(async () => (await waiting()).length === 0);
    refusal = Object.assign(new Error("greylisted"), { responseCode: 451 });
    await post({ lifeMs: LONG });
    await until(async () => ((await waiting())[0]?.next_at ?? 0) > 0 && (await waiting())[0]?.attempts === 1);
    expect(received).toEqual([]);
    refusal = undefined;
    await until(async () => {
      await clock.advance(15_000);
      return received.length > 0;
    });
  });

  it("an email waits for a server that is away", async () => {
    const port = Number(new URL(url).port);
    await new Promise<void>((resolve) => server.close(resolve));
    openSmtp();
    await post({ lifeMs: LONG });
    await until(async () => (await waiting())[0]?.attempts === 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    server = new SMTPServer({
      authOptional: true,
      disableReverseLookup: true,
      disabledCommands: ["STARTTLS"],
      onData: (stream, _session, done) => {
        stream.resume();
        stream.on("end", () => {
          received.push({ from: "", to: [], raw: "" });
          done();
        });
      },
    });
    server.listen(port, "127.0.0.1", resolve);
    await promise;
    await until(async () => {
      await clock.advance(15_000);
      return received.length > 0;
    });
  });
});
