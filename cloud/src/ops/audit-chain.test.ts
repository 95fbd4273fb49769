/** The audit in chains: a change behind the service's back is found out, and who is erased leaves no word in it. */
import { IdMaker, seededRandom, silentLog, VirtualClock } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { audit, eraseAuditChains } from "../access/index.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { Store } from "../store/index.ts";
import { auditChain } from "../store/migrations/0009-audit-chain.ts";
import { type AuditHead, auditHeads, compareHeads, verifyAudit } from "./audit-verify.ts";
import { KEEP_AUDIT, Retention } from "./requests/retention.ts";

const OWNER = { kind: "account", accountId: "acc_1", tokenId: "tok_1", address: "192.0.2.7" } as const;
const SERVER = { kind: "server", serverId: "srv_1", tokenId: "tok_2" } as const;
const DAY = 86_400_000;

let fresh: FreshLocation;
let clock: VirtualClock;
let store: Store;
const open = () => Store.open({ ...fresh.opening, clock, ids: new IdMaker(clock, seededRandom(++seed)) });
let seed = 0;
beforeEach(async () => {
  fresh = await freshLocation();
  clock = new VirtualClock();
  store = await open();
  await store.writeService((tx) =>
    tx.change(tx.build.insertInto("ecosystems").values({ id: "eco_1", account_id: "acc_1", gone_at: null })),
  );
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

/** That many deeds in the ecosystem: `user.created` of `usr_1` and so on. */
async function deeds(count: number, on = store, eco = "eco_1"): Promise<void> {
  const write = (each: number) => on.write(eco, (tx) => audit(tx, SERVER, "user.created", `usr_${each + 1}`));
  await Promise.all(Array.from({ length: count }, (_none, each) => write(each)));
}

/** SQL behind the service's back. */
const tamper = (...statements: string[]) =>
  store.writeService(async (tx) => {
    for (const text of statements) await tx.change({ compile: () => sql.raw(text).compile(tx.build) });
  });

const findings = async () =>
  (await verifyAudit(store)).findings.map(
    ({ subject, sequence, fault, entry }) => `${subject} ${sequence} ${fault}${entry ? ` ${entry.object_id}` : ""}`,
  );

const swapped = (table: string) => [
  `update ${table} set sequence = -2 where sequence = 2`,
  `update ${table} set sequence = 2 where sequence = 3`,
  `update ${table} set sequence = 3 where sequence = -2`,
];

describe("the audit as it was written", () => {
  it("holds: a chain for each ecosystem, and one for what an account does outside of any", async () => {
    await deeds(3);
    await store.writeService((tx) => audit(tx, OWNER, "login.created", "tok_1"));
    await store.write("eco_1", (tx) => audit(tx, OWNER, "zone.created", "zon_1", { size: 3 }));
    await store.writeService((tx) => audit(tx, { kind: "service" }, "webhook.disabled", undefined));
    expect(await verifyAudit(store)).toEqual({ chains: 3, held: 6, erased: 0, findings: [] });
  });

  it("holds when nothing was ever written", async () => {
    expect(await verifyAudit(store)).toEqual({ chains: 0, held: 0, erased: 0, findings: [] });
  });

  it("has no place for a deed that was not committed", async () => {
    await deeds(2);
    const failed = store.write("eco_1", async (tx) => {
      await audit(tx, SERVER, "user.created", "usr_x");
      throw new Error("the job fails");
    });
    const others = [deeds(2), failed, deeds(2)];
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await verifyAudit(store)).toMatchObject({ chains: 1, held: 6, findings: [] });
  });

  it("holds after the process has died in the middle of its writing", async () => {
    await deeds(3);
    const dying = Promise.allSettled([deeds(20), deeds(20)]);
    await new Promise((resolve) => setImmediate(resolve));
    await store.kill();
    await dying;
    store = await open();
    const { held, findings } = await verifyAudit(store);
    expect(findings).toEqual([]);
    await deeds(2);
    expect(await verifyAudit(store)).toMatchObject({ held: held + 2, findings: [] });
  });

  it("holds with writers of one chain on several connections, and while it is walked", async () => {
    const isShared = store.dialect === "postgres";
    const other = isShared ? await open() : store;
    const logIns = (on: Store) =>
      Promise.all(
        Array.from({ length: 30 }, async () => {
          await on.writeService((tx) => audit(tx, OWNER, "login.created", "tok_1"));
          await verifyAudit(on).then((verdict) => expect(verdict.findings).toEqual([]));
        }),
      );
    await Promise.all([logIns(store), logIns(other), deeds(30), deeds(30, other)]);
    expect(await verifyAudit(store)).toMatchObject({ chains: 2, held: 120, findings: [] });
    if (isShared) await other[Symbol.asyncDispose]();
  });
});

describe("what is done to the audit behind the service's back is found, and the first that does not hold is named", () => {
  const NEWEST = "sequence = 5";
  it.each<[string, string[], string]>([
    ["an edited entry", [`update audit_entries set detail = '{"a":1}' where sequence = 3`], "3 changed usr_3"],
    ["an actor who is another", ["update audit_entries set actor_id = 'srv_2' where sequence = 1"], "1 changed usr_1"],
    ["a time that is another", [`update audit_entries set at = at + 1 where ${NEWEST}`], "5 changed usr_5"],
    ["a salt that is another", ["update audit_entries set salt = 'x' where sequence = 2"], "2 changed usr_2"],
    ["an entry that is gone", ["delete from audit_entries where sequence = 3"], "3 missing"],
    [
      "an entry that is gone with its link",
      ["entries", "links"].map((of) => `delete from audit_${of} where sequence = 3`),
      "3 missing",
    ],
    ["entries in another order", swapped("audit_entries"), "2 changed usr_3"],
    ["entries and links in another order", [...swapped("audit_entries"), ...swapped("audit_links")], "2 unbound usr_3"],
    ["an edited digest", ["update audit_links set digest = 'x' where sequence = 4"], "4 changed usr_4"],
    ["an edited link", ["update audit_links set link = 'x' where sequence = 4"], "4 unbound usr_4"],
    [
      "an end that is cut off",
      ["entries", "links"].map((of) => `delete from audit_${of} where ${NEWEST}`),
      "5 missing",
    ],
    [
      "a beginning that is cut off",
      ["entries", "links"].map((of) => `delete from audit_${of} where sequence = 1`),
      "1 missing",
    ],
    ["another head", ["update audit_chains set link = 'x'"], "5 unbound"],
    ["a head that was set back", ["update audit_chains set sequence = 4"], "4 unbound|5 added"],
    ["a beginning that was set forward", ["update audit_chains set base_sequence = 1"], "2 unbound usr_2|1 added"],
  ])("%s", async (_what, statements, finding) => {
    await deeds(5);
    expect(await findings()).toEqual([]);
    await tamper(...statements);
    expect((await findings()).join("|")).toBe(`eco_1 ${finding}`.replaceAll("|", "|eco_1 "));
  });

  it("an entry that was put in without a link", async () => {
    await deeds(2);
    const entry = { account_id: "acc_1", id: "aud_x", at: 1, actor_type: "service", action: "a.b", detail: "{}" };
    await store.writeService((tx) => tx.change(tx.build.insertInto("audit_entries").values(entry)));
    expect(await findings()).toEqual(["acc_1 0 added null"]);
  });

  it("a chain whose head is gone", async () => {
    await deeds(2);
    await tamper("delete from audit_chains");
    expect(await findings()).toEqual(["undefined 1 added"]);
  });

  it("in one chain, and the others hold", async () => {
    await deeds(2);
    await deeds(2, store, "eco_2");
    await tamper("delete from audit_entries where ecosystem_id = 'eco_2'");
    expect(await verifyAudit(store)).toMatchObject({ chains: 2, held: 2 });
    expect(await findings()).toEqual(["eco_2 1 missing"]);
  });
});

describe("against heads that were noted before", () => {
  /** Reckons the chain anew, as an attacker who can write all of the database could. */
  async function forge(): Promise<void> {
    const heads = await auditHeads(store);
    await tamper("delete from audit_entries", "delete from audit_links");
    for (const { chain } of heads)
      await tamper(
        `update audit_chains set sequence = 0, link = '${chain}', base_sequence = 0, base_link = '${chain}'`,
      );
  }
  const faults = async (noted: readonly AuditHead[]) =>
    (await compareHeads(store, noted)).map(({ sequence, fault }) => `${sequence} ${fault}`);

  it("a chain that went on holds, also when what was noted is too old to be kept", async () => {
    await deeds(3);
    const noted = await auditHeads(store);
    await clock.advance(KEEP_AUDIT + 1);
    await deeds(1);
    expect(await faults(noted)).toEqual([]);
    await sweep();
    expect(await faults(noted)).toEqual([]);
    await deeds(1);
    await clock.advance(KEEP_AUDIT + 1);
    await sweep();
    expect(await faults(noted)).toEqual([]);
  });

  it("one that was reckoned anew, cut off or taken away is found, although it holds in itself", async () => {
    await deeds(3);
    const noted = await auditHeads(store);
    await forge();
    expect(await faults(noted)).toEqual(["3 missing"]);
    await deeds(4);
    expect(await findings()).toEqual([]);
    expect(await faults(noted)).toEqual(["3 replaced"]);
    await tamper("delete from audit_entries", "delete from audit_links", "delete from audit_chains");
    expect(await findings()).toEqual([]);
    expect(await faults(noted)).toEqual(["3 missing"]);
  });

  it("one of an account that was erased may go with its time", async () => {
    await deeds(1);
    await store.writeService((tx) => eraseAuditChains(tx, "acc_1"));
    const noted = await auditHeads(store);
    await clock.advance(KEEP_AUDIT + 1);
    await sweep();
    expect(await auditHeads(store)).toEqual([]);
    expect(await faults(noted)).toEqual([]);
  });
});

describe("an account that has been erased", () => {
  const erase = () =>
    store.writeService(async (tx) => {
      await eraseAuditChains(tx, "acc_1");
      await tx.change(tx.build.deleteFrom("audit_entries").where("account_id", "=", "acc_1"));
    });

  it("leaves digests and links, which still hold, and nothing by which it or its deeds would be known", async () => {
    await deeds(3);
    await deeds(2, store, "eco_2");
    await store.writeService((tx) => audit(tx, OWNER, "login.created", "tok_1"));
    const salts = await store.service.query(store.service.build.selectFrom("audit_entries").select("salt"));
    await erase();
    expect(await verifyAudit(store)).toEqual({ chains: 3, held: 2, erased: 4, findings: [] });
    const { build } = store.service;
    const left = JSON.stringify([
      await store.service.query(build.selectFrom("audit_chains").selectAll().where("erased_at", "is not", null)),
      await store.service.query(build.selectFrom("audit_links").selectAll()),
    ]);
    const gone = [
      "acc_1",
      "eco_1",
      "tok_1",
      "srv_1",
      "usr_1",
      "192.0.2.7",
      ...salts.slice(0, 3).map(({ salt }) => salt),
    ];
    expect(gone.filter((word) => left.includes(word ?? ""))).toEqual([]);
  });

  it("does not hide that what is left was changed", async () => {
    await deeds(3);
    await erase();
    await tamper("delete from audit_links where sequence = 2");
    expect(await findings()).toEqual(["undefined 2 missing"]);
  });

  it("goes with its chains when the audit of its time does", async () => {
    await deeds(1_100);
    await erase();
    await clock.advance(DAY);
    await deeds(1, store, "eco_2");
    await clock.advance(KEEP_AUDIT);
    await sweep();
    expect(await verifyAudit(store)).toEqual({ chains: 1, held: 1, erased: 0, findings: [] });
    expect(await store.service.query(store.service.build.selectFrom("audit_links").select("link"))).toHaveLength(1);
  });
});

/** Takes away what is too old. */
async function sweep(): Promise<void> {
  await using retention = Retention.start({ store, clock, log: silentLog });
  await retention.sweep();
}

describe("entries that are too old", () => {
  it("go, and what is left of the chain still holds", async () => {
    await deeds(1_200);
    await clock.advance(DAY);
    await deeds(3);
    await clock.advance(KEEP_AUDIT - DAY + 1);
    await sweep();
    expect(await verifyAudit(store)).toEqual({ chains: 1, held: 3, erased: 0, findings: [] });
    await tamper("delete from audit_entries where sequence = 1201", "delete from audit_links where sequence = 1201");
    expect(await findings()).toEqual(["eco_1 1201 missing"]);
  });

  it("may be all of a chain, which goes on where it was", async () => {
    await deeds(2);
    await clock.advance(KEEP_AUDIT + 1);
    await sweep();
    expect(await verifyAudit(store)).toEqual({ chains: 1, held: 0, erased: 0, findings: [] });
    await deeds(1);
    expect(await verifyAudit(store)).toMatchObject({ held: 1, findings: [] });
    await tamper("update audit_chains set base_link = 'x'");
    expect(await findings()).toEqual(["eco_1 3 unbound usr_1"]);
  });

  it("stay while a younger one stands before them, as after a clock that went wrong", async () => {
    await deeds(1);
    await clock.advance(KEEP_AUDIT / 2);
    await deeds(1);
    const late = new VirtualClock(clock.now() - KEEP_AUDIT);
    await using behind = await Store.open({
      ...fresh.opening,
      clock: late,
      ids: new IdMaker(late, seededRandom(99)),
    });
    await deeds(1, behind);
    await clock.advance(KEEP_AUDIT / 2 + 1);
    await sweep();
    const kept = await store.service.query(store.service.build.selectFrom("audit_links").select("sequence"));
    expect(kept.map(({ sequence }) => sequence)).toEqual([2, 3]);
    expect(await findings()).toEqual([]);
  });
});

describe("entries that an older program has written", () => {
  /** As the database was before there were chains. */
  const asBefore = () =>
    tamper(
      ...["audit_chains", "audit_links"].map((table) => `drop table ${table}`),
      "drop index audit_entries_chain",
      ...["chain_id", "sequence", "salt"].map((column) => `alter table audit_entries drop column ${column}`),
    );
  const migrated = () =>
    store.writeService(async (tx) => {
      const means = { read: tx.query, ids: tx.ids };
      for await (const change of auditChain(tx.build, store.dialect, means)) await tx.change(change);
    });

  it("begin the chains in their order", async () => {
    await deeds(1_010);
    await deeds(3, store, "eco_2");
    await store.writeService((tx) => audit(tx, OWNER, "login.created", "tok_1"));
    await asBefore();
    await migrated();
    expect(await verifyAudit(store)).toEqual({ chains: 3, held: 1_014, erased: 0, findings: [] });
    await deeds(2);
    expect(await verifyAudit(store)).toMatchObject({ chains: 3, held: 1_016, findings: [] });
    await tamper("update audit_entries set action = 'x.y' where object_id = 'usr_1009'");
    expect(await findings()).toEqual(["eco_1 1009 changed usr_1009"]);
  });
});
