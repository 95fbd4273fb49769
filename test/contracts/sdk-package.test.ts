/** The published client: installed in an empty folder it runs as ESM and as CommonJS, brings its types, and needs nothing else. */
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { itAtLength } from "../parts/at-length.ts";
import { casesOf } from "../parts/rounds.ts";
import { InstalledSdk } from "./sdk-package.ts";

let sdk: InstalledSdk;
beforeAll(() => {
  sdk = InstalledSdk.install();
});
afterAll(() => sdk[Symbol.dispose]());

const program = (opening: string) => `${opening}
const porchlight = new Porchlight({ baseUrl: "http://127.0.0.1:1", token: "plt_usr_x", retries: 0 });
porchlight.account.token().catch((error) => console.log(error.name, error instanceof PorchlightError, ref("env_1", "lamp")));
`;

test("it is imported by ESM and required by CommonJS", () => {
  const esm = program('import { Porchlight, PorchlightError, ref } from "@porchlight/sdk";');
  expect(sdk.run("esm.mjs", esm)).toBe("Connection Failed true env_1;lamp\n");
  const cjs = program('const { Porchlight, PorchlightError, ref } = require("@porchlight/sdk");');
  expect(sdk.run("cjs.cjs", cjs)).toBe("Connection Failed true env_1;lamp\n");
});

test("it has no dependency, and uses nothing of Node.js", () => {
  const installed = readdirSync(join(sdk.project, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["@porchlight"]);
  for (const file of ["index.js", "index.cjs"]) {
    const text = readFileSync(join(sdk.project, "node_modules/@porchlight/sdk", file), "utf8");
    expect(text).not.toMatch(/\brequire\(|from "|\bprocess\.|\bBuffer\b|\bnode:|setImmediate/);
    expect(text.length).toBeLessThan(72 * 1024);
  }
});

test("it speaks over any given fetch, and over the runtime's own", async () => {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ authorization: request.headers.authorization }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { Porchlight } = await import(join(sdk.project, "node_modules/@porchlight/sdk/index.js"));
  expect(await new Porchlight({ baseUrl, token: "plt_usr_x" }).account.token()).toEqual({
    authorization: "Bearer plt_usr_x",
  });
  const fetch = async () => new Response('{"id":"tok_1"}');
  expect(await new Porchlight({ baseUrl, fetch }).account.token()).toEqual({ id: "tok_1" });
  server.close();
});

const uses = `
  import { Porchlight, type PorchlightEvent, isPorchlightError } from "@porchlight/sdk";
export async function use(porchlight: Porchlight): Promise<string | undefined> {
  const device = await porchlight.devices.get("dev_1");
  const state: "online" | "offline" | "unknown" | undefined = device.connection?.state;
  await porchlight.zones.create({ environmentId: "env_1", items: [device.id], meta: { floor: 1 } });
  // @ts-expect-error a zone needs an environment
  await porchlight.zones.create({ items: [] });
  // @ts-expect-error there is no such field
  device.colour;
  for await (const user of porchlight.users.list()) return user.key;
  return state;
}
export const name = (error: unknown) => (isPorchlightError(error, "Hub Offline") ? error.outcome : undefined);
export const value = (event: PorchlightEvent) => (event.type === "property.changed" ? event.data.item.value : undefined);
// @ts-expect-error no error has this name
export const wrong = (error: unknown) => isPorchlightError(error, "Hub Of Line");
`;

test("its types are right in a browser's program and in one of Node.js, imported and required", () => {
  for (const where of casesOf<"browser" | "node">(["browser"], ["node"]))
    sdk.checkTypes({ "uses.mts": uses, "uses.cts": uses }, where);
});

itAtLength("its types are found by a bundler too", () => {
  sdk.checkTypes({ "uses.ts": uses }, "browser", "bundler");
});

test("its types of the API are those that the service itself is made with", () => {
  const modules = join(sdk.project, "node_modules");
  const root = fileURLToPath(new URL("../../", import.meta.url));
  symlinkSync(join(root, "shared"), join(modules, "@porchlight/shared"));
  const made = readFileSync(join(modules, "@porchlight/sdk/types/shared/src/api/index.d.ts"), "utf8");
  const names = [...made.matchAll(/^export type (\w+)/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(25);
  const checks = names.flatMap((name) => {
    const sent = `export const of${name} = (a: A.${name}): B.${name} => a;`;
    // What may be sent is described more exactly than what the service looks at.
    const isRequest = /^New|Update$/.test(name);
    return isRequest ? [sent] : [sent, `export const to${name} = (b: B.${name}): A.${name} => b;`];
  });
  const opening = [
    'import type * as A from "./node_modules/@porchlight/sdk/types/shared/src/api/index.js";',
    'import type * as B from "@porchlight/shared/api";',
  ];
  sdk.checkTypes({ "same.mts": [...opening, ...checks].join("\n") }, "node");
  expect(() =>
    sdk.checkTypes({ "same.mts": `${opening.join("\n")}\nexport const x = (a: A.Zone): B.Device => a;` }, "node"),
  ).toThrow("Property 'type' is missing");
});
