import { expect, test } from "vitest";
import { redactor } from "./redact.ts";

const TOKEN = "plt_cli_0123456789abcdefghijABCDEFGHIJ01234567";
const KEY = "MC4CAQAwBQYDK2VwBCIEIF3h1x0m9dQpR7sT2uV4wX6yZ8aB0cD2eF4gH6iJ8kL0";

const redact = redactor(["correct horse", "abc", ""]);

test.each([
  ["a value that is known to be secret", "it said correct horse twice: correct horse", "correct horse"],
  ["a token of this service", `refused ${TOKEN}`, TOKEN],
  ["a key in PEM", `-----BEGIN PRIVATE KEY-----\n${KEY}\n-----END PRIVATE KEY-----`, KEY],
  ["a key in PEM whose end is cut off", `-----BEGIN PRIVATE KEY-----\n${KEY.slice(0, 20)}`, KEY.slice(0, 20)],
  ["a key in base64", `the key is ${KEY}`, KEY],
  ["a key in hex", "5ec2e7005ec2e7005ec2e7005ec2e700", "5ec2e700"],
  ["the header of a request", "authorization: Bearer abc.def-ghi", "abc.def"],
  ["a JSON Web Token", "eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl", "c2lnbmF0dXJl"],
  ["user and password in an address", "mqtt://porter:opensesame@broker.home:1883", "opensesame"],
  ["what stands behind the word password", "connect failed: password=opensesame&x=1", "opensesame"],
  ["the same in JSON", '{"client_secret": "open sesame", "a": 1}', "open sesame"],
  ["a pairing code", "enter BCDF-GHJK at the page", "BCDF-GHJK"],
  ["a pairing code in an address", "https://cloud.example/pair?code=BCDFGHJK", "BCDFGHJK"],
  ["a setup code of a device", "pair with 123-45-678 or 3497-011-2332", "45-678"],
])("%s is hidden", (_what, text, secret) => {
  const left = redact.text(text);
  expect(left).toContain("[redacted]");
  expect(left).not.toContain(secret);
});

test.each([
  "the hub is online  epoch=1",
  "a command of the cloud is answered cmd_01h455vb4pex5vsknk084sn02q",
  "02-50-4C-51-00-01 on serial /dev/serial/by-id/usb-Silicon_Labs_CP2102N_USB_to_UART_Bridge_Controller-if00",
  "ECONNREFUSED 127.0.0.1:1883",
  "/usr/lib/porchlight-agent/agent/src/drivers/mqtt/home-assistant/discovery/payload.ts:12:3",
])("what is no secret stays: %s", (text) => {
  expect(redact.text(text)).toBe(text);
});

test("a field is hidden by its name, however deep it stands, and its neighbours are shown", () => {
  expect(redact.field("token", "short")).toBe("[redacted]");
  expect(redact.field("networkKey", [1, 2, 3])).toBe("[redacted]");
  expect(redact.field("userCode", "1")).toBe("[redacted]");
  expect(redact.field("about", { user: "porter", login: { password: "pw", retries: 3 } })).toBe(
    '{"user":"porter","login":{"password":"[redacted]","retries":3}}',
  );
  expect(redact.field("hasToken", true)).toBe("true");
  expect(redact.field("code", "ECONNREFUSED")).toBe("ECONNREFUSED");
  expect(redact.field("failure", "refused correct horse")).toBe("refused [redacted]");
});

test("a long hostile line costs little time", () => {
  const started = process.hrtime.bigint();
  for (const text of [
    "a".repeat(16_384),
    "token".repeat(3000),
    "A1a".repeat(5000),
    "-----BEGIN ".repeat(1400),
    "a:/".repeat(5000),
  ])
    redact.text(text);
  expect(Number(process.hrtime.bigint() - started) / 1e9).toBeLessThan(20);
});
