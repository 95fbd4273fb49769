/** Places, zones and metadata in the portal, and the ways through it, as a person uses them in a real browser. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../../test/parts/api.ts";
import { describeAtLength, itAtLength } from "../../test/parts/at-length.ts";
import { accessibilityProblemsAtLength, Chromium, type Visit } from "../../test/parts/chromium.ts";
import { eventually } from "../../test/parts/eventually.ts";
import { Judge } from "../../test/parts/judge.ts";
import { Program } from "../../test/parts/program.ts";
import { haveLogIn } from "./log-in.ts";

const stack = new AsyncDisposableStack();
let chromium: Chromium;
let origin: string;
let open: Api;
let judge: Judge;
let people = 0;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-places-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const args = ["serve", "--port", "0", "--data", folder, "--rate-limit", "off"];
  const cloud = stack.use(new Program("cloud", "cloud/src/main.ts", args));
  origin = await cloud.line((line) => /^listening on (http\S+)$/.exec(line)?.[1]);
  judge = new Judge(origin);
  stack.defer(() => judge.close());
  open = new Api(origin, undefined, judge);
  chromium = stack.use(await Chromium.start());
});
afterAll(() => stack.disposeAsync());

interface Zone {
  readonly id: string;
  readonly alias?: string;
  readonly items: readonly string[];
}

/** The owner of a house: Ground floor with Kitchen and Hall, a lamp in the Kitchen, a fan in none. */
class Owner {
  readonly api: Api;
  readonly visit: Visit;
  readonly ecosystemId: string;
  readonly environmentId: string;
  readonly ids: Readonly<Record<string, string>>;

  private constructor(api: Api, visit: Visit, place: { ecosystemId: string; environmentId: string }, ids: object) {
    this.api = api;
    this.visit = visit;
    this.ecosystemId = place.ecosystemId;
    this.environmentId = place.environmentId;
    this.ids = { ...ids };
  }

  static async make(scheme: "light" | "dark" = "light"): Promise<Owner> {
    const login = { email: `places${++people}@example.com`, password: "a long and quiet password" };
    const made = await open.good<{ ecosystemId: string; environmentId: string }>("POST", "/api/accounts", login);
    const { token } = await open.good<{ token: string }>("POST", "/api/accounts/login", login);
    const api = open.as(token);
    const { environmentId } = made;
    const add = async (path: string, body: object) =>
      (await api.good<{ id: string }>("POST", path, { environmentId, ...body })).id;
    const level = (max: number) => [
      { service: "Switch", properties: [{ property: "on", value: true }] },
      { service: "LightLevel", properties: [{ property: "level", max, value: 10 }] },
    ];
    const lamp = await add("/api/devices", { alias: "lamp", services: level(100) });
    const dim = await add("/api/devices", { alias: "dim-lamp", services: level(50) });
    const fan = await add("/api/devices", { alias: "fan", services: [{ service: "Fan" }] });
    const kitchen = await add("/api/zones", { alias: "Kitchen", items: [lamp, dim] });
    const hall = await add("/api/zones", { alias: "Hall" });
    const ground = await add("/api/zones", { alias: "Ground floor", items: [kitchen, hall] });
    const visit = await chromium.visit(scheme, judge);
    // High enough for a tree that nothing has to be scrolled in.
    await visit.page.setViewportSize({ width: 1280, height: 1400 });
    await haveLogIn(visit.page, origin, login);
    return new Owner(api, visit, made, { lamp, dim, fan, kitchen, hall, ground });
  }

  get page(): Page {
    return this.visit.page;
  }

  async at(path: string): Promise<void> {
    await this.page.goto(`${origin}/environments/${this.environmentId}${path}`);
  }

  /** Of a zone: names of what stands in it, in order. */
  async itemsOf(zone: string): Promise<readonly string[]> {
    const { items } = await this.api.good<Zone>("GET", `/api/zones/${this.ids[zone]}`);
    return items.map((id) => Object.entries(this.ids).find(([, each]) => each === id)?.[0] ?? id);
  }

