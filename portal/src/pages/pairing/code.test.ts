import { expect, it } from "vitest";
import { fingerprintParts, readCode } from "./code.ts";

it.each(["WDJB-MJHT", "wdjbmjht", " wdjb mjht ", "w-d-j-b-m-j-h-t", "https://cloud.example/pair?code=WDJB-MJHT"])(
  "%s is the code that the hub shows",
  (text) => {
    expect(readCode(text)).toEqual({ kind: "code", code: "WDJB-MJHT" });
  },
);

it("counts the missing characters while it is typed", () => {
  expect(readCode("")).toEqual({ kind: "short", missing: 8 });
  expect(readCode("WDJB-")).toEqual({ kind: "short", missing: 4 });
  expect(readCode("https://cloud.example/pair")).toEqual({ kind: "short", missing: 8 });
});

it("names a character that no code has, without a request", () => {
  expect(readCode("WDJB-MJH0")).toMatchObject({ kind: "wrong", why: expect.stringContaining("contains 0") });
  expect(readCode("AAAA")).toMatchObject({ kind: "wrong", why: expect.stringContaining("contains A") });
  expect(readCode("WDJB-MJHTB")).toMatchObject({ kind: "wrong", why: "A code has 8 letters." });
});

it("a fingerprint is compared part by part, and nothing of it is left out", () => {
  const fingerprint = "SHA256:Zx3kQ0aLmN4pR5sT6uV7wX8yZ9aB0cD1eF2gH3iJ4kL";
  expect(fingerprintParts(fingerprint).join("")).toBe(fingerprint);
  expect(fingerprintParts(fingerprint)[1]).toBe("Zx3k");
});
