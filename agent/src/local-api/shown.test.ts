/** What the API at home shows of devices: what the cloud last called them, and whether they are there. */
import { describe, expect, test } from "vitest";
import { device, LAMP } from "../state/state.fixture.ts";
import { AtHome, ENVIRONMENT, LAMP_ID } from "./at-home.fixture.ts";
import { HomePages } from "./routes/scene-routes.ts";

const show = (home: AtHome, id = LAMP_ID) => home.call("GET", "/api/devices/:id", { id });

describe("a device at home", () => {
  test("has the alias that the cloud sent last, and the one before is invalid", async () => {
    using home = await AtHome.make();
    await home.name(LAMP_ID, "ceiling");
    expect((await show(home, `${ENVIRONMENT};ceiling`)).body).toMatchObject({ id: LAMP_ID, alias: "ceiling" });
    await expect(show(home, `${ENVIRONMENT};lamp`)).rejects.toMatchObject({ name: "Device Not Found" });
  });

  test("is a stranger once the cloud has another ID for it", async () => {
    using home = await AtHome.make();
    await home.name("dev_01kad2vqz0fv8t7vqh5v8q5x5s");
    await expect(show(home)).rejects.toMatchObject({ name: "Device Invalid" });
  });

  test("may be there or not while the agent has just started, and is offline once it has left", async () => {
    using home = await AtHome.make();
    home.driver.live.clear();
    home.crash();
    expect((await show(home)).body).toMatchObject({ connection: { state: "unknown" } });
    await home.disk.done(home.state.leave(LAMP));
    expect((await show(home)).body).toMatchObject({ connection: { state: "offline" } });
  });

  test("that the cloud has not named is not listed", async () => {
    using home = await AtHome.make();
    await home.disk.done(home.state.arrive(device("00-00-00-00-00-09")));
    const { body } = await home.call("GET", "/api/devices");
    expect(body).toMatchObject({ items: [{ id: LAMP_ID }] });
    expect(Reflect.get(body ?? {}, "items")).toHaveLength(1);
  });

  test("is reached through nothing that the hub does not know", async () => {
    using home = await AtHome.make();
    for (const scope of ["eco_01kad2vqz0fv8t7vqh5v8q5x5r", "zon_01kad2vqz0fv8t7vqh5v8q5x5r", `${ENVIRONMENT};cellar`])
      await expect(show(home, `${scope};lamp`)).rejects.toMatchObject({ name: "Device Invalid" });
  });
});

describe("a continuation token of the hub", () => {
  const pages = new HomePages(new Uint8Array(32));
  const rows = [{ id: "a" }, { id: "b" }, { id: "c" }];
  const query = { pageSize: "1" };
  const asked = { tokenId: "tok_1", path: "/api/devices", query };
  const first = pages.page(pages.read(asked), rows);
  const token = first.continuationToken ?? "";
  const next = (change: object, by = pages) =>
    by.page(by.read({ ...asked, query: { ...query, continuationToken: token }, ...change }), rows).items;

  test("goes on where the page ended, also when the page size is another", () => {
    expect([first.items, next({})]).toEqual([[{ id: "a" }], [{ id: "b" }]]);
    expect(next({ query: { pageSize: "2", continuationToken: token } })).toEqual([{ id: "b" }, { id: "c" }]);
  });

  test.each([
    ["another caller", { tokenId: "tok_2" }],
    ["another path", { path: "/api/zones" }],
    ["another filter", { query: { type: "physical", continuationToken: token } }],
    ["a letter changed", { query: { continuationToken: token.replace(/.$/, (last) => (last === "A" ? "B" : "A")) } }],
    ["its end left out", { query: { continuationToken: token.slice(0, -4) } }],
    ["nothing in it", { query: { continuationToken: "" } }],
  ])("is good for that query alone: %s", (_, change) => {
    expect(() => next(change)).toThrow(expect.objectContaining({ name: "Continuation Token Invalid" }));
  });

  test("is good in the next life of the hub, and at no other hub", () => {
    expect(next({}, new HomePages(new Uint8Array(32)))).toEqual([{ id: "b" }]);
    expect(() => next({}, new HomePages(new Uint8Array(32).fill(1)))).toThrow();
  });
});
