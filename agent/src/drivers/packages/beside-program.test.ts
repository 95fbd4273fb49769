import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagesBeside } from "./driver-packages.ts";

test("what the system has installed beside the executable is found by its name", () => {
  const folder = mkdtempSync(join(tmpdir(), "porchlight-beside-"));
  try {
    const program = join(folder, "porchlight-agent");
    expect(packagesBeside(program).size).toBe(0);
    for (const name of ["matter", ".new-acme"]) mkdirSync(join(folder, "drivers", name), { recursive: true });
    expect(packagesBeside(program)).toEqual(new Map([["matter", join(folder, "drivers", "matter")]]));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("an agent that runs from its sources has none", () => {
  expect(packagesBeside().size).toBe(0);
});
