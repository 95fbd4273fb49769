/** Log-ins in words. */
import { expect, it } from "vitest";
import { browserOf, kindOf } from "./log-in-words.ts";

it.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
    "Chrome 156 on Linux",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
    "Edge 141 on Windows",
  ],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox 145 on macOS"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    "Safari 18 on iOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
    "Chrome 141 on Android",
  ],
  ["curl/8.14.1", "curl/8.14.1"],
  [undefined, "unknown program"],
  ["", "unknown program"],
])("%s is %s", (userAgent, words) => expect(browserOf(userAgent)).toBe(words));

it("any other text is shown unchanged, cut where it is long", () => {
  expect(browserOf("<script>alert(1)</script>")).toBe("<script>alert(1)</script>");
  expect([...browserOf("💡".repeat(200))]).toHaveLength(60);
});

it.each([
  [{ type: "account", session: true }, true, "This portal"],
  [{ type: "account", session: true }, false, "Portal"],
  [{ type: "account" }, false, "Account token"],
  [{ type: "authentication" }, false, "Console"],
] as const)("%j, this page's own: %s, is called %s", (logIn, isOwn, words) => expect(kindOf(logIn, isOwn)).toBe(words));
