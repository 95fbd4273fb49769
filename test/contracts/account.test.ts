/** The account through the client, on either store: sign-up, log-in, its log-ins, its end. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ContractCloud, type Owner, STORES } from "./cloud.ts";

describe.each(STORES)("an account on %s", (store) => {
  let cloud: ContractCloud;
  let owner: Owner;
  beforeAll(async () => {
    cloud = await ContractCloud.start(store);
    owner = await cloud.owner();
  });
  afterAll(() => cloud[Symbol.asyncDispose]());

  it("comes with an ecosystem, an environment and its own user", async () => {
    const { asAccount, email, accountId, ecosystemId, environmentId, userId } = owner;
    expect(await asAccount.account.get()).toMatchObject({ id: accountId, email });
    expect((await asAccount.ecosystems.list().all()).map(({ id }) => id)).toEqual([ecosystemId]);
    expect(await asAccount.environments.get(environmentId)).toMatchObject({ ecosystemId });
    expect(await asAccount.users.get(userId)).toMatchObject({ key: accountId });
  });

  it("is distinguished by each kind of its tokens", async () => {
    expect(await owner.asAccount.account.token()).toMatchObject({ type: "account", accountId: owner.accountId });
    expect(await owner.asServer.account.token()).toMatchObject({ type: "server", ecosystemId: owner.ecosystemId });
    expect(await owner.asUser.account.token()).toMatchObject({ type: "user", userId: owner.userId });
    await expect(owner.asUser.account.get()).rejects.toMatchObject({ name: "Token Type Not Allowed", status: 403 });
    await expect(cloud.client().account.get()).rejects.toMatchObject({ name: "Token Missing" });
    await expect(cloud.client("plt_usr_x").account.get()).rejects.toMatchObject({ name: "Token Invalid" });
  });

  it("lists its log-ins and ends them", async () => {
    const { email, password } = owner;
    const second = await cloud.client().accounts.logIn({ email, password, console: true });
    expect(second).toMatchObject({ type: "authentication" });
    const asConsole = cloud.client(second.token);
    await cloud.client().accounts.logIn({ email, password, session: true });
    const logIns = await asConsole.account.logIns().all();
    expect(logIns.map(({ type, session }) => [type, session])).toEqual([
      ["account", undefined],
      ["authentication", undefined],
      ["account", true],
    ]);
    await owner.asAccount.account.endLogIn(second.id);
    await expect(asConsole.account.get()).rejects.toMatchObject({ name: "Token Invalid", status: 401 });
  });

  it("is refused with a wrong password, for a known and an unknown address", async () => {
    const anonymous = cloud.client();
    const wrong = anonymous.accounts.logIn({ email: owner.email, password: "another password" });
    await expect(wrong).rejects.toMatchObject({ name: "Login Failed", status: 401 });
    const unknown = anonymous.accounts.logIn({ email: "nobody@example.com", password: "another password" });
    await expect(unknown).rejects.toMatchObject({ name: "Login Failed" });
  });

  it("changes, and is deleted with all that it owns, on its password", async () => {
    const other = await cloud.owner();
    const currentPassword = other.password;
    await other.asAccount.account.update({ name: "Ada", currentPassword });
    expect(await other.asAccount.account.get()).toMatchObject({ name: "Ada" });
    await expect(other.asAccount.account.delete("wrong")).rejects.toMatchObject({ name: "Password Incorrect" });
    await other.asAccount.account.delete(currentPassword);
    await expect(other.asServer.account.token()).rejects.toMatchObject({ name: "Token Invalid" });
    const again = cloud.client().accounts.logIn({ email: other.email, password: currentPassword });
    await expect(again).rejects.toMatchObject({ name: "Login Failed" });
  });
});
