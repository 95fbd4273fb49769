/** What every node does of its own accord, on two of them at once: as if one had done it. */
import { seededRandom, silentLog } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { audit } from "./access/index.ts";
import { Keyring } from "./access/keyring.ts";
import { recordsEraser } from "./accounts/index.ts";
import { Outbox } from "./mail/index.ts";
import { verifyAudit } from "./ops/audit-verify.ts";
import { storeSightings } from "./ops/requests/recorder.ts";
import { tellOfRelease } from "./ops/version-notices.ts";
import { Holding, type TwoNodes, twoNodes } from "./store/two-nodes.fixture.ts";

const OWNER = { kind: "account", accountId: "acc_1", tokenId: "tok_1", address: "192.0.2.7" } as const;
let nodes: TwoNodes;
beforeEach(async () => {
  nodes = await twoNodes();
  await nodes.one.writeService(async ({ build, change }) => {
    const account = { id: "acc_1", email: "a@example.com", email_key: "a@example.com", name: null };
    await change(build.insertInto("accounts").values({ ...account, password_hash: "", created_at: 0, verified_at: 0 }));
    await change(build.insertInto("ecosystems").values({ id: "eco_1", account_id: "acc_1", gone_at: null }));
  });
});
afterEach(() => nodes[Symbol.asyncDispose]());

const both = <T>(work: (node: TwoNodes["one"], at: number) => Promise<T>) =>
  Promise.all([nodes.one, nodes.other].map((node, at) => work(node, at)));

describe("the audit", () => {
  it("that both write in is one chain for each subject, and holds", async () => {
    const deeds = Array.from({ length: 40 }, (_none, each) => `usr_${each}`);
    await both((node, at) =>
      Promise.all(
        deeds.flatMap((id) => [
          node.write("eco_1", (tx) => audit(tx, OWNER, "user.created", id)),
          node.writeService((tx) => audit(tx, OWNER, "login.created", id)),
          // Its own order, so that groups of the two meet crosswise.
          node.writeService((tx) =>
            audit(tx, { ...OWNER, accountId: `acc_${at === 0 ? id : deeds.at(-1)}` }, "login.ended", id),
          ),
        ]),
      ),
    );
    const { held, findings, chains } = await verifyAudit(nodes.one);
    expect([held, findings, chains]).toEqual([6 * deeds.length, [], 2 + deeds.length]);
  });
});

describe("an erasure", () => {
  it("that two are at is not over for one of them because the other has just taken away what it had found", async () => {
    for (let each = 0; each < 700; each += 100)
      await nodes.one.writeService(async (tx) => {
        for (let one = 0; one < 100; one++) await audit(tx, OWNER, "login.created", "tok_1");
      });
    await nodes.one.writeService((tx) =>
      tx.change(tx.build.insertInto("erasures").values({ account_id: "acc_1", ecosystem_ids: "[]", requested_at: 0 })),
    );
    // Another node, in the middle of a step.
    await using holding = await Holding.of(nodes.location, "update erasures set requested_at = requested_at");
    await holding.also(
      "delete from audit_entries where id in (select id from audit_entries where account_id = 'acc_1' limit 500)",
    );
    const erased = recordsEraser(nodes.one)("acc_1", { ecosystems: [], isLast: true });
    await holding.waited(1);
    await holding.release();
    await erased;
    const { service } = nodes.one;
    expect(await service.query(service.build.selectFrom("audit_entries").select("id"))).toEqual([]);
  });
});

describe("what was seen of tokens", () => {
  it("is summed up, and the last use is the latest, regardless of the order of the nodes", async () => {
    const ids = Array.from({ length: 60 }, (_none, each) => `tok_${each}`);
    await nodes.one.writeService(async ({ build, change }) => {
      for (const id of ids)
        await change(
          build.insertInto("tokens").values({ id, hash: id, kind: "srv", subject_id: "srv_1", created_at: 0 }),
        );
    });
    const seen = (at: number, ofTokens: readonly string[]) =>
      ofTokens.map((tokenId) => ({
        tokenId,
        lastUsedAt: at,
        versions: [{ tokenId, via: "path", version: "", firstSeenAt: at, lastSeenAt: at, count: 2 } as const],
      }));
    await Promise.all([
      storeSightings(nodes.one, silentLog, seen(1_000, ids)),
      storeSightings(nodes.other, silentLog, seen(900, ids.toReversed())),
    ]);
    await storeSightings(nodes.other, silentLog, seen(950, ["tok_0"]));
    const { service } = nodes.one;
    const uses = await service.query(service.build.selectFrom("token_uses").select("last_used_at").distinct());
    const versions = await service.query(
      service.build.selectFrom("token_versions").select(["last_seen_at", "count"]).distinct().orderBy("count"),
    );
    expect(uses).toEqual([{ last_used_at: 1_000 }]);
    expect(versions).toEqual([
      { last_seen_at: 1_000, count: 4 },
      { last_seen_at: 1_000, count: 6 },
    ]);
  });
});

describe("a coming version", () => {
  it("is announced to every account in one email, when two nodes announce it at once", async () => {
    const random = seededRandom(3);
    const outbox = new Outbox({ keyring: new Keyring([{ id: "00000001", key: random.bytes(32) }], random) });
    const release = { version: "v1", date: "2027-03-01" };
    const outcomes = await both((store) => tellOfRelease({ store, clock: nodes.clock, notices: outbox }, release));
    expect(outcomes.map((each) => each.notified).sort()).toEqual([0, 1]);
    const { service } = nodes.one;
    expect(await service.query(service.build.selectFrom("letters").select("account_id"))).toHaveLength(1);
  });
});
