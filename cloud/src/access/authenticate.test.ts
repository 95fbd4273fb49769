import { IdMaker, seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { makeToken, type TokenKind } from "@porchlight/shared/rest";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { quotaLimits } from "../config/quotas.ts";
import { cloudSettings } from "../config/settings.ts";
import { type FreshLocation, freshLocation } from "../store/fresh-store.fixture.ts";
import { type Sql, Store } from "../store/index.ts";
import { AccessEntries } from "./access-entries.ts";
import { Authenticator, type CredentialStore } from "./authenticate.ts";
import { Keyring } from "./keyring.ts";
import { Quotas } from "./quotas.ts";
import { insertObject } from "./references/objects.ts";
import { type Revocation, Revocations } from "./revocations.ts";
import { Tokens } from "./tokens.ts";

const ECO = "eco_1";
const random = seededRandom(5);
let fresh: FreshLocation;
let clock: VirtualClock;
let store: Store;
let tokens: Tokens;
let entries: AccessEntries;
let authenticator: Authenticator;
let ended: Revocation[];
/** Questions that were put to the database. */
let asked: number;

beforeEach(async () => {
  fresh = await freshLocation();
  clock = new VirtualClock();
  const ids = new IdMaker(clock, random);
  store = await Store.open({ ...fresh.opening, clock, ids });
  const revocations = new Revocations();
  ended = [];
  revocations.listen((revocation) => ended.push(revocation));
  const keyring = new Keyring([{ id: "00000001", key: random.bytes(32) }], random);
  tokens = new Tokens({ store, clock, random, ids, keyring, revocations });
  entries = new AccessEntries({ clock, ids, revocations, quotas: new Quotas(quotaLimits(cloudSettings.parse({}))) });
  authenticator = Authenticator.start({ store: counted(store), clock, revocations });
  asked = 0;
  await store.write(ECO, async (tx) => {
    await tx.change(tx.build.insertInto("ecosystems").values({ id: ECO, account_id: "acc_1", gone_at: null }));
    const object = { ecosystem_id: ECO, created_at: 0 };
    for (const id of ["env_1", "env_2"]) await insertObject(tx, { ...object, id, kind: "env", environment_id: id });
    await insertObject(tx, { ...object, id: "usr_1", kind: "usr", environment_id: null });
    await insertObject(tx, { ...object, id: "srv_1", kind: "srv", environment_id: null });
    await insertObject(tx, { ...object, id: "cli_1", kind: "cli", environment_id: "env_1" });
    await entries.grant(tx, { kind: "service" }, ECO, "usr_1", "env_1");
  });
});
afterEach(async () => {
  authenticator[Symbol.dispose]();
  await store[Symbol.asyncDispose]();
  await fresh[Symbol.asyncDispose]();
});

/** The same store; each of its questions is counted. */
function counted(real: Store): CredentialStore {
  const one = <R>(answer: R): R => {
    asked += 1;
    return answer;
  };
  const count = (sql: Sql): Sql => ({
    build: sql.build,
    query: (query) => one(sql.query(query)),
    change: (query) => one(sql.change(query)),
    all: (statement, params) => one(sql.all(statement, params)),
    run: (statement, params) => one(sql.run(statement, params)),
  });
  const gathered: Store["gathered"] = (bulk) => {
    const reads = real.gathered(bulk);
    return Object.assign(Object.create(reads), { all: (params: never) => one(reads.all(params)) });
  };
  return { service: count(real.service), of: (ecosystemId) => ({ sql: count(real.of(ecosystemId).sql) }), gathered };
}

function issue(kind: TokenKind, subjectId: string, expiresAt?: number) {
  const isLogin = kind === "acc" || kind === "auth";
  const owner = isLogin ? { accountId: subjectId } : { ecosystemId: ECO };
  return store.write(ECO, (tx) => tokens.issue(tx, { kind, owner, subjectId, expiresAt }));
}
const named = (name: string) => expect.objectContaining({ name });

describe("a credential", () => {
  it("returns the caller", async () => {
    const of = async (kind: TokenKind, subject: string) => {
      const { id, token } = await issue(kind, subject);
      return { caller: await authenticator.authenticate(`Bearer ${token}`), tokenId: id };
    };
    const account = await of("acc", "acc_1");
    expect(account.caller).toEqual({
      kind: "account",
      accountId: "acc_1",
      ecosystemIds: [ECO],
      tokenId: account.tokenId,
      ownerId: "acc_1",
    });
    expect((await of("auth", "acc_1")).caller.kind).toBe("account");
    const server = await of("srv", "srv_1");
    expect(server.caller).toEqual({
      kind: "server",
      serverId: "srv_1",
      ecosystemId: ECO,
      tokenId: server.tokenId,
      ownerId: "acc_1",
    });
    const user = await of("usr", "usr_1");
    expect(user.caller).toEqual({
      kind: "user",
      userId: "usr_1",
      ecosystemId: ECO,
      environmentIds: new Set(["env_1"]),
      tokenId: user.tokenId,
      ownerId: "acc_1",
    });
  });

  it("is known once it has been good, however it is written, until it ends", async () => {
    const { id, token } = await issue("usr", "usr_1");
    expect([authenticator.knows(token), authenticator.knows(undefined), authenticator.knows("")]).toEqual([
      false,
      false,
      false,
    ]);
    await authenticator.authenticate(`Bearer ${token}`);
    for (const header of [token, `Bearer ${token}`, `bearer  ${token} `])
      expect(authenticator.knows(header)).toBe(true);
    await store.write(ECO, (tx) => tokens.revoke(tx, "usr_1", id));
    expect(authenticator.knows(token)).toBe(false);
  });

  it("of a client opens a tunnel and nothing else, and no other opens one", async () => {
    const client = await issue("cli", "cli_1");
    expect(await authenticator.authenticateClient(client.token)).toMatchObject({
      clientId: "cli_1",
      ecosystemId: ECO,
      environmentId: "env_1",
      tokenId: client.id,
    });
    expect(await authenticator.authenticate(client.token)).toMatchObject({
      kind: "client",
      clientId: "cli_1",
      ownerId: "acc_1",
    });
    const user = await issue("usr", "usr_1");
    await expect(authenticator.authenticateClient(user.token)).rejects.toEqual(named("Token Type Not Allowed"));
  });

  it("with a wrong checksum is refused without a look-up; one that was never issued is looked up", async () => {
    const { token } = await issue("usr", "usr_1");
    const wrong = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
    for (const text of [wrong, "nonsense", "plt_usr_"]) {
      await expect(authenticator.authenticate(text)).rejects.toEqual(named("Token Invalid"));
      await expect(authenticator.authenticateClient(text)).rejects.toEqual(named("Token Invalid"));
    }
    expect(asked).toBe(0);
    await expect(authenticator.authenticate(makeToken("usr", random))).rejects.toEqual(named("Token Invalid"));
    expect(asked).toBe(1);
  });

  it("that comes again asks the store nothing", async () => {
    const { token } = await issue("usr", "usr_1");
    const first = await authenticator.authenticate(token);
    const before = asked;
    expect(await authenticator.authenticate(`Bearer ${token}`)).toBe(first);
    expect(asked).toBe(before);
  });

  it("ends on the millisecond of its expiry, remembered or not", async () => {
    const { token } = await issue("usr", "usr_1", clock.now() + 1000);
    await authenticator.authenticate(token);
    await clock.advance(999);
    await authenticator.authenticate(token);
    await clock.advance(1);
    await expect(authenticator.authenticate(token)).rejects.toEqual(named("Token Expired"));
  });

  it("is cached no longer than it is valid, and its connections are notified of the end", async () => {
    const one = await issue("usr", "usr_1");
    const other = await issue("usr", "usr_1");
    for (const { token } of [one, other]) await authenticator.authenticate(token);
    ended.length = 0;
    await store.write(ECO, (tx) => tokens.revoke(tx, "usr_1", one.id));
    expect(ended).toEqual([{ kind: "token", tokenId: one.id, subjectId: "usr_1" }]);
    await expect(authenticator.authenticate(one.token)).rejects.toEqual(named("Token Invalid"));
    await authenticator.authenticate(other.token);
    await store.write(ECO, (tx) => tokens.revokeAll(tx, "usr_1"));
    expect(ended.at(-1)).toEqual({ kind: "subject", subjectId: "usr_1" });
    await expect(authenticator.authenticate(other.token)).rejects.toEqual(named("Token Invalid"));
  });

  it("stays good when the job that would have ended it fails", async () => {
    const { id, token } = await issue("usr", "usr_1");
    await authenticator.authenticate(token);
    ended.length = 0;
    const failing = store.write(ECO, async (tx) => {
      await tokens.revoke(tx, "usr_1", id);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(ended).toEqual([]);
    await authenticator.authenticate(token);
  });

  it("of a user has its environments as they are now", async () => {
    const { token } = await issue("usr", "usr_1");
    const environments = async () => {
      const caller = await authenticator.authenticate(token);
      return caller.kind === "user" ? [...caller.environmentIds] : [];
    };
    expect(await environments()).toEqual(["env_1"]);
    const entry = await store.write(ECO, (tx) => entries.grant(tx, { kind: "service" }, ECO, "usr_1", "env_2"));
    expect((await environments()).sort()).toEqual(["env_1", "env_2"]);
    expect((await store.write(ECO, (tx) => entries.grant(tx, { kind: "service" }, ECO, "usr_1", "env_2"))).id).toBe(
      entry.id,
    );
    await store.write(ECO, (tx) => entries.takeAway(tx, { kind: "service" }, ECO, "usr_1", entry.id));
    expect(await environments()).toEqual(["env_1"]);
  });

  it("of what has gone, or whose place has gone, is none", async () => {
    const client = await issue("cli", "cli_1");
    const end = (table: "objects" | "ecosystems", id: string) =>
      store.write(ECO, (tx) => tx.change(tx.build.updateTable(table).set({ gone_at: 1 }).where("id", "=", id)));
    await end("objects", "env_1");
    await expect(authenticator.authenticateClient(client.token)).rejects.toEqual(named("Token Invalid"));
    const server = await issue("srv", "srv_1");
    await end("ecosystems", ECO);
    await expect(authenticator.authenticate(server.token)).rejects.toEqual(named("Token Invalid"));
  });
});
