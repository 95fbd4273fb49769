/** A secret setting never shows itself. */
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { loadSettings, SettingsError, secret } from "./index.ts";

const schema = z.object({ smtpPassword: secret(), keys: z.array(secret()).optional() });

test("a secret is a placeholder in JSON, in text and in inspect, and itself only when revealed", () => {
  const settings = loadSettings(schema, {
    program: "p",
    env: { PORCHLIGHT_SMTP_PASSWORD: "hunter2", PORCHLIGHT_KEYS: "hunter3,hunter4" },
    flags: {},
  });
  const shown = [
    JSON.stringify(settings),
    inspect(settings, { depth: 9, showHidden: true }),
    `${settings.smtpPassword}`,
  ];
  for (const text of shown) {
    expect(text).toContain("[secret]");
    expect(text).not.toContain("hunter");
  }
  expect(settings.smtpPassword.reveal()).toBe("hunter2");
  expect(settings.keys?.map((key) => key.reveal())).toEqual(["hunter3", "hunter4"]);
});

test("the problem of a secret is reported without the secret", () => {
  const load = () =>
    loadSettings(schema, { program: "p", env: { PORCHLIGHT_SMTP_PASSWORD: "" }, flags: { keys: "a,,hunter5" } });
  expect(load).toThrow(SettingsError);
  expect(load).toThrow("PORCHLIGHT_SMTP_PASSWORD: `smtpPassword` must be a text that is not empty");
  expect(load).toThrow("--keys: `keys.1` must be a text that is not empty");
  expect(load).not.toThrow("hunter5");
});
