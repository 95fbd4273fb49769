import { expect, test } from "vitest";
import { nameOfDefaultRoute } from "./node-address.ts";

const HEADING = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT";
const route = (name: string, destination: string, mask: string, metric: number, flags = "0003") =>
  `${name}\t${destination}\t0101A8C0\t${flags}\t0\t0\t${metric}\t${mask}\t0\t0\t0`;
const table = (...routes: string[]) => `${[HEADING, ...routes].map((line) => line.padEnd(127)).join("\n")}\n`;

test.each([
  [
    "the only one",
    table(route("eth0", "00000000", "00000000", 100), route("eth0", "0001A8C0", "00FFFFFF", 100)),
    "eth0",
  ],
  [
    "the one of the lowest metric",
    table(route("wlan0", "00000000", "00000000", 600), route("eth0", "00000000", "00000000", 100)),
    "eth0",
  ],
  [
    "not one that is down",
    table(route("eth0", "00000000", "00000000", 100, "0002"), route("wlan0", "00000000", "00000000", 600)),
    "wlan0",
  ],
  ["not half of the addresses, as a VPN routes them", table(route("tun0", "00000000", "00000080", 0)), undefined],
  ["none, on a machine without routes", table(), undefined],
  ["none, of what is no table", "", undefined],
])("the interface with the default route is %s", (_, routes, expected) => {
  expect(nameOfDefaultRoute(routes)).toBe(expected);
});
