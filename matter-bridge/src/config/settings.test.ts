/** The settings, and what the unit has put into the data folder. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings, SettingsError, withSettingsTable } from "@porchlight/shared/settings";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bridgeSettings, NoCredential, readCredential } from "./settings.ts";

const load = (flags: Record<string, unknown>, env: Record<string, string> = {}) =>
  loadSettings(bridgeSettings, { program: "porchlight-matter-bridge", env, flags: { data: "/d", ...flags } });

describe("the settings", () => {
  test("show all devices at Matter's own port, unless they say otherwise", () => {
    expect(load({})).toEqual({ data: "/d", show: "all", hide: [], matterPort: 5540, logLevel: "info" });
    expect(load({ show: "lamp,dev_1", hide: "front-door" })).toMatchObject({
      show: ["lamp", "dev_1"],
      hide: ["front-door"],
    });
    expect(load({}, { PORCHLIGHT_HUB: "http://127.0.0.1:8090" })).toMatchObject({ hub: "http://127.0.0.1:8090" });
  });

  test("that are wrong are refused by their names", () => {
    expect(() => load({ hub: "ftp://hub" })).toThrow(SettingsError);
    expect(() => load({ matterPort: "0" })).toThrow(/matter-port/);
  });

  test("are in docs/operations/matter-bridge.md as they are: `npm run docs:settings` writes them anew", () => {
    const document = readFileSync(new URL("../../../docs/operations/matter-bridge.md", import.meta.url), "utf8");
    expect(withSettingsTable(document, "porchlight-matter-bridge", bridgeSettings.shape)).toBe(document);
  });
});

describe("the credential", () => {
  let data = "";
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), "porchlight-credential-"));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  test("is what stands in the data folder, and what is missing is reported", () => {
    expect(() => readCredential({ data, hub: undefined, tokenFile: undefined })).toThrow(NoCredential);
    writeFileSync(join(data, "hub"), "http://127.0.0.1:8090\n");
    expect(() => readCredential({ data, hub: undefined, tokenFile: undefined })).toThrow(/token create/);
    writeFileSync(join(data, "token"), "plt_loc_1\n");
    expect(readCredential({ data, hub: undefined, tokenFile: undefined })).toMatchObject({
      ...{ url: "http://127.0.0.1:8090", token: "plt_loc_1" },
    });
  });

  test("that is refused is put aside, but not one that a person has named", () => {
    writeFileSync(join(data, "token"), "plt_loc_1\n");
    readCredential({ data, hub: "http://h", tokenFile: join(data, "token") }).refused();
    expect(existsSync(join(data, "token"))).toBe(true);
    readCredential({ data, hub: "http://h", tokenFile: undefined }).refused();
    expect([existsSync(join(data, "token")), existsSync(join(data, "token.refused"))]).toEqual([false, true]);
  });
});