  has(zone: string, items: readonly string[]): Promise<unknown> {
    const wanted = items.join();
    return eventually(`${zone} has ${wanted}`, async () => (await this.itemsOf(zone)).join() === wanted);
  }

  row(name: string): Locator {
    return this.page.getByRole("row").filter({ has: this.page.getByRole("link", { name, exact: true }) });
  }
}

/** Keys go where the focus is: it comes a moment after what has it is seen. */
async function hasFocus(part: Locator): Promise<void> {
  const focused = part.and(part.page().locator(":focus"));
  await eventually("it has the focus", async () => (await focused.count()) === 1);
}

/** The middle of a part's box, or a part of the way down it. */
async function pointOn(part: Locator, down = 0.5): Promise<{ x: number; y: number }> {
  const box = await part.boundingBox();
  if (!box) throw new Error("It is not on the page.");
  return { x: box.x + Math.min(box.width / 2, 200), y: box.y + box.height * down };
}

async function drag(page: Page, row: Locator, onto: Locator, down = 0.5): Promise<void> {
  const from = await pointOn(row.locator('[data-act="grip"]'));
  const to = await pointOn(onto, down);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 12, from.y + 12);
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

describe("the tree of zones", () => {
  it("is rearranged by dragging, and shows the service's message for a refused move", async () => {
    const owner = await Owner.make();
    const { page } = owner;
    await owner.at("/zones");
    await drag(page, owner.row("fan"), owner.row("Hall"));
    await page.getByText("fan is now in Hall.").waitFor();
    await owner.has("hall", ["fan"]);

    await drag(page, owner.row("dim-lamp"), owner.row("lamp"), 0.2);
    await owner.has("kitchen", ["dim", "lamp"]);

    await page.keyboard.down("Control");
    await drag(page, owner.row("lamp"), owner.row("Hall"));
    await page.keyboard.up("Control");
    await owner.has("hall", ["fan", "lamp"]);
    await owner.has("kitchen", ["dim", "lamp"]);

    await drag(page, owner.row("Ground floor"), owner.row("Kitchen"));
    const refusal = page.getByRole("alert").filter({ hasText: "Zone Item Invalid" });
    await refusal.getByText("The zone would contain itself.").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await refusal.getByRole("button", { name: "Dismiss" }).click();
    await refusal.waitFor({ state: "detached" });
    expect(owner.visit.complaints).toEqual([]);
  });

  itAtLength("has what was refused back where it was", async () => {
    const owner = await Owner.make();
    const { environmentId } = owner;
    let items: string[] = [];
    for (let level = 16; level >= 1; level--)
      items = [
        (await owner.api.good<Zone>("POST", "/api/zones", { environmentId, alias: `Level ${level}`, items })).id,
      ];
    await owner.at("/zones");
    await drag(owner.page, owner.row("Ground floor"), owner.row("Level 16"));
    await owner.page.getByText("Zones would be nested more than 16 levels deep.").waitFor();
    await eventually("it is back", async () => (await owner.row("Ground floor").getAttribute("aria-level")) === "1");
  });

  itAtLength("is rearranged with a finger", async () => {
    const owner = await Owner.make();
    await owner.at("/zones");
    const from = await pointOn(owner.row("fan").locator('[data-act="grip"]'));
    const to = await pointOn(owner.row("Kitchen"));
    const finger = await owner.page.context().newCDPSession(owner.page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: { x: number; y: number }[]) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", from);
    await touch("touchMove", { x: from.x + 20, y: from.y - 10 });
    await touch("touchMove", to);
    await touch("touchEnd");
    await owner.has("kitchen", ["lamp", "dim", "fan"]);
  });

  it("is rearranged with the keyboard alone", async () => {
    const owner = await Owner.make();
    const { page } = owner;
    await owner.at("/zones");
    await owner.row("Ground floor").focus();
    for (const key of ["ArrowDown", "ArrowDown", "m"]) await page.keyboard.press(key);
    const move = page.getByRole("menuitem", { name: "Move to…" });
    await move.waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await hasFocus(move);
    await page.keyboard.press("Enter");
    const to = page.getByRole("dialog").getByRole("combobox", { name: "To" });
    await hasFocus(to);
    await page.keyboard.type("Hall");
    await page.getByRole("option", { name: /^Hall/ }).waitFor();
    for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
    await eventually("it is chosen", async () => /^Hall/.test(await to.inputValue()));
    await page.keyboard.press("Enter");
    await owner.has("hall", ["lamp"]);
    await owner.has("kitchen", ["dim"]);
  });

  it("shows what others do to it within a moment, and finds what is called so", async () => {
    const owner = await Owner.make();
    await owner.at("/zones");
    await owner.row("Hall").waitFor();
    await owner.api.call("PUT", `/api/zones/${owner.ids.hall}`, { alias: "Entrance", items: [owner.ids.fan] });
    await owner.row("Entrance").getByText("1 item").waitFor();
    await owner.page.getByRole("textbox", { name: "Find a zone or device" }).fill("lamp");
    await owner.page.getByText("2 found").waitFor();
    expect(await owner.page.getByRole("row").count()).toBe(2);
  });

  it("is added to, renamed and deleted, with each error at its field", async () => {
    const owner = await Owner.make();
    const { page } = owner;
    await owner.at("/zones");
    await page.getByRole("button", { name: "Create zone" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Hall");
    await dialog.getByRole("button", { name: "Create zone" }).click();
    await dialog.getByText(/alias/i).last().waitFor();
    expect(await dialog.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await dialog.getByLabel("Name").fill("Attic");
    await dialog.getByRole("button", { name: "Create zone" }).click();
    await owner
      .row("Attic")
      .getByRole("button", { name: /^Actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await dialog.getByRole("button", { name: "Delete zone" }).click();
    await owner.row("Attic").waitFor({ state: "detached" });
  });
});

describe("a zone", () => {
  it("sets a property of all its devices, and names those that failed and why", async () => {
    const owner = await Owner.make();
    const { page } = owner;
    await owner.at(`/zones/${owner.ids.ground}`);
    await page.getByText("all on · 2 devices").waitFor();
    await page.getByRole("button", { name: "All off: Switch.on" }).click();
    await page.getByText("Confirmed by 2 of 2 properties.").waitFor();
    await page.getByText("all off · 2 devices").waitFor();

    await page.getByRole("textbox", { name: "LightLevel.level of all" }).fill("80");
    await page.getByRole("button", { name: "Set all" }).first().click();
    await page.getByText("Confirmed by 1 of 2 properties.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "dim-lamp: not sent: Property Value Invalid." }).waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);

    await owner.api.call("PUT", `/api/devices/${owner.ids.lamp}/services/Switch.on`, { value: true });
    await page.getByText("1 of 2 on · 2 devices").waitFor();
    expect(owner.visit.complaints).toEqual([]);
  });
});

describe("metadata", () => {
  it("is separated from system metadata, checked before it is sent, and merged with the changes of others", async () => {
    const owner = await Owner.make();
    const { page } = owner;
    const zone = `/api/zones/${owner.ids.hall}`;
    await owner.api.good("PUT", zone, { meta: { "$.floor": 0, colour: "red", size: 1 } });
    await owner.at(`/zones/${owner.ids.hall}`);
    const text = page.getByRole("textbox", { name: "Metadata, as JSON" });
    const save = page.getByRole("button", { name: "Save metadata" });
    await page.getByText("2 keys of your own").waitFor();
    await text.fill('{\n  "a": 1,\n  "a": 2\n}');
    await page.getByText('Line 3: The key "a" is given twice.').waitFor();
    expect(await save.isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Discard changes" }).click();

    await text.fill('{"$.floor": 1, "colour": "red", "size": 1}');
    await owner.api.good("PUT", zone, { meta: { "$.floor": 0, colour: "red", size: 2, __proto__x: 1 } });
    await page.getByText("Someone else changed the metadata since you started.").waitFor();
    await save.click();
    await page.getByText("Saved, together with the changes that someone else made.").waitFor();
    const meta = async () => (await owner.api.good<{ meta: object }>("GET", zone)).meta;
    expect(await meta()).toEqual({ "$.floor": 1, colour: "red", size: 2, __proto__x: 1 });

    await text.fill('{"$.floor": 1, "colour": "blue", "size": 2}');
    await owner.api.good("PUT", zone, { meta: { "$.floor": 1, colour: "green", size: 2, __proto__x: 1 } });
    await save.click();
    const conflict = page.getByRole("group", { name: "colour" });
    await conflict.getByText('"green"').waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await conflict.getByRole("radio", { name: "Yours" }).check();
    await page.getByRole("button", { name: "Save metadata" }).click();
    await page.getByText("Saved, together with the changes that someone else made.").waitFor();
    expect(await meta()).toEqual({ "$.floor": 1, colour: "blue", size: 2 });
    expect(owner.visit.complaints).toEqual([]);
  });

  itAtLength("that was typed and not saved is not lost without a word, whichever way one goes", async () => {
    const owner = await Owner.make();
    const { page } = owner;
    await owner.at("/zones");
    await owner.row("Hall").getByRole("link", { name: "Hall" }).click();
    const text = page.getByRole("textbox", { name: "Metadata, as JSON" });
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await text.fill('{"mine": 1}');
    await page.getByRole("link", { name: "Devices", exact: true }).click();
    await dialog.getByText("Your changes to the metadata are not saved.").waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.goBack();
    await dialog.waitFor();
    await hasFocus(dialog.getByRole("button", { name: "Cancel" }));
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(page.url()).toContain(`/zones/${owner.ids.hall}`);
    expect(await text.inputValue()).toBe('{"mine": 1}');

    const asked = page.waitForEvent("dialog");
    const left = page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe("beforeunload");
    await Promise.all([question.dismiss(), left]);
    await page.getByRole("link", { name: "Devices", exact: true }).click();
    await dialog.getByRole("button", { name: "Leave without saving" }).click();
    await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();

    await page.goBack();
    await text.fill('{"mine": 2}');
    await page.getByRole("button", { name: "Save metadata" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByRole("link", { name: "Devices", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
    expect(owner.visit.complaints).toEqual([]);
  });
});

describe("places", () => {
  it("are made, named and deleted, and the last ecosystem stays", async () => {
    const owner = await Owner.make();
    const { page } = owner;
    await page.goto(`${origin}/ecosystems/${owner.ecosystemId}`);
    await page.getByText("You cannot delete the account's last ecosystem, except by deleting the account.").waitFor();
    await page.goto(`${origin}/places`);
    await page.getByRole("button", { name: "Create ecosystem" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Second");
    await page.getByRole("dialog").getByRole("button", { name: "Create ecosystem" }).click();
    await page.getByRole("heading", { level: 1, name: "Second" }).waitFor();
    await page.getByRole("button", { name: "Create environment" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Villa");
    await page.getByRole("dialog").getByRole("button", { name: "Create environment" }).click();
    await page.getByRole("link", { name: "Villa" }).click();
    await page.getByRole("heading", { level: 1, name: "Villa" }).waitFor();
    await page.getByLabel("Alias", { exact: true }).fill("a/b");
    await page.getByRole("button", { name: "Save alias" }).click();
    await page.getByText("An alias has 1 to 128 characters").waitFor();
    await page.getByLabel("Alias", { exact: true }).fill("Cottage");
    await page.getByRole("button", { name: "Save alias" }).click();
    await page.getByRole("heading", { level: 1, name: "Cottage" }).waitFor();
    // A name stands before the alias, and leaves other metadata as it is.
    const { environmentId: second } = /environments\/(?<environmentId>env_\w+)/.exec(page.url())?.groups ?? {};
    await owner.api.good("PUT", `/api/environments/${second}`, { meta: { floors: 2 } });
    await page.getByLabel("Name", { exact: true }).fill("The lake");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByRole("heading", { level: 1, name: "The lake" }).waitFor();
    const named = await owner.api.good<{ meta: object }>("GET", `/api/environments/${second}`);
    expect(named.meta).toEqual({ floors: 2, "$.name": "The lake" });
    await page.getByLabel("Name", { exact: true }).fill("");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByRole("heading", { level: 1, name: "Cottage" }).waitFor();
    await page.getByRole("button", { name: "Delete environment", exact: true }).click();
    await page.getByRole("dialog").getByText("0 hubs, 0 devices, 0 zones").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete environment", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Ecosystems" }).waitFor();
    await page.getByRole("link", { name: "Cottage" }).waitFor({ state: "detached" });
    expect(owner.visit.complaints).toEqual([]);
  });
});

describeAtLength("places", () => {
  it.each(["light", "dark"] as const)("can be looked at by everybody, %s", async (scheme) => {
    const owner = await Owner.make(scheme);
    const { page, ecosystemId, environmentId, ids } = owner;
    for (const path of [
      "/places",
      `/ecosystems/${ecosystemId}`,
      `/environments/${environmentId}`,
      `/environments/${environmentId}/zones`,
      `/environments/${environmentId}/zones/${ids.ground}`,
    ]) {
      await page.goto(origin + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await eventually("all is there", async () => (await page.locator('[aria-busy="true"]').count()) === 0);
      expect(await accessibilityProblemsAtLength(page), path).toEqual([]);
    }
    expect(owner.visit.complaints).toEqual([]);
  });
});

describe("the ways through the portal", () => {
  itAtLength("lead from one of many environments to the same page of another, and to a new one", async () => {
    const owner = await Owner.make();
    const { page, api, ecosystemId } = owner;
    for (let home = 1; home <= 60; home++)
      await api.good("POST", "/api/environments", { ecosystemId, alias: `Home ${home}` });
    // The list is opened before the environments have come, and grows while a user looks at it.
    const { promise: opened, resolve: isOpen } = Promise.withResolvers<void>();
    await page.route("**/api/environments*", (route) => opened.then(() => route.continue()), { times: 1 });
    await owner.at("/zones");
    const change = page.getByRole("button", { name: /^Environment/ });
    await change.click();
    await page.getByRole("option", { name: "All environments" }).waitFor();
    isOpen();
    await page.getByText("11 more. Type to find them.").waitFor();
    await page.getByRole("textbox", { name: "Find an environment" }).fill("home 57");
    await page.getByRole("option", { name: "Home 57" }).waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    for (const key of ["ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.getByText("No zones yet").waitFor();
    expect(await change.textContent()).toContain("Home 57");
    await page.goBack();
    await owner.row("Hall").waitFor();

    await change.click();
    await page.getByRole("option", { name: "Create environment…" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Lighthouse");
    await page.getByRole("button", { name: "Create environment" }).click();
    await eventually("it is looked at", async () => (await change.textContent())?.includes("Lighthouse"));
    expect(owner.visit.complaints).toEqual([]);
  });

  it("lead to every object with a page, by the keyboard: by name, and by an ID of another environment", async () => {
    const owner = await Owner.make();
    const { page, api } = owner;
    const { id: elsewhere } = await api.good<{ id: string }>("POST", "/api/environments", {});
    const { id: far } = await api.good<{ id: string }>("POST", "/api/zones", {
      environmentId: elsewhere,
      alias: "Far",
    });
    await owner.at("/zones");
    await owner.row("Hall").waitFor();
    await page.keyboard.press("/");
    const field = page.getByRole("dialog", { name: "Search" }).getByRole("textbox");
    await field.fill("hal");
    await page.getByRole("option", { name: /^Hall/ }).waitFor();
    expect(await accessibilityProblemsAtLength(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Hall" }).waitFor();
    expect(page.url()).toContain(`/zones/${owner.ids.hall}`);

    await page.keyboard.press("Control+k");
    await field.fill(far);
    await page.getByRole("option", { name: /^Far/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Far" }).waitFor();
    expect(page.url()).toContain(elsewhere);
    expect(owner.visit.complaints).toEqual([]);
  });
});
