/** `npm start`, as whoever tries Porchlight for the first time has it: what it prints is so, on both kinds of line, and comes again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Api } from "../parts/api.ts";
import { Program } from "../parts/program.ts";

interface Facts {
  readonly apiUrl: string;
  readonly userToken: string;
  readonly environmentId: string;
  readonly devices: readonly { readonly id: string; readonly alias: string; readonly link: string }[];
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-start-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the demonstration; `seen` is told what it prints, and then it is stopped. */
async function demonstration(seen: (facts: Facts) => Promise<void>): Promise<void> {
  const args = ["--port", "0", "--data", folder, "--json"];
  const program = new Program("demonstration", "scripts/start.mjs", args);
  try {
    await seen(await program.line((line) => JSON.parse(line) as Facts));
  } finally {
    expect(await program.stop()).toEqual({ code: 0, signal: null });
  }
}

const hue = async ({ apiUrl, userToken, environmentId }: Facts, alias: string, value: number) =>
  new Api(apiUrl, userToken).call("PUT", `/api/devices/${environmentId};${alias}/services/LightColor.hue`, { value });

describe("npm start", () => {
  it("has a lamp on a serial line and one on the network, each set under its name, and the same ones the next time", async () => {
    const ids: string[][] = [];
    for (const value of [120, 240])
      await demonstration(async (facts) => {
        const links = new Map(facts.devices.map(({ alias, link }) => [alias, link]));
        expect(links.get("lamp")).toMatch(/^serial /);
        expect(links.get("reading-lamp")).toMatch(/^tcp 127\.0\.0\.1:\d+$/);
        for (const alias of ["lamp", "reading-lamp"])
          expect(await hue(facts, alias, value)).toMatchObject({ status: 200, body: { value } });
        ids.push(facts.devices.map(({ id }) => id));
      });
    expect(ids[1]).toEqual(ids[0]);
  });
});
