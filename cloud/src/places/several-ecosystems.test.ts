/** An account with several ecosystems: where things are made, and what a list of all of them shows. */
import { IdMaker, seededRandom } from "@porchlight/shared/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../app.fixture.ts";

let cloud: TestCloud;
let home: Home;
let token: string;
let second: string;
beforeAll(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
  const { email, password, id } = home;
  second = new IdMaker(cloud.clock, seededRandom(9)).next("eco");
  await cloud.change((build) => build.insertInto("ecosystems").values({ id: second, account_id: id, gone_at: null }));
  const object = { alias: "second", meta: "{}", version: 1, created_at: 0, environment_id: null, gone_at: null };
  await cloud.change((build) =>
    build.insertInto("objects").values({ ecosystem_id: second, id: second, kind: "eco", ...object }),
  );
  token = (await cloud.good("POST", "/api/accounts/login", { body: { email, password } })).token;
});
afterAll(() => cloud[Symbol.asyncDispose]());

describe("an account with several ecosystems", () => {
  it("must name the one in which an object is created", async () => {
    for (const path of ["/api/environments", "/api/users", "/api/servers"]) {
      for (const ecosystemId of [undefined, null, ""]) {
        const send = path === "/api/users" ? { key: "k", ecosystemId } : { ecosystemId };
        const { body } = await cloud.call("POST", path, { token, body: send });
        expect(body, path).toMatchObject({ status: 400, title: "Ecosystem Missing" });
      }
    }
    const wrong = await cloud.call("POST", "/api/environments", { token, body: { ecosystemId: 5 } });
    expect(wrong.body).toMatchObject({ status: 400, title: "Ecosystem Invalid" });
    const made = await cloud.good("POST", "/api/environments", { token, body: { ecosystemId: `${home.id};second` } });
    expect(made.ecosystemId).toBe(second);
  });

  it("sees the things of all in the order in which they were made, or those of one", async () => {
    const made: string[] = [home.userId];
    for (let at = 0; at < 6; at++) {
      const ecosystemId = at % 2 === 0 ? second : home.ecosystemId;
      made.push((await cloud.good("POST", "/api/users", { token, body: { key: `${at}`, ecosystemId } })).id);
    }
    const walked: string[] = [];
    let query = "pageSize=2";
    for (;;) {
      const page = await cloud.good("GET", `/api/users?${query}`, { token });
      walked.push(...page.items.map(({ id }: { id: string }) => id));
      if (!page.continuationToken) break;
      query = `pageSize=2&continuationToken=${page.continuationToken}`;
    }
    expect(walked).toEqual(made);
    const one = await cloud.good("GET", `/api/users?ecosystemId=${second}`, { token });
    expect(one.items.map(({ id }: { id: string }) => id)).toEqual([made[1], made[3], made[5]]);
    const ecosystems = await cloud.good("GET", "/api/ecosystems?pageSize=1", { token });
    expect(ecosystems.items).toHaveLength(1);
    expect(ecosystems.continuationToken).toBeDefined();
  });

  it("reaches what is in each by ID, and what has gone with one of them is gone", async () => {
    const { id } = await cloud.good("POST", "/api/environments", { token, body: { ecosystemId: second } });
    const look = async () => (await cloud.call("GET", `/api/environments/${id}`, { token })).body;
    expect(await look()).toMatchObject({ id, ecosystemId: second });
    expect(
      (await cloud.call("POST", `/api/users/${home.userId}/access`, { token, body: { environmentId: id } })).body,
    ).toMatchObject({
      status: 400,
      title: "Environment Invalid",
    });
    await cloud.change((build) => build.updateTable("ecosystems").set({ gone_at: 1 }).where("id", "=", second));
    await using again = await restarted();
    expect((await again.call("GET", `/api/environments/${id}`, { token })).body.title).toBe("Environment Not Found");
  });

  const restarted = async () => {
    await cloud.app[Symbol.asyncDispose]();
    return cloud.restart();
  };
});
