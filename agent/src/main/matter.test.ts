/** What `porchlight-agent matter` shows: pure text. */
import { expect, test } from "vitest";
import { bridgeText } from "./commands.ts";

const WAITING = {
  state: "waiting",
  qrCode: "MT:Y.K908",
  manualCode: "34970112332",
  devices: 8,
  controllers: [],
} as const;

test("a bridge that waits shows its digits in groups, and a QR code where one can be seen", () => {
  const waiting = { ...WAITING, controllers: [] };
  expect(bridgeText(waiting, false)).toBe("code: 3497-011-2332\nQR:   MT:Y.K908\n\n8 devices are shown\n");
  expect(bridgeText(waiting, true)).toMatch(/▀|▄|█/);
});

test("a bridge that is paired shows no code, but its controllers and how to add another", () => {
  const controllers = [
    { vendorId: 4937, label: "" },
    { vendorId: 65_521, label: "Summer house" },
  ];
  expect(bridgeText({ state: "paired", devices: 1, controllers }, true).split("\n")).toEqual([
    "1 device is shown",
    "controllers:",
    "  Apple",
    "  vendor 65521, Summer house",
    "",
    "To add another controller, share this bridge from the app of one that has it.",
    "",
  ]);
});
