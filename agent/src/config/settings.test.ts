import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSettings, withSettingsTable } from "@porchlight/shared/settings";
import { describe, expect, test } from "vitest";
import { TokenUnusable, tokenFile } from "./identity.ts";
import { agentSettings, packageSettings } from "./settings.ts";

const load = (flags: Record<string, unknown>, env: Record<string, string> = {}) =>
  loadSettings(agentSettings, {
    program: "porchlight-agent",
    env,
    flags: { cloud: "https://x.example", data: "/d", ...flags },
  });

describe("the agent's settings", () => {
  test("a serial line is a path and, if need be, a baud rate, from flags or a variable", () => {
    expect(load({ serial: ["/dev/ttyUSB0", "/dev/ttyUSB1@9600"] }).serial).toEqual([
      { path: "/dev/ttyUSB0", baudRate: 115_200 },
      { path: "/dev/ttyUSB1", baudRate: 9600 },
    ]);
    expect(load({}, { PORCHLIGHT_SERIAL: "/dev/a@57600,/dev/b" }).serial).toEqual([
      { path: "/dev/a", baudRate: 57_600 },
      { path: "/dev/b", baudRate: 115_200 },
    ]);
  });

  test.each([
    [{ serial: ["/dev/ttyUSB0@fast"] }, "PATH@BAUD"],
    [{ cloud: "ftp://x.example" }, "http or https"],
    [
      { cloud: "https://porter:letmein@x.example" },
      "--cloud: `cloud` must be an address without a user name or password",
    ],
    [{ cloud: "https://porter@x.example" }, "without a user name or password"],
    [{ cloud: "https://:letmein@x.example" }, "without a user name or password"],
    [{ edgeId: "00:1b:44:11:3a:b7" }, "EUI-48"],
  ])("%j is refused in plain words", (flags, words) => {
    expect(() => load(flags)).toThrow(words);
  });

  test("a password in the service's address is not repeated by what refuses it", () => {
    const refused = () => load({ cloud: "https://porter:letmein@x.example" });
    expect(refused).toThrow(expect.objectContaining({ message: expect.not.stringContaining("letmein") }));
    expect(load({ cloud: "https://x.example:8443/home" }).cloud).toBe("https://x.example:8443/home");
  });

  test("tests may make the waits short", () => {
    expect(load({}, { PORCHLIGHT_BACKOFF_FIRST_MS: "100", PORCHLIGHT_SUPERSEDED_FIRST_MS: "200" })).toMatchObject({
      backoffFirstMs: 100,
      supersededFirstMs: 200,
    });
  });
});

