/** What is made of a broker's address. */
import { expect, test } from "vitest";
import { serverOf } from "./mqtt-js.ts";

test.for([
  ["mqtt://127.0.0.1:1884", { protocol: "mqtt", host: "127.0.0.1", port: 1884 }],
  ["mqtt://broker.home", { protocol: "mqtt", host: "broker.home" }],
  ["mqtts://broker.home:8884", { protocol: "mqtts", host: "broker.home", port: 8884 }],
  ["mqtt://[fd00::1]:1883", { protocol: "mqtt", host: "fd00::1", port: 1883 }],
] as const)("%s", ([url, server]) => {
  expect(serverOf(url)).toEqual(server);
});
