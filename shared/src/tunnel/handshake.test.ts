/** What opens and ends a tunnel: proof, version and close codes, to the byte where the other end must agree. */
import { expect, test } from "vitest";
import { CLOSE_CODES, closeReason } from "./close-reasons.ts";
import { helloProof } from "./proof.ts";
import { negotiate, TUNNEL_VERSION } from "./version.ts";

test("the proof binds protocol, nonce, token and host, a line each", () => {
  const text = new TextDecoder().decode(helloProof("bm9uY2U", "0a1b", "Cloud.Example:8443"));
  expect(text).toBe("porchlight-tunnel-v1\nbm9uY2U\n0a1b\ncloud.example:8443");
});

test("every close code has one name, and a foreign one is a lost line", () => {
  const codes = Object.values(CLOSE_CODES);
  expect(new Set(codes).size).toBe(codes.length);
  for (const [reason, code] of Object.entries(CLOSE_CODES)) expect(closeReason(code)).toBe(reason);
  expect([1000, 1006, 1011, 4000, 4999].map(closeReason)).toEqual(Array.from({ length: 5 }, () => "lost"));
});

test("a node that restarts says so with the code of the contract", () => {
  expect(CLOSE_CODES.restart).toBe(1012);
});

test.for([
  ["the same version", 1, 1, TUNNEL_VERSION],
  ["a newer hub that still speaks ours", 1, 9, TUNNEL_VERSION],
  ["a newer hub that does not", TUNNEL_VERSION + 1, 9, undefined],
  ["a hub from before the first version", 0, 0, undefined],
] as const)("with %s both ends speak %4$s", ([, oldest, newest, spoken]) => {
  expect(negotiate(oldest, newest)).toBe(spoken);
});
