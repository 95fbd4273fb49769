/** Objects from the command line: how they are called, listed, changed and deleted. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestConsole } from "./console.ts";

let desk: TestConsole;
let home: { id: string; ecosystemId: string; environmentId: string };
let lamp: string;
beforeAll(async () => {
  desk = await TestConsole.start();
  home = await desk.signIn();
  await desk.run(`environments update ${home.environmentId} --alias home`);
  lamp = (await desk.json("devices create --alias lamp --service Switch")).id;
  await desk.run("zones create --alias kitchen --item lamp");
});
afterAll(() => desk[Symbol.asyncDispose]());

test.each([
  "lamp",
  "'home;lamp'",
  "'kitchen;lamp' --environment home",
  "lamp --environment home",
  "'home;kitchen;lamp'",
])("`devices get %s` finds the lamp", async (words) => {
  expect(await desk.json(`devices get ${words}`)).toMatchObject({ id: lamp, alias: "lamp" });
});

test("an ID, and what begins with one, is sent as it is", async () => {
  for (const reference of [lamp, `${home.environmentId};lamp`, `${home.id};${home.ecosystemId};home;lamp`])
    expect(await desk.json(`devices get ${reference}`)).toMatchObject({ id: lamp });
  expect(await desk.json(`environments get home`)).toMatchObject({ id: home.environmentId });
});

test("the environment comes from the flag, the variable or the profile, and is required when there are several", async () => {
  const barn = await desk.json("environments create --alias barn");
  const withoutPlace = await desk.run("devices get lamp");
  expect(withoutPlace).toMatchObject({ exitStatus: 2, stdout: "" });
  expect(withoutPlace.stderr).toContain("--environment");
  expect(await desk.json("devices get lamp --environment home")).toMatchObject({ id: lamp });
  expect(await desk.json("devices get lamp", { env: { PORCHLIGHT_ENVIRONMENT: "home" } })).toMatchObject({ id: lamp });
  await desk.run("profiles set --environment home");
  expect(await desk.json("devices get lamp")).toMatchObject({ id: lamp });
  expect((await desk.run("devices get lamp --environment barn")).exitStatus).toBe(3);
  expect((await desk.json("devices list --environment barn")).items).toEqual([]);
  await desk.run(["profiles", "set", "--environment", ""]);
  await desk.run(`environments delete ${barn.id} --yes`);
});

test("one key of the metadata is changed while all others stay", async () => {
  await desk.json("zones create --alias attic");
  await desk.run(["zones", "update", "attic", "--meta", '{"floor": 2, "paint": "white", "draft": true}']);
  await desk.run([
    "zones",
    "update",
    "attic",
    "--set-meta",
    "floor=3",
    "--set-meta",
    'size={"m2": 12}',
    "--unset-meta",
    "draft",
  ]);
  expect((await desk.json("zones get attic")).meta).toEqual({ floor: 3, paint: "white", size: { m2: 12 } });
});

test("who changes metadata at the same time overwrites nothing", async () => {
  let isFirst = true;
  const fetch = async (url: string, init: RequestInit) => {
    if (init.method === "PUT" && isFirst) {
      isFirst = false;
      await desk.run("zones update kitchen --set-meta other=theirs");
    }
    return desk.fetch(url, init);
  };
  expect(await desk.run("zones update kitchen --set-meta mine=1", { fetch })).toMatchObject({ exitStatus: 0 });
  expect((await desk.json("zones get kitchen")).meta).toEqual({ other: "theirs", mine: 1 });
});

test("a change for one entity tag is refused after another change", async () => {
  const tag = (await desk.run("zones get kitchen --etag")).stdout.trim();
  expect(await desk.run(["zones", "update", "kitchen", "--set-meta", "a=1", "--if-match", tag])).toMatchObject({
    exitStatus: 0,
  });
  const late = await desk.run(["zones", "update", "kitchen", "--set-meta", "a=2", "--if-match", tag]);
  expect(late).toMatchObject({ exitStatus: 5 });
  expect(late.stderr).toContain("Precondition Failed");
});

test("nothing is destroyed without a yes: asked for on a terminal, by a flag without one", async () => {
  const { id } = await desk.json("zones create --alias cellar");
  const piped = await desk.run("zones delete cellar");
  expect(piped).toMatchObject({ exitStatus: 2, stdout: "" });
  expect(piped.stderr).toContain("--yes");
  const no = await desk.run("zones delete cellar", { terminal: true, typed: ["n"] });
  expect(no).toMatchObject({ exitStatus: 1 });
  expect(no.stderr).toContain("Delete the zone cellar?");
  expect((await desk.json(`zones get ${id}`)).alias).toBe("cellar");
  expect(await desk.run("zones delete cellar", { terminal: true, typed: ["y"] })).toMatchObject({ exitStatus: 0 });
  expect(await desk.run(`zones get ${id}`)).toMatchObject({ exitStatus: 3 });
});

test("a long list is fetched page after page, and --limit fetches no more than that", async () => {
  for (let number = 0; number < 5; number++) await desk.json(`users create --key limit-${number}`);
  const before = desk.asked.length;
  const some = await desk.run("users list --limit 2 --json");
  expect(JSON.parse(some.stdout).items).toHaveLength(2);
  expect(some.stderr).toContain("there are more");
  expect(desk.asked.length - before).toBe(1);
  const all = await desk.json("users list");
  expect(all.items).toHaveLength(6);
  const paged = await desk.json("api GET /users -q pageSize=2 --paginate");
  expect(paged.items).toEqual(all.items);
});

test("the list of log-ins names the machine of each", async () => {
  const { items } = await desk.json("accounts logins");
  expect(items[0]).toMatchObject({
    type: "authentication",
    userAgent: expect.stringMatching(/^porchlight\/.* \(desk\)$/),
  });
});

test("of a log the newest entries are shown, oldest of them first", async () => {
  const { items } = await desk.json("audit list");
  expect((await desk.json("audit list --last 3")).items).toEqual(items.slice(-3));
  expect((await desk.json("audit list --last 100000")).items.length).toBeGreaterThanOrEqual(items.length);
});

test("in a pipe a list is one line an item, without a heading", async () => {
  const { stdout } = await desk.run("zones list --environment home");
  const lines = stdout.trimEnd().split("\n");
  expect(lines.every((line) => /^zon_\w{26}\t\w+\tenv_\w{26}\t\d{4}-/.test(line))).toBe(true);
  expect(lines).toHaveLength((await desk.json("zones list")).items.length);
});

test("a property is set on all devices of a place, and read again", async () => {
  const set = await desk.json("zones set kitchen Switch.on true");
  expect(set.items).toMatchObject([{ deviceId: lamp, value: true }]);
  const read = await desk.json("environments properties home Switch");
  expect(read.items).toMatchObject([{ deviceId: lamp, property: "on", value: true }]);
});

test("any request can be sent as it is", async () => {
  const raw = await desk.run([
    "api",
    "PUT",
    `/devices/${home.environmentId};lamp/services/Switch.on`,
    "-F",
    "value=false",
    "-i",
  ]);
  expect(raw).toMatchObject({ exitStatus: 0 });
  expect(raw.stdout).toMatch(/^HTTP 200\n/);
  expect(raw.stdout).toContain("x-command-id: cmd_");
  expect(await desk.json(`api GET /api/devices/${lamp}`)).toMatchObject({ alias: "lamp" });
  expect(
    await desk.json("api POST /v0/api/zones --input -", { stdin: "" }).catch((failure) => failure.message),
  ).toMatch(/ended with 2/);
  const missing = await desk.run("api GET /devices/dev_00000000000000000000000000");
  expect(missing).toMatchObject({ exitStatus: 5, stdout: "" });
  expect(missing.stderr).toContain("Device Invalid");
});
