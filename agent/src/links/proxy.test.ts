import { describe, expect, test } from "vitest";
import { proxyFor } from "./proxy.ts";

const HTTPS_PROXY = "http://proxy.example:3128";

describe("the proxy for an address", () => {
  test.each([
    ["wss://cloud.example/api/tunnel", {}, undefined],
    ["wss://cloud.example/api/tunnel", { HTTPS_PROXY }, "http://proxy.example:3128/"],
    ["wss://cloud.example/api/tunnel", { https_proxy: "proxy.example:3128" }, "http://proxy.example:3128/"],
    ["ws://cloud.example/api/tunnel", { HTTPS_PROXY }, undefined],
    ["https://cloud.example/api/pairings", { HTTPS_PROXY }, "http://proxy.example:3128/"],
    ["http://cloud.example/api/pairings", { HTTPS_PROXY }, undefined],
    ["wss://cloud.example/", { HTTPS_PROXY, NO_PROXY: "*" }, undefined],
    ["wss://cloud.example/", { HTTPS_PROXY, NO_PROXY: "example" }, undefined],
    ["wss://cloud.example/", { HTTPS_PROXY, NO_PROXY: ".example" }, undefined],
    ["wss://cloud.example/", { HTTPS_PROXY, NO_PROXY: "loud.example" }, "http://proxy.example:3128/"],
    ["wss://cloud.example/", { HTTPS_PROXY, NO_PROXY: "cloud.example:8443" }, "http://proxy.example:3128/"],
    ["wss://cloud.example:8443/", { HTTPS_PROXY, NO_PROXY: "CLOUD.example:8443" }, undefined],
  ])("%s with %j is %s", (target, env, expected) => {
    expect(proxyFor(new URL(target), env)?.href).toBe(expected);
  });

  test("a variable that is no address is an error that does not quote it", () => {
    const env = { HTTPS_PROXY: "socks5://user:secret@proxy" };
    expect(() => proxyFor(new URL("wss://cloud.example"), env)).toThrow("HTTPS_PROXY is not an http or https address");
  });
});
