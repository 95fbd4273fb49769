/** The TypeScript samples of the reference: each is right by the types of the client as others install it. */

import { textsOf } from "@porchlight/cloud/docs/reference/languages.ts";
import { type OpenApiDocument, operationsOf } from "@porchlight/cloud/docs/reference/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ContractCloud } from "./cloud.ts";
import { InstalledSdk } from "./sdk-package.ts";

/** Operations that the client has no call for. */
const NO_CALL = ["getHealthz", "getReadyz"];

let sdk: InstalledSdk;
let cloud: ContractCloud;
beforeAll(async () => {
  sdk = InstalledSdk.install();
  cloud = await ContractCloud.start("SQLite");
});
afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
  sdk[Symbol.dispose]();
});

test("each sample is a program without a fault", async () => {
  const answer = await fetch(`${cloud.url}/api/openapi.json`);
  const document = (await answer.json()) as OpenApiDocument;
  const without: string[] = [];
  const files: Record<string, string> = {};
  for (const operation of operationsOf(document)) {
    const sample = textsOf(operation, cloud.url).find(({ language }) => language === "TypeScript");
    if (sample) files[`${operation.id}.mts`] = sample.text.replaceAll(/‹(\w+)›/g, "$1");
    else without.push(operation.id);
  }
  expect(without).toEqual(NO_CALL);
  sdk.checkTypes(files);
  expect(() =>
    sdk.checkTypes({ "wrong.mts": `${files["getDevice.mts"]?.replace("devices.get", "devices.fetch")}` }),
  ).toThrow("fetch");
});