describe("the settings of drivers", () => {
  const withFile = (yaml: string) => {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-settings-"));
    const file = join(folder, "agent.yaml");
    try {
      writeFileSync(file, `cloud: https://x.example\ndata: /d\n${yaml}`);
      return loadSettings(agentSettings, { program: "porchlight-agent", env: {}, flags: {}, file });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test("stand by the driver's name in the file, and a driver without any is not there", () => {
    expect(withFile("").drivers).toEqual({});
    expect(withFile("drivers:\n  mqtt:\n    broker: mqtt://127.0.0.1:1883\n").drivers.mqtt).toMatchObject({
      admit: { all: false, edgeIds: new Set() },
      zigbee2mqtt: ["zigbee2mqtt"],
      homeAssistant: ["homeassistant"],
      tasmota: true,
      birth: false,
      publish: false,
    });
    expect(withFile('drivers: { mqtt: { broker: "mqtt://b", publish: true } }').drivers.mqtt?.publish).toBe(true);
  });

  test.each([
    ["all", { all: true, edgeIds: new Set() }],
    ["[00-15-8D-00-01-02-03-04]", { all: false, edgeIds: new Set(["00-15-8D-00-01-02-03-04"]) }],
    ["[all, 00-15-8D-00-01-02-03-04]", { all: true, edgeIds: new Set(["00-15-8D-00-01-02-03-04"]) }],
  ])("admit as %s what is admitted all at once, and what one by one", (admit, expected) => {
    const { mqtt } = withFile(`drivers: { mqtt: { broker: "mqtt://b", admit: ${admit} } }`).drivers;
    expect(mqtt?.admit).toEqual(expected);
  });

  test.each([
    ["{ shelly: { devices: [{ host: http://192.0.2.1 }] } }", "must be a name or an address"],
    ["{ shelly: { devices: [{}] } }", "drivers.shelly.devices"],
    ["{ zwave: {} }", "drivers.zwave.server"],
    ["{ zwave: { server: http://192.0.2.1:3000 } }", "ws://127.0.0.1:3000"],
    ["{ zwave: { server: ws://me:letmein@192.0.2.1:3000 } }", "without a user name or password"],
    ["{ esphome: { devices: [{ host: 192.0.2.1, key: short }] } }", "must be the 44 characters"],
    ["{ mqtt: {} }", "agent.yaml:3: `drivers.mqtt.broker`"],
    ["{ mqtt: { broker: http://b } }", "mqtt://127.0.0.1:1883"],
    ["{ mqtt: { broker: mqtt://me:letmein@b } }", "without a user name or password"],
    ["{ mqtt: { broker: mqtt://b, admit: [lamp] } }", "EUI-48"],
    ["{ mqtt: { broker: mqtt://b, zigbee2mqtt: [home/#] } }", "without wildcards"],
    ["{ mqtt: { borker: mqtt://b } }", "did you mean `broker`?"],
    ["{ Zig_bee: {} }", "is not the name of a driver"],
    ["{ acme: { admit: [lamp] } }", "EUI-48"],
    ["{ acme: 5 }", "agent.yaml:3: `drivers.acme`"],
  ])("%s is refused in plain words", (drivers, words) => {
    expect(() => withFile(`drivers: ${drivers}`)).toThrow(words);
  });

  test("of a package are its own, but for whom it may have", () => {
    const { drivers } = withFile("drivers: { acme: { admit: all, boards: [10.0.0.9] }, other: {} }");
    expect([...packageSettings(drivers)]).toEqual([
      ["acme", { admit: { all: true, edgeIds: new Set() }, own: { boards: ["10.0.0.9"] } }],
      ["other", { admit: { all: false, edgeIds: new Set() }, own: {} }],
    ]);
  });

  test("do not show a password", () => {
    const { mqtt } = withFile("drivers: { mqtt: { broker: mqtt://b, user: me, password: letmein } }").drivers;
    expect(JSON.stringify(mqtt)).not.toContain("letmein");
    expect(mqtt?.password?.reveal()).toBe("letmein");
  });
});

describe("the token file", () => {
  test("gives its token without the line end, and says what is wrong without showing it", () => {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-token-"));
    try {
      const path = join(folder, "token");
      const file = tokenFile({ data: folder });
      expect(file.read()).toBeUndefined();
      expect(tokenFile({ data: join(folder, "not-yet") }).read()).toBeUndefined();
      writeFileSync(path, "plt_cli_abc\n");
      expect(file.read()).toBe("plt_cli_abc");
      writeFileSync(path, "plt_cli_abc\nx-evil: 1");
      expect(() => file.read()).toThrow("contains no token");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("is written for its owner's eyes only, and may be missing where its folder is not", () => {
    const folder = mkdtempSync(join(tmpdir(), "porchlight-token-"));
    try {
      const named = tokenFile({ data: "/nowhere", tokenFile: join(folder, "mine") });
      expect(named.read()).toBeUndefined();
      named.write("plt_cli_abc");
      expect([named.read(), statSync(join(folder, "mine")).mode & 0o777]).toEqual(["plt_cli_abc", 0o600]);
      named.remove();
      named.remove();
      expect(named.read()).toBeUndefined();
      expect(() => tokenFile({ data: folder, tokenFile: "/nowhere/token" }).read()).toThrow(TokenUnusable);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("docs/operations/agent-settings.md has the settings as they are: `npm run docs:settings` writes them anew", () => {
  const document = readFileSync(new URL("../../../docs/operations/agent-settings.md", import.meta.url), "utf8");
  expect(withSettingsTable(document, "porchlight-agent", agentSettings.shape)).toBe(document);
});
