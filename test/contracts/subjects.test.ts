/** Users, servers, clients and their tokens, through the client, on either store. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContractCloud, type Owner, STORES } from "./cloud.ts";

describe.each(STORES)("on %s", (store) => {
  let cloud: ContractCloud;
  let owner: Owner;
  beforeAll(async () => {
    cloud = await ContractCloud.start(store);
    owner = await cloud.owner();
  });
  afterAll(() => cloud[Symbol.asyncDispose]());

  it("a user sees the environments that it was given, and loses them at once", async () => {
    const { users } = owner.asServer;
    const user = await users.create({ key: "customer-17" });
    const { token } = await users.createToken(user.id, { expiresInSeconds: 60 });
    const asUser = cloud.client(token);
    expect(await asUser.environments.list().all()).toEqual([]);
    await expect(asUser.environments.get(owner.environmentId)).rejects.toMatchObject({ name: "Access Denied" });
    const entry = await users.grant(user.id, owner.environmentId);
    expect(await users.grant(user.id, owner.environmentId)).toEqual(entry);
    expect(await asUser.environments.get(owner.environmentId)).toMatchObject({ id: owner.environmentId });
    expect(await users.access(user.id).all()).toEqual([entry]);
    await users.revoke(user.id, entry.id);
    await expect(asUser.environments.get(owner.environmentId)).rejects.toMatchObject({ name: "Access Denied" });
  });

  it("a user's key is the operator's own, and unique", async () => {
    const { users } = owner.asServer;
    await users.create({ key: "customer-18" });
    await expect(users.create({ key: "customer-18" })).rejects.toMatchObject({ name: "User Key Exists" });
    await expect(users.create({ key: "" })).rejects.toMatchObject({ name: "User Key Missing" });
  });

  it("a server comes with a token that the account can read again, and no server can", async () => {
    const { servers } = owner.asAccount;
    const { id } = await servers.create({ alias: "backend" });
    const [token] = await servers.tokens(id).all();
    expect(await cloud.client(token?.token).account.token()).toMatchObject({ type: "server", serverId: id });
    const second = await servers.createToken(id);
    await servers.deleteToken(id, token?.id ?? "");
    await expect(cloud.client(token?.token).account.token()).rejects.toMatchObject({ name: "Token Invalid" });
    expect(await cloud.client(second.token).account.token()).toMatchObject({ serverId: id });
    await expect(owner.asServer.servers.list().page()).rejects.toMatchObject({ name: "Token Type Not Allowed" });
  });

  it("a client's token is shown once, and is good at the tunnel only", async () => {
    const { clients } = owner.asServer;
    const client = await clients.create({ environmentId: owner.environmentId });
    expect(client.connection.state).toBe("offline");
    const { token = "", id } = await clients.createToken(client.id);
    expect(await clients.tokens(client.id).all()).toMatchObject([{ id, type: "client" }]);
    expect((await clients.tokens(client.id).all())[0]).not.toHaveProperty("token");
    await expect(cloud.client(token).devices.list().page()).rejects.toMatchObject({ name: "Token Type Not Allowed" });
  });

  it("a continuation token is good for its own query only", async () => {
    const { users } = owner.asAccount;
    const { continuationToken } = await users.list({}, { pageSize: 1 }).page();
    const elsewhere = owner.asAccount.servers.list().page(continuationToken);
    await expect(elsewhere).rejects.toMatchObject({ name: "Continuation Token Invalid" });
    await expect(users.list({}, { pageSize: 1001 }).page()).rejects.toMatchObject({ name: "Page Size Invalid" });
  });

  it("the service lists its catalogue, its quotas, and the audit log", async () => {
    const { service } = owner.asAccount;
    expect((await service.catalogue()).map(({ service }) => service)).toContain("LightColor");
    expect((await service.quotas()).length).toBeGreaterThan(3);
    expect((await service.audit().all()).map(({ action }) => action)).toContain("user.created");
    expect((await service.requests().page()).items).toBeInstanceOf(Array);
    expect(await service.openApi()).toMatchObject({ openapi: "3.1.0" });
  });
});
